package runtimetest

import (
	"context"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// LimitStore is a runtime.LimitStore in which each check of Verify has shared limits of its own, of which nothing is used: what one check
// sends is not missing in the next. Calls outside of Verify find them unused too. Safe for concurrent use.
func LimitStore() runtime.LimitStore { return unused{} }

// unused has the limits in the stage of the call.
type unused struct{}

// Local says that it answers at once.
func (unused) Local() {}

// Take answers at once.
func (unused) Take(ctx context.Context, d policy.LimitDemand) (policy.LimitSupply, error) {
	if st, ok := ctx.Value(stageKey{}).(*stage); ok {
		return st.limits.Take(time.Now(), &d), nil
	}
	return new(policy.LimitPool).Take(time.Now(), &d), nil
}
