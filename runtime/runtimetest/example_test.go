package runtimetest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// A script stands for a target, a recorder shows what the policies made of it.
func Example() {
	plan := policy.Plan{
		Operation: "Get", Idempotency: policy.Safe,
		Retry: policy.Retry{Attempts: 2, On: []policy.Kind{policy.KindTransient}, Backoff: policy.Backoff{Base: time.Nanosecond}},
	}
	var seen runtimetest.Recorder
	op, err := runtime.NewOperation(nil, "llm", plan, runtime.Wiring{Observer: &seen})
	if err != nil {
		fmt.Println(err)
		return
	}
	target := runtimetest.Play(
		runtimetest.Step[string]{Err: &wire.StatusError{Status: 503}},
		runtimetest.Step[string]{Value: "hello"},
	)
	answer, err := runtime.Do(context.Background(), op, target.Run)
	fmt.Println(answer, err, len(target.Seen()))
	for _, e := range seen.Events(runtime.AttemptEnd) {
		fmt.Println(e.What, e.Attempt, e.Kind)
	}
	// Output:
	// hello <nil> 2
	// attempt end 1 transient
	// attempt end 2 none
}
