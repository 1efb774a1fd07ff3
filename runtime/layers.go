package runtime

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// watchLayers has the calls inside the attempts of a wrapper's operation be looked at: whether they have policies that it has too. It costs
// nothing where there is nobody to be told.
func (op *Operation) watchLayers() {
	if op.observer != nil {
		op.within = &scope{retried: op.plan.Retry.Attempts > 1, over: op}
	}
}

// tellLayers tells, once, that a call inside an attempt has policies which are this operation's too. Retries are none of them: they are made by
// the outermost layer alone, whatever the plans say.
func (op *Operation) tellLayers(ctx context.Context, now time.Time, inside *Operation) {
	if inside == op || op.layered.Load() {
		return
	}
	twice := twoOf(op, inside)
	if len(twice) == 0 || !op.layered.CompareAndSwap(false, true) {
		return
	}
	e := Event{What: TwoLayers, Advice: fmt.Sprintf(
		"%s has a %s of its own, and this has one too: leave it to one of them, such as by a policy file for the client inside, "+
			"whose rule for all operations sets it to null", inside.name, strings.Join(twice, " and a "),
	)}
	op.tell(ctx, now, e)
}

// twoOf returns the policies that two operations have, one inside the other, and only one should.
func twoOf(outer, inner *Operation) (names []string) {
	if outer.breaks() && inner.breaks() {
		names = append(names, "breaker")
	}
	if outer.bounds() && inner.bounds() {
		names = append(names, "limit")
	}
	if len(outer.plan.Fallback.Rungs) > 0 && len(inner.plan.Fallback.Rungs) > 0 {
		names = append(names, "fallback ladder")
	}
	return names
}

// breaks reports whether the operation's own target has a breaker; of members each has one.
func (op *Operation) breaks() bool {
	return policy.TargetOf(&op.plan, policy.PrimaryTarget).Breaker.Mode != policy.BreakerOff
}

// bounds reports whether the operation's own target has a limit.
func (op *Operation) bounds() bool { return op.rungs[0].Limit != nil }
