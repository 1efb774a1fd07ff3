package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
)

// getter is an interface to be wrapped, as a function.
type getter interface {
	Get(ctx context.Context, id string) (string, error)
}

type getterFunc func(ctx context.Context, id string) (string, error)

func (f getterFunc) Get(ctx context.Context, id string) (string, error) { return f(ctx, id) }

type getterOption func(*runtime.Wrapper)

// wrapped is what a generated wrapper looks like.
type wrapped struct {
	next, secondary getter
	search          func(ctx context.Context, id string) (string, error)
	get             *runtime.Operation
}

func wrap(next getter, p policy.Plan, classify func(error) policy.Kind, opts ...getterOption) (*wrapped, error) {
	spec := runtime.WrapperSpec{Name: "Getter", Targets: []policy.Target{{Name: policy.PrimaryTarget}, {Name: "secondary"}}}
	w := runtime.NewWrapper(spec, next, opts...)
	g := &wrapped{
		next: next, secondary: runtime.WiredTarget[getter](w, "secondary"), get: w.Operation(p, classify),
	}
	for _, r := range p.Fallback.Rungs {
		if r.Sort == policy.RungFunc {
			g.search = runtime.Wired[func(context.Context, string) (string, error)](w, "search")
		}
	}
	if err := w.Err(); err != nil {
		return nil, err
	}
	return g, nil
}

func (g *wrapped) Get(ctx context.Context, id string) (string, error) {
	return runtime.Do(ctx, g.get, func(ctx context.Context, at runtime.Attempt) (string, error) {
		switch {
		case at.Rung == 2:
			return g.search(ctx, id)
		case at.Target == "secondary":
			return g.secondary.Get(ctx, id)
		}
		return runtime.Remember(at, func() (string, error) { return g.next.Get(ctx, id) })
	}, runtime.Args(id))
}

func withSecondary(g getter) getterOption {
	return func(w *runtime.Wrapper) { w.WireTarget("secondary", g) }
}

func withRuntime(opts ...runtime.WrapperOption) getterOption {
	return func(w *runtime.Wrapper) { w.Apply(opts...) }
}

func search(text string) getterOption {
	return func(w *runtime.Wrapper) {
		w.Wire("search", func(ctx context.Context, _ string) (string, error) {
			return fmt.Sprintf("%s, as: %v", text, runtime.FallbackCause(ctx)), nil
		})
	}
}

func failing(with error) getterFunc {
	return func(context.Context, string) (string, error) { return "", with }
}

func answering(with string) getterFunc {
	return func(context.Context, string) (string, error) { return with, nil }
}

func twoRungs() policy.Plan {
	return plan(ladder(other("secondary"), policy.Rung{
		Name: "search", Sort: policy.RungFunc, Func: "search", When: anyKind(), Level: policy.Reduced,
	}))
}

// TestAWrapperIsCheckedWhenItIsMade makes wrappers that lack something, or have too much.
func TestAWrapperIsCheckedWhenItIsMade(t *testing.T) {
	t.Parallel()
	broken := plan(func(p *policy.Plan) { p.Retry.Attempts = -1 })
	for name, c := range map[string]struct {
		next getter
		plan policy.Plan
		opts []getterOption
		want []string
	}{
		"all is well":         {answering(""), twoRungs(), []getterOption{withSecondary(answering("")), search(""), nil}, nil},
		"no ladder":           {answering(""), plan(), nil, nil},
		"nothing to wrap":     {nil, plan(), nil, []string{"the value to be wrapped is nil"}},
		"no target":           {answering(""), twoRungs(), []getterOption{search("")}, []string{`Get: target "secondary" is not wired`}},
		"a nil target":        {answering(""), twoRungs(), []getterOption{withSecondary(nil), search("")}, []string{`target "secondary" is nil`}},
		"no function":         {answering(""), twoRungs(), []getterOption{withSecondary(answering(""))}, []string{`"search" is not wired`, "give the wrapper its option"}},
		"a wrong function":    {answering(""), twoRungs(), []getterOption{withSecondary(answering("")), func(w *runtime.Wrapper) { w.Wire("search", 3) }}, []string{`"search" is wired as int`}},
		"an unknown target":   {answering(""), plan(), []getterOption{func(w *runtime.Wrapper) { w.WireTarget("tertiary", answering("")) }}, []string{`there is no target "tertiary"`}},
		"a target of no use":  {answering(""), plan(), []getterOption{func(w *runtime.Wrapper) { w.WireTarget("secondary", 3) }}, []string{`target "secondary" is a int: it must be runtime_test.getter`}},
		"a plan that is none": {answering(""), broken, nil, []string{"retry.attempts"}},
		"a key from nowhere": {answering(""), plan(func(p *policy.Plan) {
			p.Idempotency, p.Key = policy.Keyed, policy.Key{Source: policy.KeyFunc, From: "mint"}
			p.Retry.On = policy.RetryOn(policy.Keyed)
		}), nil, []string{`the idempotency key comes from a function that was not wired: "mint"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := wrap(c.next, c.plan, nil, c.opts...)
			if (err == nil) != (len(c.want) == 0) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "Getter: ") {
					t.Errorf("got %v, want it to say %q", err, want)
				}
			}
		})
	}
}

// TestCaptureTellsOfDegradedAnswers has the rungs of a wrapper answer, whose methods cannot say so.
func TestCaptureTellsOfDegradedAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next, secondary getter
		want            runtime.Meta
		answer          string
		cause           bool
	}{
		"the operation itself": {answering("a"), failing(errGone), runtime.Meta{Attempts: 1, Target: "primary"}, "a", false},
		"another target": {failing(io.EOF), answering("b"), runtime.Meta{
			Attempts: 4, Rung: "secondary", Target: "secondary", Level: policy.Alternate, Degraded: true, Reason: policy.KindReset, Elapsed: 200 * ms,
		}, "b", true},
		"a function": {failing(errGone), failing(errGone), runtime.Meta{
			Attempts: 3, Rung: "search", Level: policy.Reduced, Degraded: true, Reason: policy.KindPermanent,
		}, "found", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g, err := wrap(c.next, twoRungs(), nil, withSecondary(c.secondary), search("found"))
				if err != nil {
					t.Fatal(err)
				}
				meta := runtime.Meta{Broke: errGone, Rung: "of another call"}
				got, err := g.Get(runtime.Capture(t.Context(), &meta), "1")
				if err != nil || !strings.HasPrefix(got, c.answer) {
					t.Errorf("got %q, %v", got, err)
				}
				if (meta.Cause != nil) != c.cause {
					t.Errorf("cause %v, want one: %t", meta.Cause, c.cause)
				}
				if c.answer == "found" && !errors.Is(meta.Cause, errGone) {
					t.Errorf("cause %v, want it to hold what the rungs failed with", meta.Cause)
				}
				if diff := cmp.Diff(c.want, meta, cmpopts.IgnoreFields(runtime.Meta{}, "Cause")); diff != "" {
					t.Errorf("meta (-want +got):\n%s", diff)
				}
			})
		})
	}
	g, err := wrap(failing(errGone), plan(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var meta runtime.Meta
	_, err = g.Get(runtime.Capture(t.Context(), &meta), "1")
	if !errors.Is(meta.Cause, errGone) || meta.Cause.Error() != err.Error() {
		t.Errorf("of a call that failed with %v the cause is %v", err, meta.Cause)
	}
}

// TestWhatAGoErrorIs has errors of methods classified: by the wrapper's own function first, by what they hold else.
func TestWhatAGoErrorIs(t *testing.T) {
	t.Parallel()
	errBusy, errMissing := errors.New("busy"), errors.New("missing")
	classify := func(err error) policy.Kind {
		switch {
		case errors.Is(err, errBusy):
			return policy.KindTransient
		case errors.Is(err, errMissing):
			return policy.KindCaller
		}
		return policy.KindNone
	}
	open := &runtime.Error{Operation: "inner.Get", Kind: policy.KindBreakerOpen}
	throttled := &runtime.Error{Operation: "inner.Get", Kind: policy.KindThrottle}
	for name, c := range map[string]struct {
		err      error
		kind     policy.Kind
		attempts int
		acted    bool
	}{
		"busy":                         {fmt.Errorf("get: %w", errBusy), policy.KindTransient, 3, true},
		"missing":                      {errMissing, policy.KindCaller, 1, true},
		"nobody knows":                 {errGone, policy.KindPermanent, 1, true},
		"a call inside":                {fmt.Errorf("get: %w", open), policy.KindBreakerOpen, 1, false},
		"a call inside, throttled":     {throttled, policy.KindThrottle, 3, false},
		"a call inside, but it's busy": {errors.Join(errBusy, open), policy.KindTransient, 3, false},
		"a timeout of somebody's":      {context.DeadlineExceeded, policy.KindTimeout, 3, true},
		"a connection that broke":      {io.ErrUnexpectedEOF, policy.KindReset, 3, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g, err := wrap(failing(c.err), plan(), classify)
				if err != nil {
					t.Fatal(err)
				}
				_, err = g.Get(t.Context(), "1")
				var e *runtime.Error
				if !errors.As(err, &e) || !errors.Is(err, c.err) {
					t.Fatalf("got %v", err)
				}
				if e.Kind != c.kind || e.Attempts != c.attempts || e.MayHaveActed != c.acted {
					t.Errorf("%s after %d attempts, acted: %t; want %s after %d, %t", e.Kind, e.Attempts, e.MayHaveActed, c.kind, c.attempts, c.acted)
				}
			})
		})
	}
}

// TestAClassifierDoesNotHideWhoseTimeIsOver says of every error that it is the caller's: an attempt whose time is over, and a caller who
// has gone, are what they are.
func TestAClassifierDoesNotHideWhoseTimeIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		waits := getterFunc(func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			return "", fmt.Errorf("get: %w", ctx.Err())
		})
		g, err := wrap(waits, once(func(p *policy.Plan) { p.Timeout.Attempt = time.Second }), func(error) policy.Kind { return policy.KindCaller })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Get(t.Context(), "1"); runtime.KindOf(err) != policy.KindTimeout {
			t.Errorf("after the time of the attempt: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(ms, cancel)
		if _, err := g.Get(ctx, "1"); runtime.KindOf(err) != policy.KindCanceled {
			t.Errorf("after the caller's cancel: %v", err)
		}
	})
}

// TestACacheInFrontOfAGoMethod asks the same twice, something else, for somebody else, and in an outage.
func TestACacheInFrontOfAGoMethod(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		down := false
		next := getterFunc(func(_ context.Context, id string) (string, error) {
			if down {
				return "", errGone
			}
			return fmt.Sprintf("%s %d", id, asked.Add(1)), nil
		})
		p := plan(ladder(policy.Rung{Name: "remembered", Sort: policy.RungCache, When: anyKind(), Level: policy.Stale}), func(p *policy.Plan) {
			p.Cache = policy.CacheConfig{On: true, TTL: time.Minute, StaleIfError: time.Hour}
		})
		g, err := wrap(next, p, nil, withRuntime(runtime.WithStore(cache.New(cache.Config{}))))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			id, tenant, want string
			rung             string
			prepare          func()
		}{
			{id: "a", want: "a 1"},
			{id: "a", want: "a 1"},
			{id: "b", want: "b 2"},
			{id: "a", tenant: "t", want: "a 3"},
			{id: "a", want: "a 4", prepare: func() { sleep(2 * time.Minute) }},
			{id: "a", want: "a 4", rung: "remembered", prepare: func() { down = true; sleep(2 * time.Minute) }},
		} {
			if c.prepare != nil {
				c.prepare()
			}
			var meta runtime.Meta
			got, err := g.Get(runtime.Capture(runtime.WithTenant(t.Context(), c.tenant), &meta), c.id)
			if got != c.want || err != nil || meta.Rung != c.rung {
				t.Errorf("%+v: got %q by %q, %v", c, got, meta.Rung, err)
			}
		}
		if _, err := g.Get(t.Context(), "never"); !errors.Is(err, errGone) {
			t.Errorf("what was never asked: %v", err)
		}
	})
}

// TestArgs says what tells calls apart.
func TestArgs(t *testing.T) {
	t.Parallel()
	type query struct {
		Text  string `json:"text"`
		Limit *int   `json:"limit"`
	}
	three := 3
	key := func(pointers []string, args ...any) string {
		k, ok := runtime.Args(args...).CacheKey(pointers)
		if !ok {
			return "none"
		}
		return k
	}
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"equal":                {key(nil, "a", 1), key(nil, "a", 1), true},
		"another value":        {key(nil, "a", 1), key(nil, "a", 2), false},
		"another order":        {key(nil, "a", "b"), key(nil, "b", "a"), false},
		"one or two":           {key(nil, "a,b"), key(nil, "a", "b"), false},
		"nil and empty":        {key(nil, []string(nil)), key(nil, []string{}), false},
		"maps have no order":   {key(nil, map[string]int{"a": 1, "b": 2}), key(nil, map[string]int{"b": 2, "a": 1}), true},
		"behind a pointer":     {key(nil, query{"a", &three}), key(nil, query{"a", nil}), false},
		"only what is pointed": {key([]string{"/0/text"}, query{"a", &three}), key([]string{"/0/text"}, query{"a", nil}), true},
		"no JSON":              {key(nil, func() {}), "none", true},
	} {
		if (c.a == c.b) != c.same {
			t.Errorf("%s: %q and %q, want them equal: %t", name, c.a, c.b, c.same)
		}
	}
	in := runtime.Args("a", query{"b", &three})
	if n, ok := in.Number("/1/limit"); n != 3 || !ok {
		t.Errorf("Number is %v, %t", n, ok)
	}
	if want := len(`["a",{"text":"b","limit":3}]`); in.Size() != want {
		t.Errorf("Size is %d, want %d", in.Size(), want)
	}
}

// TestTheKeyOfAnAttempt is in its context: one for all attempts at a target, another for another target; the caller's own as it is.
func TestTheKeyOfAnAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var keys []string
		notes := getterFunc(func(ctx context.Context, _ string) (string, error) {
			keys = append(keys, runtime.IdempotencyKey(ctx))
			return "", io.ErrUnexpectedEOF
		})
		p := plan(ladder(other("secondary")), func(p *policy.Plan) {
			p.Idempotency, p.Retry.Attempts, p.Retry.On = policy.Keyed, 2, policy.RetryOn(policy.Keyed)
			p.Fallback.Rungs[0].MayDuplicate = "the other one knows the same orders"
		})
		g, err := wrap(notes, p, nil, withSecondary(notes))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Get(runtime.WithIdempotencyKey(t.Context(), "mine"), "1"); err == nil {
			t.Error("it did not fail")
		}
		if len(keys) < 3 || keys[0] != "mine" || keys[1] != "mine" || keys[2] == "mine" || keys[2] == "" {
			t.Errorf("keys %q", keys)
		}
		keys = nil
		_, _ = g.Get(t.Context(), "1")
		if len(keys) < 3 || len(keys[0]) != 36 || keys[0] != keys[1] || keys[0] == keys[2] {
			t.Errorf("minted keys %q", keys)
		}
		if k := runtime.IdempotencyKey(t.Context()); k != "" {
			t.Errorf("outside of an attempt: %q", k)
		}
	})
}

// TestKeepKeepsTheContext has an answer that uses its context when the call is over.
func TestKeepKeepsTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, plan(func(p *policy.Plan) { p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 1} }), new(runtimetest.Recorder))
		ctx, cancel := context.WithCancel(t.Context())
		made := 0
		next, err := runtime.Keep(ctx, op, func(ctx context.Context, _ runtime.Attempt) (func() error, error) {
			if made++; made == 1 {
				return nil, io.ErrUnexpectedEOF
			}
			return ctx.Err, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 {
			t.Errorf("%d permits are held, want none", m.Bulkhead.InFlight)
		}
		sleep(time.Hour) // far beyond the time of an attempt, and of the call
		if err := next(); err != nil {
			t.Errorf("its context has ended: %v", err)
		}
		cancel()
		if err := next(); !errors.Is(err, context.Canceled) {
			t.Errorf("its context goes on when the caller's has ended: %v", err)
		}
	})
}
