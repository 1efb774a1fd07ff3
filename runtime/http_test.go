package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// seen is a target in memory that keeps what it was asked.
type seen struct {
	requests []*http.Request
	respond  func(*http.Request) (*http.Response, error)
}

func (s *seen) RoundTrip(r *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, r)
	if s.respond != nil {
		return s.respond(r)
	}
	return reply(200, `{"name":"a"}`)(r)
}

func (s *seen) client() *http.Client { return &http.Client{Transport: s} }

func spec() runtime.HTTPSpec {
	return runtime.HTTPSpec{
		Name: "shop", BaseURL: "http://one/v1",
		Targets: []policy.Target{{Name: "two", BaseURL: "http://two"}, {Name: "three"}, {Name: "ours", BaseURL: "http://ours", Internal: true}},
		Schemes: []wire.Scheme{{Name: "bearer", Kind: wire.Bearer}, {Name: "basic", Kind: wire.Basic}},
	}
}

// call makes one attempt at the target of a rung by hand.
func call(ctx context.Context, h *runtime.HTTP, at runtime.Attempt) error {
	r := wire.NewRequest("GET", "/things")
	r.Security([]string{"bearer"}, []string{"basic"})
	_, err := runtime.Send(ctx, h, at, r, wire.JSON[thing])
	return err
}

// What is missing is an error of the client, all of it at once, before the first call.
func TestErrSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	to := func(target string) policy.Plan { return plan(ladder(other(target))) }
	streaming := plan(func(p *policy.Plan) { p.Stream.Format = policy.SSE })
	slow := &http.Client{Timeout: time.Second}
	tests := map[string]struct {
		spec runtime.HTTPSpec
		plan policy.Plan
		opts []runtime.ClientOption
		wire func(*runtime.HTTP)
		want string // empty: nothing is wrong
	}{
		"nothing":               {spec: spec(), plan: plan()},
		"no address":            {spec: runtime.HTTPSpec{Name: "shop"}, plan: plan(), want: `shop: target "primary": it has no address: give it one with WithBaseURL`},
		"address by option":     {spec: runtime.HTTPSpec{Name: "shop"}, plan: plan(), opts: []runtime.ClientOption{runtime.WithBaseURL("http://h")}},
		"address of a target":   {spec: runtime.HTTPSpec{Name: "shop", Targets: []policy.Target{{Name: "primary", BaseURL: "http://h"}}}, plan: plan()},
		"no URL":                {spec: spec(), plan: plan(), opts: []runtime.ClientOption{runtime.WithBaseURL("h:8080/v1")}, want: `shop: target "primary": base URL: it must begin with http:// or https:// and name a host`},
		"second, no address":    {spec: spec(), plan: to("three"), want: `shop: target "three": it has no address: give it one with WithBaseURL`},
		"second, by option":     {spec: spec(), plan: to("three"), opts: []runtime.ClientOption{runtime.WithTarget("three", runtime.WithBaseURL("http://h"))}},
		"unused, no address":    {spec: spec(), plan: to("two")},
		"rung without target":   {spec: spec(), plan: to("four"), want: `shop: Get: there is no target "four"`},
		"option without target": {spec: spec(), plan: plan(), opts: []runtime.ClientOption{runtime.WithTarget("four")}, want: `shop: WithTarget: there is no target "four"`},
		"not wired":             {spec: spec(), plan: plan(), wire: func(h *runtime.HTTP) { runtime.Wired[func() int](h, "f") }, want: `shop: "f" is not wired: a rung needs it: give the client WithWired, or its own option of that name, with func() int`},
		"wired otherwise":       {spec: spec(), plan: plan(), opts: []runtime.ClientOption{runtime.WithWired("f", 1)}, wire: func(h *runtime.HTTP) { runtime.Wired[string](h, "f") }, want: `shop: "f" is wired as int: a rung needs string`},
		"wired nil":             {spec: spec(), plan: plan(), opts: []runtime.ClientOption{runtime.WithWired("f", (func() int)(nil))}, wire: func(h *runtime.HTTP) { runtime.Wired[func() int](h, "f") }, want: `shop: "f" is wired as nil: a rung needs func() int`},
		"wired nil value":       {spec: spec(), plan: plan(), opts: []runtime.ClientOption{runtime.WithWired("f", (*int)(nil))}, wire: func(h *runtime.HTTP) { runtime.Wired[*int](h, "f") }, want: `shop: "f" is wired as nil: a rung needs *int`},
		"timeout":               {spec: spec(), plan: streaming, opts: []runtime.ClientOption{runtime.WithHTTPClient(slow)}, want: `shop: target "primary": the http.Client has a Timeout, which would cut streams: leave it 0, the policies bound every call`},
		"timeout of a target":   {spec: spec(), plan: streaming, opts: []runtime.ClientOption{runtime.WithTarget("two", runtime.WithHTTPClient(slow))}},
		"timeout, no streams":   {spec: spec(), plan: plan(), opts: []runtime.ClientOption{runtime.WithHTTPClient(slow)}},
		"no key func":           {spec: spec(), plan: plan(keyed, func(p *policy.Plan) { p.Key.Source, p.Key.From = policy.KeyFunc, "mint" }), want: `shop: shop.Get: the idempotency key comes from a function that was not wired: "mint"`},
		"several":               {spec: runtime.HTTPSpec{Name: "shop"}, plan: to("four"), want: "shop: Get: there is no target \"four\"\ntarget \"primary\": it has no address: give it one with WithBaseURL"},
		"nil options":           {spec: spec(), plan: plan(), opts: []runtime.ClientOption{nil, runtime.WithObserver(nil), runtime.WithGroup(nil), runtime.WithHTTPClient(nil), runtime.WithRequestEditor(nil), runtime.WithTarget("two", nil)}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := runtime.NewHTTP(tt.spec, tt.opts...)
			if op := h.Operation(tt.plan); op == nil {
				t.Error("the operation is nil")
			}
			if tt.wire != nil {
				tt.wire(h)
			}
			got := ""
			if err := errors.Join(h.Err()); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if again := h.Err(); (again == nil) != (tt.want == "") {
				t.Errorf("asked again: %v", again)
			}
		})
	}
}

// Address, credentials and editors of a target are its own; the http.Client and the limit serve those that have none.
func TestTargetsAreApart(t *testing.T) {
	t.Parallel()
	var shared, own seen
	mark := func(s string) func(*http.Request) error {
		return func(r *http.Request) error {
			r.Header.Add("X-Edited", s)
			return nil
		}
	}
	h := runtime.NewHTTP(spec(),
		runtime.WithHTTPClient(shared.client()), runtime.WithCredential("bearer", "t1"), runtime.WithRequestEditor(mark("1")), runtime.WithBodyLimit(9),
		runtime.WithTarget("two", runtime.WithRequestEditor(mark("2")), runtime.WithBasicCredential("basic", "u", "p"), runtime.WithBodyLimit(100)),
		runtime.WithTarget("three", runtime.WithBaseURL("http://three/x/"), runtime.WithHTTPClient(own.client()), runtime.WithCredentialFunc("bearer", func(context.Context) (string, error) { return "t3", nil })))
	h.Operation(plan(ladder(other("two"), other("three"))))
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	var limit *wire.LimitError
	if err := call(t.Context(), h, runtime.Attempt{}); !errors.As(err, &limit) || limit.Limit != 9 {
		t.Errorf("a body above the limit: %v", err)
	}
	for _, target := range []string{"two", "three"} {
		if err := call(t.Context(), h, runtime.Attempt{Target: target}); (err != nil) != (target == "three") {
			t.Errorf("%s: %v", target, err)
		}
	}
	var got []string
	for _, r := range append(shared.requests, own.requests...) {
		got = append(got, r.URL.String()+" "+r.Header.Get("Authorization")+" "+r.Header.Get("X-Edited"))
	}
	want := []string{"http://one/v1/things Bearer t1 1", "http://two/things Basic dTpw 2", "http://three/x/things Bearer t3 "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	for _, target := range []string{"ours", "nowhere"} { // the one is used by no operation, the other does not exist
		if err := call(t.Context(), h, runtime.Attempt{Target: target}); !errors.Is(err, wire.ErrRequest) || !strings.Contains(err.Error(), target) {
			t.Errorf("%s: %v", target, err)
		}
	}
}

// An option's address wins over what the document says for one operation; the document's own does not.
func TestServersOfOperations(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		opts   []runtime.ClientOption
		target string
		want   string
	}{
		{nil, "", "http://up/things"},
		{[]runtime.ClientOption{runtime.WithBaseURL("http://mine/")}, "", "http://mine/things"},
		{nil, "two", "http://two/things"},
	} {
		var s seen
		h := runtime.NewHTTP(spec(), append(tt.opts, runtime.WithHTTPClient(s.client()))...)
		h.Operation(plan(ladder(other("two"))))
		if err := h.Err(); err != nil {
			t.Fatal(err)
		}
		r := wire.NewRequest("GET", "/things")
		r.Server("http://up")
		if _, err := runtime.Send(t.Context(), h, runtime.Attempt{Target: tt.target}, r, wire.JSON[thing]); err != nil {
			t.Fatal(err)
		}
		if got := s.requests[0].URL.String(); got != tt.want {
			t.Errorf("sent to %s, want %s", got, tt.want)
		}
	}
}

func TestCredentialsCanBeTakenBack(t *testing.T) {
	t.Parallel()
	for _, none := range []runtime.Option{runtime.WithCredential("bearer", ""), runtime.WithCredentialFunc("bearer", nil)} {
		var s seen
		h := runtime.NewHTTP(spec(), runtime.WithHTTPClient(s.client()), runtime.WithCredential("bearer", "t"), none)
		h.Operation(plan())
		if err := errors.Join(h.Err(), call(t.Context(), h, runtime.Attempt{})); err != nil {
			t.Fatal(err)
		}
		if got := s.requests[0].Header.Get("Authorization"); got != "" {
			t.Errorf("sent %q", got)
		}
	}
}

func TestWired(t *testing.T) {
	t.Parallel()
	h := runtime.NewHTTP(spec(), runtime.WithWired("f", func() int { return 7 }), runtime.WithWired("v", "canned"))
	if f, v := runtime.Wired[func() int](h, "f"), runtime.Wired[string](h, "v"); f() != 7 || v != "canned" || h.Err() != nil {
		t.Errorf("%d, %q, %v", f(), v, h.Err())
	}
}
