// Package play_test drives the wrappers of the cases of interfaces, from the package of the interface and from another one.
package play_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"

	"cases.test/embed"
	"cases.test/embed/part"
	"cases.test/generic"
	otherembed "cases.test/other/embed"
	othergeneric "cases.test/other/generic"
	othershadow "cases.test/other/shadow"
	"cases.test/shadow"
)

// must returns a wrapper, or fails.
func must[T any](t *testing.T) func(T, error) T {
	return func(w T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
}

var errBusy = &runtime.Error{Kind: policy.KindTransient, Cause: errors.New("busy")}

type clock struct{ got []any }

func (c *clock) At(_ context.Context, u, at string) (*url.URL, error) {
	c.got = []any{u, at}
	return url.Parse(u)
}

func (c *clock) Wait(_ context.Context, d time.Duration) (time.Time, error) {
	return time.Unix(int64(d), 0), nil
}

func (c *clock) Send(_ context.Context, r *http.Request, j json.RawMessage, a, b int) (map[string]*http.Header, error) {
	c.got = []any{r, string(j), a, b}
	return map[string]*http.Header{}, nil
}

func TestC115_ParametersNamedLikePackages(t *testing.T) {
	for name, wrap := range map[string]func(shadow.Clock) shadow.Clock{
		"same": func(c shadow.Clock) shadow.Clock { return must[*shadow.ResilientClock](t)(shadow.NewResilientClock(c)) },
		"other": func(c shadow.Clock) shadow.Clock {
			return must[*othershadow.ResilientClock](t)(othershadow.NewResilientClock(c))
		},
	} {
		inner := &clock{}
		w := wrap(inner)
		u, err := w.At(t.Context(), "http://a/b", "noon")
		if err != nil || u.Host != "a" || !reflect.DeepEqual(inner.got, []any{"http://a/b", "noon"}) {
			t.Errorf("%s: %v, %v; got %v", name, u, err, inner.got)
		}
		if at, err := w.Wait(t.Context(), 7); err != nil || at.Unix() != 7 {
			t.Errorf("%s: %v, %v", name, at, err)
		}
		r, _ := http.NewRequest(http.MethodGet, "http://a", nil)
		if _, err := w.Send(t.Context(), r, json.RawMessage("{}"), 1, 2); err != nil || !reflect.DeepEqual(inner.got, []any{r, "{}", 1, 2}) {
			t.Errorf("%s: %v; got %v", name, err, inner.got)
		}
	}
}

type words struct{}

func (words) A(_ context.Context, ret int, err string, w []byte, v bool, values any, at, res int, fn func() int) ([]any, error) {
	return []any{ret, err, string(w), v, values, at, res, fn()}, nil
}

func (words) B(_ context.Context, next string, opts []string, wiring map[string]int, name, call, zero, in, inner int) ([]any, error) {
	return []any{next, opts[0], wiring["a"], name, call, zero, in, inner}, nil
}

func (words) C(_ context.Context, a string, b int, c bool, d []int, e any, f error, g uint8, h int) ([]any, error) {
	return []any{a, b, c, d[0], e, f, g, h}, nil
}

func (words) D(_, other context.Context, a, b, c, d, e, f int) ([]any, error) {
	return []any{other.Value(key{}), a, b, c, d, e, f}, nil
}

func (words) E(_ context.Context, a int, b string, c ...error) ([]any, error) {
	return []any{a, b, len(c)}, nil
}

type key struct{}

func TestC116_ParametersNamedLikeLocals(t *testing.T) {
	for name, w := range map[string]shadow.Words{
		"same":  must[*shadow.ResilientWords](t)(shadow.NewResilientWords(words{})),
		"other": must[*othershadow.ResilientWords](t)(othershadow.NewResilientWords(words{})),
	} {
		ctx := t.Context()
		check := func(got []any, err error, want ...any) {
			t.Helper()
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %v, %v; want %v", name, got, err, want)
			}
		}
		got, err := w.A(ctx, 1, "2", []byte("3"), true, 5, 6, 7, func() int { return 8 })
		check(got, err, 1, "2", "3", true, 5, 6, 7, 8)
		got, err = w.B(ctx, "1", []string{"2"}, map[string]int{"a": 3}, 4, 5, 6, 7, 8)
		check(got, err, "1", "2", 3, 4, 5, 6, 7, 8)
		got, err = w.C(ctx, "1", 2, true, []int{4}, 5, io.EOF, 7, 8)
		check(got, err, "1", 2, true, 4, 5, io.EOF, uint8(7), 8)
		got, err = w.D(ctx, context.WithValue(ctx, key{}, "other"), 1, 2, 3, 4, 5, 6)
		check(got, err, "other", 1, 2, 3, 4, 5, 6)
		got, err = w.E(ctx, 1, "2", nil, io.EOF)
		check(got, err, 1, "2", 2)
	}
}

type results struct{ calls int }

func (r *results) Count(context.Context, string) (int, error) { r.calls++; return r.calls, errBusy }
func (*results) Span(context.Context) (time.Time, time.Duration, error) {
	return time.Unix(1, 0), 2, nil
}

func (*results) Derive(parent context.Context) (context.Context, context.CancelFunc, error) {
	ctx, cancel := context.WithCancel(parent)
	return ctx, cancel, nil
}

func (r *results) Pair(_ context.Context, a int) (int, bool, string, error) {
	r.calls++
	if r.calls == 1 {
		return -1, false, "first", errBusy
	}
	return a, true, "second", nil
}
func (*results) Odd(_ context.Context, err error) error { return err }
func (*results) Same(_ context.Context, x int) (int, int, int, error) {
	return x, x + 1, x + 2, nil
}

func TestC118_NamedAndBlankResults(t *testing.T) {
	ctx := t.Context()
	inner := &results{}
	w := must[*shadow.ResilientResults](t)(shadow.NewResilientResults(inner))
	if n, err := w.Count(ctx, "q"); n != 0 || !errors.Is(err, errBusy.Cause) || inner.calls != 2 {
		t.Errorf("exhausted retries give %d, %v after %d calls; want the zero value and the last error", n, err, inner.calls)
	}
	inner.calls = 0
	if b, ok, text, err := w.Pair(ctx, 5); b != 5 || !ok || text != "second" || err != nil {
		t.Errorf("got %d, %t, %q, %v", b, ok, text, err)
	}
	if at, d, err := w.Span(ctx); at.Unix() != 1 || d != 2 || err != nil {
		t.Errorf("got %v, %v, %v", at, d, err)
	}
	derived, cancel, err := w.Derive(ctx)
	if err != nil || derived.Err() != nil {
		t.Errorf("a derived context is over when the method returns: %v, %v", derived.Err(), err)
	}
	if cancel(); derived.Err() == nil {
		t.Error("cancel does nothing")
	}
	if err := w.Odd(ctx, io.EOF); !errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
	if a, b, c, err := w.Same(ctx, 1); a != 1 || b != 2 || c != 3 || err != nil {
		t.Errorf("got %d, %d, %d, %v", a, b, c, err)
	}
}

type rest struct {
	args  []any
	fails bool
}

func (r *rest) Exec(_ context.Context, _ string, args ...any) (int64, error) {
	r.args = append([]any(nil), args...)
	if len(args) > 0 {
		args[0] = "changed"
	}
	if r.fails {
		r.fails = false
		return 0, errBusy
	}
	return int64(len(args)), nil
}
func (r *rest) Log(args ...any) { r.args = args }
func (r *rest) With(_ context.Context, opts ...shadow.Opt) error {
	r.args = []any{len(opts)}
	return nil
}
func (*rest) Bytes(_ context.Context, p ...[]byte) ([]byte, error) { return bytes.Join(p, nil), nil }
func (*rest) Chans(context.Context, ...<-chan int) error           { return nil }
func (*rest) Funcs(ctx context.Context, fs ...func(context.Context, ...string) error) error {
	return fs[0](ctx, "a", "b")
}

func TestC119_VariadicsStayVariadic(t *testing.T) {
	inner := &rest{}
	for name, w := range map[string]shadow.Rest{
		"same":  must[*shadow.ResilientRest](t)(shadow.NewResilientRest(inner)),
		"other": must[*othershadow.ResilientRest](t)(othershadow.NewResilientRest(inner)),
	} {
		for _, args := range [][]any{nil, {1}, {1, "2", nil}} {
			if n, err := w.Exec(t.Context(), "q", args...); err != nil || int(n) != len(args) {
				t.Errorf("%s: %v: inner saw %d arguments, %v", name, args, n, err)
			}
		}
		inner.fails = true
		mine := []any{"mine"}
		if _, err := w.Exec(t.Context(), "q", mine...); err != nil && name == "same" || inner.args[0] != "mine" || mine[0] != "mine" {
			t.Errorf("%s: after a first attempt that changed its slice, inner saw %v, the caller %v; %v", name, inner.args, mine, err)
		}
		inner.fails = false
		if w.Log(1, 2); !reflect.DeepEqual(inner.args, []any{1, 2}) {
			t.Errorf("%s: Log got %v", name, inner.args)
		}
		if err := w.With(t.Context()); err != nil || inner.args[0] != 0 {
			t.Errorf("%s: With got %v", name, inner.args)
		}
		if b, err := w.Bytes(t.Context(), []byte("a"), []byte("b")); string(b) != "ab" || err != nil {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		got := ""
		err := w.Funcs(t.Context(), func(_ context.Context, s ...string) error { got = strings.Join(s, ""); return nil })
		if err != nil || got != "ab" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

type all struct {
	items, deeps int
}

func (*all) A(context.Context) error                             { return nil }
func (*all) B(_ context.Context, k part.Key) (part.Value, error) { return part.Value{N: len(k)}, nil }
func (*all) C(_ context.Context, v ...part.Value) (map[part.Key]*part.Value, error) {
	return map[part.Key]*part.Value{"n": {N: len(v)}}, nil
}
func (*all) Close(context.Context) error { return nil }
func (a *all) Item(context.Context, part.Key) (*part.Value, error) {
	if a.items++; a.items < 3 {
		return nil, errBusy
	}
	return &part.Value{N: a.items}, nil
}

func (a *all) Deep(_ context.Context, f func(part.Key) part.Value) ([]part.Key, error) {
	if a.deeps++; a.deeps < 2 {
		return nil, errBusy
	}
	f("k")
	return []part.Key{"k"}, nil
}

func TestC121_EmbeddedMethodsAndWhatIsSaidOfThem(t *testing.T) {
	for name, wrap := range map[string]func(embed.All) (embed.All, error){
		"same":  func(a embed.All) (embed.All, error) { return embed.NewResilientAll(a) },
		"other": func(a embed.All) (embed.All, error) { return otherembed.NewResilientAll(a) },
	} {
		inner := &all{}
		w := must[embed.All](t)(wrap(inner))
		if v, err := w.Item(t.Context(), "k"); err != nil || v.N != 3 {
			t.Errorf("%s: what the type says of an embedded method does not hold: %v, %v", name, v, err)
		}
		if ks, err := w.Deep(t.Context(), func(part.Key) part.Value { return part.Value{} }); err != nil || len(ks) != 1 || inner.deeps != 2 {
			t.Errorf("%s: what an embedded method says of itself does not hold: %v, %v", name, ks, err)
		}
		if v, err := w.B(t.Context(), "abc"); err != nil || v.N != 3 {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		if m, err := w.C(t.Context(), part.Value{}, part.Value{}); err != nil || m["n"].N != 2 {
			t.Errorf("%s: %v, %v", name, m, err)
		}
		if err := errors.Join(w.A(t.Context()), w.Close(t.Context())); err != nil {
			t.Error(err)
		}
	}
}

type user struct{ id int }

func (u user) Key() int { return u.id }

type repo struct{ generic.Repo[user, int] }

func (repo) Find(_ context.Context, id int) (*user, error) {
	if id < 0 {
		return &user{}, errors.New("no")
	}
	return &user{id}, nil
}
func (repo) Get(_ context.Context, _ int, u user) (user, error)       { return u, errors.New("no") }
func (repo) Put(_ context.Context, _ int, _ user, more ...user) error { more[0].id = 9; return nil }

type id int

func (id) String() string { return "" }

type sum struct{}

func (sum) Sum(_ context.Context, l []float64) (s float64, _ error) {
	for _, x := range l {
		s += x
	}
	return s, nil
}

func TestC122_GenericInterfaces(t *testing.T) {
	for name, w := range map[string]generic.Repo[user, int]{
		"same":  must[*generic.ResilientRepo[user, int]](t)(generic.NewResilientRepo(generic.Repo[user, int](repo{}))),
		"other": must[*othergeneric.ResilientRepo[user, int]](t)(othergeneric.NewResilientRepo(generic.Repo[user, int](repo{}))),
	} {
		if u, err := w.Find(t.Context(), 3); err != nil || u.id != 3 {
			t.Errorf("%s: %v, %v", name, u, err)
		}
		if u, err := w.Find(t.Context(), -1); err == nil || u != nil {
			t.Errorf("%s: a failure gives %v, %v; want nil", name, u, err)
		}
		if u, err := w.Get(t.Context(), 1, user{5}); err == nil || u != (user{}) {
			t.Errorf("%s: a failure gives %v, %v; want the zero value", name, u, err)
		}
		if err := w.Put(t.Context(), 1, user{}, user{}); err != nil {
			t.Error(err)
		}
	}
	var s generic.Sum[float64, []float64, id] = must[*generic.ResilientSum[float64, []float64, id]](t)(
		generic.NewResilientSum[float64, []float64, id](generic.Sum[float64, []float64, id](sum{})))
	if got, err := s.Sum(t.Context(), []float64{1, 2}); got != 3 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
