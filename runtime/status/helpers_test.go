package status_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/status"
	"github.com/resgen-go/resgen/runtime/wire"
)

// world is a program with one client, "llm", and its status.
type world struct {
	*status.Status

	group *runtime.Group
	t     *testing.T
	down  error // what the primary answers; nil is well
}

func newWorld(t *testing.T) *world {
	t.Helper()
	g := runtime.NewGroup(runtime.WithRand(func() float64 { return 0 }))
	w := &world{Status: status.New(g), group: g, t: t}
	w.Title, w.Instance = "chat", "host-1"
	return w
}

// operation makes an operation of the client, which the status observes, with a ladder: the target "eu", then words that say sorry.
func (w *world) operation(name string, change ...func(*policy.Plan)) *runtime.Operation {
	w.t.Helper()
	p := policy.Plan{
		Operation: name, Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: time.Second, Total: 10 * time.Second},
		Breaker: policy.BreakerConfig{
			Mode: policy.BreakerOn, WindowCalls: 100, WindowAge: time.Minute, MinCalls: 20, FailureRate: 0.5, Consecutive: 3,
			OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 1, CloseAfter: 1,
		},
		Budget:  policy.BudgetConfig{Ratio: 0.1},
		Targets: []policy.Target{{Name: "eu"}},
		Fallback: policy.Fallback{Rungs: []policy.Rung{
			{Name: "europe", Sort: policy.RungTarget, Target: "eu", When: policy.Kinds(), Level: policy.Alternate},
		}},
	}
	for _, c := range change {
		c(&p)
	}
	op, err := runtime.NewOperation(w.group, "llm", p, runtime.Wiring{Observer: w.Observer()})
	if err != nil {
		w.t.Fatal(err)
	}
	return op
}

// alone takes the ladder away.
func alone(p *policy.Plan) { p.Targets, p.Fallback = nil, policy.Fallback{} }

// call makes calls whose first rung answers what the world says.
func (w *world) call(op *runtime.Operation, times int) {
	for range times {
		_, _ = runtime.Do(w.t.Context(), op, func(_ context.Context, at runtime.Attempt) (string, error) {
			if at.Rung == 0 && w.down != nil {
				return "", w.down
			}
			return "answer", nil
		})
	}
}

func answers(code int, header ...string) error {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &wire.StatusError{Status: code, Header: h}
}

// get asks a handler.
func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// decode reads an answer of JSON.
func decode[T any](t *testing.T, w *httptest.ResponseRecorder) (value T) {
	t.Helper()
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q", got)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return value
}

// sleep lets virtual time pass; tests call it in bubbles only.
func sleep(d time.Duration) { time.Sleep(d) } // in a synctest bubble
