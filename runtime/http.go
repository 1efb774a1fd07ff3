package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// HTTPSpec is what a document says of an API as a whole, and what policies name. Generated code holds it as a literal.
type HTTPSpec struct {
	// Name is the client's name: the prefix of errors, events and breakers.
	Name string
	// BaseURL is the address of the primary target where no option gives one. Empty: an option must.
	BaseURL string
	// Targets are the targets that policies name. The primary one need not be among them.
	Targets []policy.Target
	// Schemes are the security schemes.
	Schemes []wire.Scheme
}

// HTTP is the HTTP side of a client: its targets, each with an address, credentials and connections of its own, and what was wired.
// Make it with NewHTTP, then its operations, then ask Err; after that it does not change. Sending is safe for concurrent use.
type HTTP struct {
	spec     HTTPSpec
	group    *Group
	observer Observer
	chaos    Chaos // nil where no fault is made up
	wired    map[string]any
	client   *http.Client // where a target has none of its own
	limit    int64        // as client
	store    Store
	limits   LimitStore
	meanings Meanings
	inject   func(context.Context, http.Header)
	targets  map[string]*httpTarget
	errs     []error
	build    sync.Once
	only     []string   // the operations that are made; nil is all
	rest     *Operation // what stands for the others
}

// httpTarget is one target: what options gave it, what its operations need of it, and from Err on its endpoint.
type httpTarget struct {
	policy.Target

	given     bool // an option gave the address
	document  bool // its address is that of the document
	inherited bool // its members have its address
	used      bool // an operation sends to it
	streams   bool // one of them streams
	shared    int  // the calls in flight of all operations that share a bulkhead
	apart     int  // those of operations that have one of their own
	config    wire.Config
	tokens    map[string]func(TokenTarget) (TokenFunc, error) // by scheme, to be opened with the endpoint
	endpoint  *wire.Endpoint
}

// NewHTTP applies the options. It dials nothing; what is wrong or missing is for Err to say.
func NewHTTP(spec HTTPSpec, opts ...ClientOption) *HTTP {
	h := &HTTP{spec: spec, wired: map[string]any{}, targets: map[string]*httpTarget{}}
	h.addTarget(policy.Target{Name: policy.PrimaryTarget, BaseURL: spec.BaseURL})
	for _, t := range spec.Targets {
		if t.Name == policy.PrimaryTarget && t.BaseURL == "" {
			t.BaseURL = spec.BaseURL
		}
		h.addTarget(t)
	}
	for _, o := range opts {
		if o != nil {
			o.applyClient(h)
		}
	}
	h.inherit()
	if h.group == nil {
		h.group = NewGroup()
	}
	countClient(h.observer, spec.Name)
	return h
}

func (h *HTTP) addTarget(t policy.Target) {
	h.targets[t.Name] = &httpTarget{
		Target: t, config: wire.Config{Schemes: h.spec.Schemes, Credentials: map[string]wire.Credential{}},
	}
}

func (h *HTTP) primary() *httpTarget { return h.targets[policy.PrimaryTarget] }

func (h *HTTP) fail(err error) { h.errs = append(h.errs, err) }

// Operation makes an operation from its plan. It is never nil; what is wrong with it is for Err to say.
func (h *HTTP) Operation(plan policy.Plan) *Operation {
	if h.only != nil && !slices.Contains(h.only, plan.Operation) {
		return h.leftOut()
	}
	wiring := Wiring{
		Observer: h.observer, Chaos: h.chaos, Store: h.store, Limits: h.limits, Meanings: h.meanings, Endpoints: map[string]string{},
	}
	if plan.Key.Source == policy.KeyFunc {
		wiring.Key, _ = h.wired[plan.Key.From].(func(context.Context) (string, error))
	}
	h.accepting(&plan)
	for _, name := range targetsOf(&plan) {
		h.need(&plan, name, wiring.Endpoints)
	}
	wiring.Affinity = affinityOf(h, &plan)
	op, err := NewOperation(h.group, h.spec.Name, plan, wiring)
	if err != nil {
		h.fail(err)
		return &Operation{}
	}
	op.sends = true
	return op
}

// leftOut returns an operation that rejects every call: see WithOperations.
func (h *HTTP) leftOut() *Operation {
	if h.rest == nil {
		closed := policy.Plan{Operation: "left out by WithOperations", Breaker: policy.Recommended(false).Breaker}
		closed.Breaker.Mode = policy.BreakerForcedOpen
		op, err := NewOperation(NewGroup(), h.spec.Name, closed, Wiring{})
		if err != nil {
			h.fail(err)
			op = &Operation{}
		}
		h.rest = op
	}
	return h.rest
}

// targetsOf returns the names of the targets that the rungs and hedges of a plan send to.
func targetsOf(plan *policy.Plan) []string {
	names := []string{policy.PrimaryTarget}
	for _, r := range plan.Fallback.Rungs {
		if r.Sort == policy.RungTarget && r.Target != "" && !slices.Contains(names, r.Target) {
			names = append(names, r.Target)
		}
	}
	if h := &plan.Hedge; h.Max > 0 && h.Target != "" && !slices.Contains(names, h.Target) {
		names = append(names, h.Target)
	}
	return names
}

// Err makes the targets ready and returns everything that is wrong: an address that is missing or no URL, a function that was not wired,
// a plan that contradicts itself, a Timeout of an http.Client that would cut streams.
func (h *HTTP) Err() error {
	h.build.Do(func() {
		for _, name := range slices.Sorted(maps.Keys(h.targets)) {
			if err := h.targets[name].open(h); err != nil {
				h.fail(err)
			}
		}
	})
	if len(h.errs) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w", h.spec.Name, errors.Join(h.errs...))
}

var (
	errNoAddress     = errors.New("it has no address: give it one with WithBaseURL")
	errClientTimeout = errors.New("the http.Client has a Timeout, which would cut streams: leave it 0, the policies bound every call")
)

// open makes the endpoint of a target that is used.
func (t *httpTarget) open(h *HTTP) error {
	if len(t.AnyOf) > 0 && t.hasOwn() {
		return fmt.Errorf("target %q: %w: %s", t.Name, errGroupWired, strings.Join(t.AnyOf, ", "))
	}
	if !t.used {
		return nil
	}
	if t.BaseURL == "" {
		return fmt.Errorf("target %q: %w", t.Name, errNoAddress)
	}
	c := t.config
	c.BaseURL, c.Fallback = t.BaseURL, !t.given && (t.Name == policy.PrimaryTarget || t.document)
	if c.Client == nil {
		c.Client = h.client
	}
	if c.Limit == 0 {
		c.Limit = h.limit
	}
	if t.streams && c.Client != nil && c.Client.Timeout > 0 {
		return fmt.Errorf("target %q: %w", t.Name, errClientTimeout)
	}
	if h.chaos != nil {
		c.Around = func(next http.RoundTripper) http.RoundTripper { return &chaosTransport{of: t, next: next} }
	}
	endpoint, err := wire.NewEndpoint(c)
	if err != nil {
		return fmt.Errorf("target %q: %w", t.Name, err)
	}
	t.endpoint = endpoint
	return t.openTokens()
}

// CloseIdleConnections closes the connections that are idle now. A client needs no closing; this is for programs that are done with it.
func (h *HTTP) CloseIdleConnections() {
	for _, t := range h.targets {
		if t.endpoint != nil {
			t.endpoint.CloseIdleConnections()
		}
	}
}

// wiring is what Wired looks into: an *HTTP, or a *Wrapper.
type wiring interface {
	lookup(name string) (any, bool)
	// giver says who gives what is missing.
	giver() string
	fail(err error)
}

// lookup returns what was wired under a name.
func (h *HTTP) lookup(name string) (any, bool) {
	v, ok := h.wired[name]
	return v, ok
}

func (*HTTP) giver() string { return "give the client WithWired, or its own option of that name" }

// Wired returns what WithWired, or Wrapper.Wire, gave under that name. What is missing, nil or of another type is for Err to say.
func Wired[T any, W *HTTP | *Wrapper](w W, name string) T {
	in, _ := any(w).(wiring)
	given, wired := in.lookup(name)
	v, ok := given.(T)
	switch {
	case !wired:
		in.fail(fmt.Errorf("%q is not wired: a rung needs it: %s, with %s",
			name, in.giver(), reflect.TypeFor[T]()))
	case !ok:
		in.fail(fmt.Errorf("%q is wired as %T: a rung needs %s", name, given, reflect.TypeFor[T]()))
	case isNil(v):
		in.fail(fmt.Errorf("%q is wired as nil: a rung needs %s", name, reflect.TypeFor[T]()))
	}
	return v
}

// isNil reports whether v is a function or a pointer that is nil: a rung would have nothing to call, or to answer with.
func isNil(v any) bool {
	r := reflect.ValueOf(v)
	return (r.Kind() == reflect.Func || r.Kind() == reflect.Pointer) && r.IsNil()
}
