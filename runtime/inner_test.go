package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

var errGaveUp = errors.New("the client gave up")

// stubborn is a client that tries again by itself, as those of SDKs do.
func stubborn(s *httptest.Server, agent string, most int) getter {
	return getterFunc(func(ctx context.Context, id string) (string, error) {
		for range most {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader(id))
			if err != nil {
				return "", err
			}
			req.Header.Set("User-Agent", agent)
			resp, err := s.Client().Do(req)
			if err != nil {
				return "", err
			}
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return id, nil
			}
		}
		return "", errGaveUp
	})
}

// failingServer answers 503 as often as it is to.
func failingServer(t *testing.T, fails int) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if fails--; fails >= 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func watchedPlan() policy.Plan {
	p := timed(full())
	p.Budget = policy.BudgetConfig{Ratio: 0.1}
	p.Retry.Backoff = policy.Backoff{Base: time.Millisecond, Max: time.Millisecond, Multiplier: 1, Jitter: policy.NoJitter}
	return p
}

func TestWhatAnSDKSendsAgainIsSeenChargedAndWarnedAboutOnce(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(p *policy.Plan){
		"retried": func(*policy.Plan) {},
		"untimed": func(p *policy.Plan) { p.Timeout = policy.Timeout{} },
		"hedged": func(p *policy.Plan) {
			p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: time.Hour, ExtraLoad: 1}
		},
		"left":     func(p *policy.Plan) { p.Abandon = true },
		"one shot": func(p *policy.Plan) { p.Retry = policy.Retry{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := watchedPlan()
			change(&p)
			g, seen := runtime.NewGroup(), new(runtimetest.Recorder)
			s := failingServer(t, 2)
			w, err := wrap(stubborn(s, "OpenAI/Go 3.99.0", 3), p, nil,
				func(w *runtime.Wrapper) { w.Apply(runtime.WithGroup(g), runtime.WithObserver(seen)) })
			if err != nil {
				t.Fatal(err)
			}
			before := balance(g)
			var meta runtime.Meta
			if _, err := w.Get(runtime.Capture(t.Context(), &meta), "a"); err != nil {
				t.Fatal(err)
			}
			if meta.Attempts != 1 || meta.Replays != 2 {
				t.Errorf("%d attempts and %d replays, want 1 and 2", meta.Attempts, meta.Replays)
			}
			if got := before - balance(g); got < 1.5 || got > 2 {
				t.Errorf("the budget paid %v, want for 2", got)
			}
			if _, err := w.Get(t.Context(), "a"); err != nil { // without any
				t.Fatal(err)
			}
			told := seen.Events(runtime.InnerRetry)
			if len(told) != 1 || told[0].Replays != 2 || told[0].Operation != "Getter.Get" || told[0].Target != policy.PrimaryTarget ||
				!strings.Contains(told[0].Advice, "option.WithMaxRetries(0)") {
				t.Errorf("told: %+v", told)
			}
			if got := seen.Events(runtime.AttemptEnd)[0].Replays; got != 2 {
				t.Errorf("the attempt's end tells of %d, want 2", got)
			}
			counted := map[string]uint64{}
			for _, m := range g.Snapshot() {
				for operation, n := range m.InnerRetries {
					counted[operation] += n
				}
			}
			if diff := cmp.Diff(map[string]uint64{"Get": 2}, counted); diff != "" {
				t.Errorf("snapshot: %s", diff)
			}
		})
	}
}

// The inner tries use up the outer ones: two layers of three make three requests, not nine.
func TestInnerRetriesAndOursDoNotMultiply(t *testing.T) {
	t.Parallel()
	for name, watch := range map[string]runtime.Observer{"watched": new(runtimetest.Recorder), "unwatched": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requests := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				requests++
				w.WriteHeader(http.StatusServiceUnavailable)
			}))
			t.Cleanup(s.Close)
			p := watchedPlan()
			p.Retry.Attempts = 3
			w, err := wrap(stubborn(s, "some/1", 3), p, func(error) policy.Kind { return policy.KindTransient },
				func(w *runtime.Wrapper) { w.Apply(runtime.WithObserver(watch)) })
			if err != nil {
				t.Fatal(err)
			}
			if _, err = w.Get(t.Context(), "a"); !errors.Is(err, errGaveUp) || requests != 3 {
				t.Errorf("%d requests and %v, want 3 and the client's error", requests, err)
			}
		})
	}
}

func TestTheSecondInnerRetryIsNoWarning(t *testing.T) {
	t.Parallel()
	seen := new(runtimetest.Recorder)
	w, err := wrap(stubborn(failingServer(t, 2), "hand-made", 2), watchedPlan(), func(error) policy.Kind { return policy.KindTransient },
		func(w *runtime.Wrapper) { w.Apply(runtime.WithObserver(seen)) })
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Get(t.Context(), "a")
	s := failingServer(t, 2)
	w.next = stubborn(s, "hand-made", 3)
	if _, err := w.Get(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	told := seen.Events(runtime.InnerRetry)
	if len(told) != 2 || told[0].Advice == "" || strings.Contains(told[0].Advice, "(") || told[1].Advice != "" {
		t.Fatalf("told: %+v", told)
	}
	if told[0].Severity() <= told[1].Severity() {
		t.Errorf("the first is as loud as the second: %v and %v", told[0].Severity(), told[1].Severity())
	}
}

// What makes no request costs what it did.
func TestWatchingCostsNothingWhereNothingIsRequested(t *testing.T) {
	w, err := wrap(getterFunc(func(_ context.Context, id string) (string, error) { return id, nil }), timed(full()), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(1000, func() {
		_, _ = runtime.DoInline(t.Context(), w.get, answer)
	})
	if got > 1 {
		t.Errorf("%v allocations, want at most 1: the attempt's context", got)
	}
}
