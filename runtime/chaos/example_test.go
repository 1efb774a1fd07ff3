package chaos_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// The first request is refused, the second is throttled, and the third reaches the server. The process was started with RESGEN_CHAOS=test.
func Example() {
	disorder, err := chaos.New(chaos.Plan{
		Name: "test",
		Rules: []chaos.Rule{{
			Operations: []string{"llm.*"}, Targets: []string{"primary"},
			Script: []chaos.Fault{chaos.Refused(), chaos.Throttle(0)},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer disorder.Stop()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `"hello"`)
	}))
	defer server.Close()

	// This is what a generated New does, and its method.
	var seen runtimetest.Recorder
	client := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", BaseURL: server.URL}, runtime.WithObserver(&seen), runtime.WithChaos(disorder))
	get := client.Operation(policy.Plan{
		Operation: "Get", Idempotency: policy.Safe,
		Retry: policy.Retry{
			Attempts: 3, On: []policy.Kind{policy.KindConnect, policy.KindThrottle}, Backoff: policy.Backoff{Base: time.Nanosecond},
		},
	})
	if err := client.Err(); err != nil {
		fmt.Println(err)
		return
	}
	answer, err := runtime.Call(context.Background(), client, get, wire.NewRequest(http.MethodGet, "/"),
		func(r *wire.Response) (*string, error) { return wire.JSONOn[string](r, http.StatusOK) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(*answer)
	for _, e := range seen.Events(runtime.AttemptEnd) {
		fmt.Printf("attempt %d: %v, injected: %q\n", e.Attempt, e.Kind, e.Injected)
	}
	fmt.Println(disorder.Report())
	// Output:
	// hello
	// attempt 1: connect, injected: "connection refused"
	// attempt 2: throttle, injected: "status 429"
	// attempt 3: none, injected: ""
	// [{3 2}]
}
