package runtime_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
)

// plan returns a plan of three attempts at a safe operation: an attempt has 1 s, a call 10 s, a wait is 100 ms without jitter.
func plan(change ...func(*policy.Plan)) policy.Plan {
	p := policy.Plan{
		Operation:   "Get",
		Idempotency: policy.Safe,
		Timeout:     policy.Timeout{Attempt: time.Second, Total: 10 * time.Second},
		Retry: policy.Retry{
			Attempts: 3, On: policy.RetryOn(policy.Safe), RetryAfterMax: 30 * time.Second,
			Backoff: policy.Backoff{Base: 100 * time.Millisecond, Max: 2 * time.Second, Multiplier: 1, Jitter: policy.NoJitter},
		},
	}
	for _, c := range change {
		c(&p)
	}
	return p
}

// once is a plan of one attempt without a timeout.
func once(change ...func(*policy.Plan)) policy.Plan {
	return plan(append([]func(*policy.Plan){func(p *policy.Plan) {
		p.Timeout, p.Retry = policy.Timeout{}, policy.Retry{}
	}}, change...)...)
}

// breaker is a breaker that opens after a number of failures in a row, for 5 s.
func breaker(failures int) policy.BreakerConfig {
	return policy.BreakerConfig{
		Mode: policy.BreakerOn, WindowCalls: 100, WindowAge: time.Minute, MinCalls: 20, FailureRate: 0.5, Consecutive: failures,
		OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 1, CloseAfter: 1,
	}
}

// ladder gives a plan its rungs.
func ladder(rungs ...policy.Rung) func(*policy.Plan) {
	return func(p *policy.Plan) { p.Fallback.Rungs = rungs }
}

// anyKind is `when: [any]`.
func anyKind() []policy.Kind {
	var all []policy.Kind
	for _, k := range policy.Kinds() {
		if k.Any() {
			all = append(all, k)
		}
	}
	return all
}

func static(name string) policy.Rung {
	return policy.Rung{Name: name, Sort: policy.RungStatic, When: anyKind(), Level: policy.Canned}
}

func other(name string) policy.Rung {
	return policy.Rung{Name: name, Sort: policy.RungTarget, Target: name, When: anyKind(), Level: policy.Alternate}
}

// still is a group without jitter.
func still() *runtime.Group { return runtime.NewGroup(runtime.WithRand(func() float64 { return 0 })) }

// operation returns an operation of the client "llm", with its observer.
func operation(t *testing.T, p policy.Plan) (*runtime.Operation, *runtimetest.Recorder) {
	t.Helper()
	r := new(runtimetest.Recorder)
	return operationIn(t, still(), p, r), r
}

func operationIn(t *testing.T, g *runtime.Group, p policy.Plan, o runtime.Observer) *runtime.Operation {
	t.Helper()
	op, err := runtime.NewOperation(g, "llm", p, runtime.Wiring{Observer: o})
	if err != nil {
		t.Fatalf("NewOperation: %v", err)
	}
	return op
}

// status is a response with that status; header is name and value in turn.
func status(code int, header ...string) error {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &wire.StatusError{Status: code, Header: h}
}

// sleep lets virtual time pass; tests call it in bubbles only.
func sleep(d time.Duration) { time.Sleep(d) } // in a synctest bubble

type step = runtimetest.Step[string]

func play(steps ...step) *runtimetest.Script[string] { return runtimetest.Play(steps...) }
