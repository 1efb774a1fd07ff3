package inbound_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/inbound"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// below is a program's own call: an operation that tries three times, against a target that always answers 503. It counts the attempts.
type below struct {
	op       *runtime.Operation
	attempts int
}

func newBelow(t *testing.T, change func(*policy.Plan)) *below {
	t.Helper()
	plan := policy.Plan{
		Operation: "Ask", Idempotency: policy.Safe,
		Retry: policy.Retry{Attempts: 3, On: []policy.Kind{policy.KindTransient}, Backoff: policy.Backoff{Base: 1, Max: 1}},
	}
	if change != nil {
		change(&plan)
	}
	op, err := runtime.NewOperation(runtime.NewGroup(), "llm", plan, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	return &below{op: op}
}

func (b *below) call(ctx context.Context) error {
	_, err := runtime.Do(ctx, b.op, func(context.Context, runtime.Attempt) (int, error) {
		b.attempts++
		return 0, &wire.StatusError{Status: http.StatusServiceUnavailable}
	})
	return err
}

// ask sends a request with headers through the handler, and returns the answer.
func ask(h http.Handler, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/", http.NoBody)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func trust(*http.Request) bool { return true }

func TestT30_AnAttemptOfACallerThatRetriesMakesOne(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		header []string
		trust  func(*http.Request) bool
		want   int
	}{
		{"nothing is said", nil, trust, 3},
		{"the first of three", []string{"X-Resgen-Attempt", "1/3"}, trust, 1},
		{"the last of three", []string{"X-Resgen-Attempt", "3/3"}, trust, 1},
		{"the only one", []string{"X-Resgen-Attempt", "1/1"}, trust, 3},
		{"somebody further up retries", []string{"X-Resgen-Attempt", "1/1", "X-Resgen-Do-Not-Retry", "1"}, trust, 1},
		{"more than all", []string{"X-Resgen-Attempt", "4/3"}, trust, 3},
		{"counted from 0", []string{"X-Resgen-Attempt", "0/3"}, trust, 3},
		{"no number", []string{"X-Resgen-Attempt", "a/b"}, trust, 3},
		{"half of it", []string{"X-Resgen-Attempt", "2"}, trust, 3},
		{"a stranger", []string{"X-Resgen-Attempt", "1/3", "X-Resgen-Do-Not-Retry", "1"}, nil, 3},
		{"somebody who is not trusted", []string{"X-Resgen-Attempt", "1/3"}, func(*http.Request) bool { return false }, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBelow(t, nil)
			in := inbound.New(inbound.Config{TrustSignals: tt.trust})
			ask(in.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _ = b.call(r.Context()) })), tt.header...)
			if b.attempts != tt.want {
				t.Errorf("%d attempts, want %d", b.attempts, tt.want)
			}
		})
	}
}

func TestT37_TheDeadlineIsTheEarlierOne(t *testing.T) {
	t.Parallel()
	timeout := func(text string) []string { return []string{"X-Resgen-Timeout-Ms", text} }
	grpc := func(text string) []string { return []string{"Grpc-Timeout", text} }
	tests := []struct {
		name   string
		cfg    inbound.Config
		header []string
		want   time.Duration // 0 is none
	}{
		{"none", inbound.Config{}, nil, 0},
		{"the caller's", inbound.Config{}, timeout("1500"), 1500 * time.Millisecond},
		{"our own", inbound.Config{Timeout: time.Second}, nil, time.Second},
		{"the caller's is earlier", inbound.Config{Timeout: time.Second}, timeout("300"), 300 * time.Millisecond},
		{"our own is earlier", inbound.Config{Timeout: time.Second}, timeout("3000"), time.Second},
		{"less the way", inbound.Config{Travel: 20 * time.Millisecond}, timeout("300"), 280 * time.Millisecond},
		{
			"the way is not taken off our own",
			inbound.Config{Travel: 20 * time.Millisecond, Timeout: 100 * time.Millisecond},
			timeout("300"),
			100 * time.Millisecond,
		},
		{"gRPC's milliseconds", inbound.Config{}, grpc("250m"), 250 * time.Millisecond},
		{"gRPC's hours", inbound.Config{}, grpc("2H"), 2 * time.Hour},
		{"both", inbound.Config{}, append(timeout("300"), grpc("200000u")...), 200 * time.Millisecond},
		{"no number", inbound.Config{Timeout: time.Second}, timeout("soon"), time.Second},
		{"more than there is", inbound.Config{Timeout: time.Second}, timeout("9223372036854775807"), time.Second},
		{"gRPC without a unit", inbound.Config{}, grpc("250"), 0},
		{"gRPC with too many digits", inbound.Config{}, grpc("123456789S"), 0},
		{"gRPC for centuries", inbound.Config{}, grpc("99999999H"), 0},
		{"gRPC below zero", inbound.Config{}, grpc("-1S"), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tt.cfg.TrustSignals = trust
				start, ran := time.Now(), false
				ask(inbound.New(tt.cfg).Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					ran = true
					deadline, bounded := r.Context().Deadline()
					if bounded != (tt.want != 0) || bounded && deadline.Sub(start) != tt.want {
						t.Errorf("deadline %v after %s, want %s", bounded, deadline.Sub(start), tt.want)
					}
				})), tt.header...)
				if !ran {
					t.Error("the handler did not run")
				}
			})
		})
	}
}

func TestNothingIsReadOfAStranger(t *testing.T) {
	t.Parallel()
	in := inbound.New(inbound.Config{Shed: true})
	ask(in.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, bounded := r.Context().Deadline(); bounded {
			t.Error("a stranger's deadline is kept")
		}
	})), "X-Resgen-Timeout-Ms", "0", "Grpc-Timeout", "1S", "X-Resgen-Criticality", "critical", "X-Resgen-Attempt", "1/3")
}

// What the caller says goes on to the targets of the program's own calls.
func TestSignalsGoOn(t *testing.T) {
	t.Parallel()
	var told http.Header
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { told = r.Header.Clone() }))
	defer target.Close()
	h := runtime.NewHTTP(runtime.HTTPSpec{
		Name: "next", BaseURL: target.URL, Targets: []policy.Target{{Name: policy.PrimaryTarget, Internal: true}},
	})
	op := h.Operation(policy.Plan{Operation: "Ask", Idempotency: policy.Safe})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	in := inbound.New(inbound.Config{TrustSignals: trust})
	ask(in.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := runtime.Do(r.Context(), op, func(ctx context.Context, at runtime.Attempt) (struct{}, error) {
			return runtime.Send(ctx, h, at, wire.NewRequest(http.MethodGet, "/"), wire.NoBody)
		})
		if err != nil {
			t.Error(err)
		}
	})), "X-Resgen-Criticality", "sheddable", "X-Resgen-Timeout-Ms", "5000", "X-Resgen-Attempt", "2/3")
	for name, want := range map[string]string{
		"X-Resgen-Criticality": "sheddable", "X-Resgen-Attempt": "1/1", "X-Resgen-Do-Not-Retry": "1",
	} {
		if got := told.Get(name); got != want {
			t.Errorf("%s: %q goes on, want %q", name, got, want)
		}
	}
	if ms := told.Get("X-Resgen-Timeout-Ms"); len(ms) != 4 || ms > "5000" {
		t.Errorf("%q ms go on of 5000", ms)
	}
}

func TestMetadataOfGRPC(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		md := map[string][]string{"x-resgen-timeout-ms": {"700", "900"}, "x-resgen-attempt": {"1/2"}}
		ctx, cancel := inbound.New(inbound.Config{}).Context(t.Context(), func(name string) []string { return md[name] })
		defer cancel()
		b := newBelow(t, nil)
		_ = b.call(ctx)
		deadline, _ := ctx.Deadline()
		if left := time.Until(deadline); left != 700*time.Millisecond || b.attempts != 1 {
			t.Errorf("%s left, %d attempts; want 700ms, 1", left, b.attempts)
		}
		none, stop := inbound.New(inbound.Config{}).Context(t.Context(), func(string) []string { return nil })
		defer stop()
		if none != t.Context() {
			t.Error("nothing is asked, and the context is another")
		}
	})
}

func TestT37_LateWorkIsTurnedAway(t *testing.T) {
	t.Parallel()
	for _, shed := range []bool{false, true} {
		t.Run(fmt.Sprintf("shed=%v", shed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				told, turnedAway, ran := 0, 0, 0
				in := inbound.New(inbound.Config{
					TrustSignals: trust, Shed: shed,
					Late: func(_ *http.Request, by time.Duration, away bool) {
						told++
						if away {
							turnedAway++
						}
						if by < 0 {
							t.Errorf("late by %s", by)
						}
					},
				})
				h := in.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { ran++ }))
				const all, late = 1000, 100
				for i := range all { // over ten seconds: within any bound
					left := "1000"
					if i%(all/late) == 0 {
						left = "0"
					}
					w := ask(h, "X-Resgen-Timeout-Ms", left)
					if away := w.Code == http.StatusServiceUnavailable; away && w.Header().Get("X-Resgen-Do-Not-Retry") != "1" {
						t.Error("it may be tried again")
					}
					time.Sleep(10 * time.Millisecond) // in the synctest bubble
				}
				want := 0
				if shed {
					want = late - 1 // of one request, none is a fifth
				}
				if told != late || turnedAway != want || ran != all-want {
					t.Errorf("%d told, %d turned away, %d ran; want %d, %d, %d", told, turnedAway, ran, late, want, all-want)
				}
			})
		})
	}
}

// Where more than a fifth comes too late, something else is wrong: the rest runs.
func TestT37_AtMostAFifthInTenSecondsIsTurnedAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := inbound.New(inbound.Config{TrustSignals: trust, Shed: true})
		ran := 0
		h := in.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { ran++ }))
		away := 0
		for range 500 {
			if ask(h, "X-Resgen-Timeout-Ms", "-5").Code == http.StatusServiceUnavailable {
				away++
			}
			time.Sleep(50 * time.Millisecond) // in the synctest bubble
		}
		if away != 100 || ran != 400 {
			t.Errorf("%d of 500 turned away, %d ran; want 100, 400", away, ran)
		}
		time.Sleep(time.Minute) // in the synctest bubble: nothing is left of what came before
		if got := ask(h, "X-Resgen-Timeout-Ms", "0").Code; got != http.StatusOK {
			t.Errorf("the only request in ten seconds: status %d", got)
		}
	})
}

func TestT37_WorkBehindAQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := inbound.New(inbound.Config{Timeout: time.Second, Shed: true})
		ran := 0
		work := in.Work(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { ran++ }))
		wait := time.Duration(0)
		queue := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(wait) // in the synctest bubble
			work.ServeHTTP(w, r)
		})
		for range 10 {
			ask(in.Handler(queue))
		}
		wait = 2 * time.Second
		if got := ask(in.Handler(queue)).Code; got != http.StatusServiceUnavailable || ran != 10 {
			t.Errorf("status %d, %d ran", got, ran)
		}
	})
}

func TestT38_TheCallerIsToldNotToRetry(t *testing.T) {
	t.Parallel()
	budget := func(p *policy.Plan) { p.Budget = policy.BudgetConfig{Ratio: 0.001} }
	breaker := func(p *policy.Plan) {
		p.Retry = policy.Retry{}
		p.Breaker = policy.BreakerConfig{
			Mode: policy.BreakerOn, WindowCalls: 10, WindowAge: time.Minute, MinCalls: 10, FailureRate: 1, Consecutive: 1,
			OpenFor: 10 * time.Second, OpenMax: 10 * time.Second, Probes: 1, CloseAfter: 1,
		}
	}
	tests := []struct {
		name   string
		change func(*policy.Plan)
		calls  int
		stop   bool
		after  []string
	}{
		{"the calls failed", nil, 1, false, []string{""}},
		{"the budget is gone", budget, 9, true, []string{""}},
		{"the breaker is open", breaker, 2, true, []string{"10", "11", "12", "13"}}, // jittered
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBelow(t, tt.change)
				in := inbound.New(inbound.Config{})
				h := in.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					err := b.call(r.Context())
					inbound.Mark(w, err)
					http.Error(w, "no answer", http.StatusServiceUnavailable)
				}))
				var w *httptest.ResponseRecorder
				for range tt.calls {
					w = ask(h)
				}
				if got := w.Header().Get("X-Resgen-Do-Not-Retry") == "1"; got != tt.stop {
					t.Errorf("do not retry = %v, want %v", got, tt.stop)
				}
				after := w.Header().Get("Retry-After")
				if !slices.Contains(tt.after, after) {
					t.Errorf("Retry-After: %q, want one of %q", after, tt.after)
				}
			})
		})
	}
}

// What a target below says goes on to whoever is above, or each layer tries again what the one below has given up.
func TestT38_TheMarkGoesUp(t *testing.T) {
	t.Parallel()
	marked := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Resgen-Do-Not-Retry", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	requests := 0
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		marked(w, r)
	}))
	defer target.Close()
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "next", BaseURL: target.URL})
	op := h.Operation(policy.Plan{
		Operation: "Ask", Idempotency: policy.Safe,
		Retry: policy.Retry{Attempts: 3, On: []policy.Kind{policy.KindTransient}, Backoff: policy.Backoff{Base: 1, Max: 1}},
	})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	_, err := runtime.Do(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (struct{}, error) {
		return runtime.Send(ctx, h, at, wire.NewRequest(http.MethodGet, "/"), func(r *wire.Response) (struct{}, error) {
			return struct{}{}, r.Unexpected()
		})
	})
	if requests != 1 {
		t.Errorf("%d requests to a target that asks not to be tried again", requests)
	}
	if stop, _ := inbound.Advice(err); !stop {
		t.Errorf("the mark is lost: %v", err)
	}
}

func TestAdviceOfOtherErrors(t *testing.T) {
	t.Parallel()
	for _, err := range []error{nil, errors.New("x"), &wire.StatusError{Status: 503}} {
		if stop, wait := inbound.Advice(err); stop || wait != 0 {
			t.Errorf("Advice(%v) = %v, %s", err, stop, wait)
		}
	}
	wrapped := fmt.Errorf("ask: %w", &runtime.Error{Kind: policy.KindThrottle, NotBefore: time.Now().Add(time.Hour)})
	if stop, wait := inbound.Advice(wrapped); stop || wait < 59*time.Minute {
		t.Errorf("Advice(%v) = %v, %s", strings.TrimSpace(wrapped.Error()), stop, wait)
	}
}

// What one user was answered is not given to another, once the handler knows who asks.
func TestSubjectsAreKeptApart(t *testing.T) {
	t.Parallel()
	plan := policy.Plan{Operation: "Ask", Idempotency: policy.Safe, Cache: policy.CacheConfig{On: true, TTL: time.Hour}}
	op, err := runtime.NewOperation(runtime.NewGroup(), "llm", plan, runtime.Wiring{Store: cache.New(cache.Config{})})
	if err != nil {
		t.Fatal(err)
	}
	attempts := 0
	in := inbound.New(inbound.Config{Subject: func(r *http.Request) string { return r.Header.Get("User") }})
	h := in.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = runtime.Do(r.Context(), op, func(_ context.Context, at runtime.Attempt) (string, error) {
			return runtime.Remember(at, func() (string, error) {
				attempts++
				return "yours", nil
			})
		}, runtime.Args("what do I owe?"))
	}))
	for _, user := range []string{"ada", "ada", "bob", "", "ada", ""} {
		ask(h, "User", user)
	}
	if attempts != 3 {
		t.Errorf("%d attempts for two users and nobody", attempts)
	}
}
