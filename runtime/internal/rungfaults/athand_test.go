package rungfaults_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// event is what a rung meets that sends nothing, when those that send are down.
type event struct {
	rung, name string
	store      func() runtime.Store
	// prime is a question that was answered well before, and rest how long before.
	prime string
	rest  time.Duration
	// who is whose the calls are, that of before too; nil is nobody's.
	who func(context.Context) context.Context
	// embed is the embedder; nil is one to which all questions mean the same.
	embed func(context.Context, string) ([]float32, error)
	// sends is what all that send do; zero: status 500.
	sends does
	// well are those that are not down, and long is how long the question is, in tokens of 4 bytes.
	well     string
	long     int
	most     int64 // tokens of output that are asked for
	search   func(context.Context) error
	nobody   bool
	deadline time.Duration
	cancel   time.Duration
	asks     func(context.Context) context.Context

	plain, stream reply
}

// reply is what a call comes to.
type reply struct {
	why        string // there is no such cell, and why
	rung       string // empty: nobody answers
	kind       policy.Kind
	reason     policy.Kind
	attempts   int // -1: as many as there was time for
	took, over time.Duration
	age        time.Duration
}

const (
	question = "Hello?"
	tooDear  = "it and all before it are over their cost limit"
	tooSmall = "its window is too small" // it is known before anything is sent, and takes no time
	twoMin   = 2 * time.Minute
	sendLast = 3 * backoff // how long three rungs fail
)

var errSearch = errors.New("nothing was found")

// atHand are the events of the rungs that send nothing.
func atHand() []event {
	by := func(rung string, attempts int) reply {
		return reply{rung: rung, reason: policy.KindTransient, attempts: attempts, took: sendLast}
	}
	first := func(rung string, attempts int) reply {
		return reply{rung: rung, reason: policy.KindTransient, attempts: attempts, took: backoff}
	}
	dear := func(rung string, attempts int) reply {
		return reply{rung: rung, reason: policy.KindRateLimited, attempts: attempts}
	}
	within := func(r reply, over time.Duration) reply {
		r.over = over
		return r
	}
	fails := func(k policy.Kind, attempts int, took time.Duration) reply {
		return reply{kind: k, attempts: attempts, took: took}
	}
	old := by(remembered, 6)
	old.age = twoMin + sendLast
	late := reply{rung: remembered, reason: policy.KindTimeout, attempts: -1, over: 3 * time.Second, age: twoMin}
	apology := reply{rung: sorry, reason: policy.KindTimeout, attempts: -1, over: 3 * time.Second}
	none := func(context.Context) error { return errSearch }
	stuck := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	miss := by(passages, 7)
	silent := does{handler: silence}
	return []event{
		{rung: remembered, name: "an answer of before", prime: question, rest: twoMin, plain: old, stream: old},
		{rung: remembered, name: "nothing", plain: by(passages, 7), stream: by(passages, 7)},
		{rung: remembered, name: "an answer that is too old", prime: question, rest: 2 * time.Hour, plain: by(passages, 7), stream: by(passages, 7)},
		{rung: remembered, name: "the answer of another question", prime: "Who?", rest: twoMin, plain: by(passages, 7), stream: by(passages, 7)},
		{rung: remembered, name: "the answer of another tenant", prime: question, rest: twoMin, asks: tenant, plain: by(passages, 7), stream: by(passages, 7)},
		{rung: remembered, name: "the store fails", store: badStore(storeFails), plain: by(passages, 7), stream: by(passages, 7)},
		{rung: remembered, name: "the store hangs", store: badStore(storeHangs), plain: within(by(passages, 7), 50*time.Millisecond), stream: within(by(passages, 7), 50*time.Millisecond)},
		{rung: remembered, name: "the store panics", store: badStore(storePanics), plain: by(passages, 7), stream: by(passages, 7)},
		{rung: remembered, name: "the store lies", store: badStore(storeLies), plain: by(passages, 7), stream: by(passages, 7)},
		{rung: remembered, name: "the store has half of a stream", store: badStore(storeHalf), plain: reply{why: aStreamAlone}, stream: by(passages, 7)},
		{rung: remembered, name: "the time is nearly over", prime: question, rest: twoMin, sends: silent, search: stuck, deadline: 3 * time.Second, plain: late, stream: late},

		{rung: second, name: tooSmall, well: small, long: 6000, plain: first(small, 3), stream: first(small, 3)},
		{rung: small, name: tooSmall, well: second, long: 12000, plain: first(passages, 3), stream: first(passages, 3)},
		{rung: second, name: tooDear, well: small, most: 2_000_000, plain: dear(small, 1), stream: dear(small, 1)},
		{rung: small, name: tooDear, well: second, most: 20_000_000, plain: dear(passages, 1), stream: dear(passages, 1)},

		{rung: passages, name: "it finds something", plain: by(passages, 7), stream: by(passages, 7)},
		{rung: passages, name: "it fails", search: none, plain: by(sorry, 7), stream: by(sorry, 7)},
		{rung: passages, name: "it gives neither an answer nor an error", nobody: true, plain: by(sorry, 7), stream: by(sorry, 7)},
		{rung: passages, name: "it hangs", search: stuck, plain: within(by(sorry, 7), total-sendLast), stream: within(by(sorry, 7), total-sendLast)},
		{rung: passages, name: "the caller gives up", search: stuck, cancel: time.Second, plain: fails(policy.KindCanceled, 7, time.Second), stream: fails(policy.KindCanceled, 7, time.Second)},
		{
			rung: passages, name: "the time is nearly over", sends: silent, deadline: 3 * time.Second,
			plain:  reply{rung: passages, reason: policy.KindTimeout, attempts: -1, over: 3 * time.Second},
			stream: reply{rung: passages, reason: policy.KindTimeout, attempts: -1, over: 3 * time.Second},
		},

		{rung: sorry, name: "all others fail", search: none, plain: by(sorry, 7), stream: by(sorry, 7)},
		{rung: sorry, name: "the time is nearly over", sends: silent, search: stuck, deadline: 3 * time.Second, plain: apology, stream: apology},
		{rung: sorry, name: "there was no time", deadline: -1, plain: reply{rung: sorry, reason: policy.KindDeadline}, stream: reply{rung: sorry, reason: policy.KindDeadline}},
		{rung: sorry, name: "the caller gives up", sends: silent, cancel: time.Second, plain: fails(policy.KindCanceled, 1, time.Second), stream: fails(policy.KindCanceled, 1, time.Second)},
		{rung: sorry, name: "no fallback is wanted", asks: runtime.WithoutFallback, plain: fails(policy.KindTransient, 2, backoff), stream: fails(policy.KindTransient, 2, backoff)},
		{rung: sorry, name: "it is not good enough", search: none, asks: reduced, plain: fails(policy.KindTransient, 7, sendLast), stream: fails(policy.KindTransient, 7, sendLast)},

		{rung: alike, name: "an answer to a question that is alike", prime: "hello", rest: twoMin, who: ada, plain: old, stream: old},
		{rung: alike, name: "nothing that is alike", prime: "Who?", rest: twoMin, who: ada, embed: byLength, plain: miss, stream: miss},
		{rung: alike, name: "the answer of another subject", prime: "hello", rest: twoMin, who: ada, asks: bob, plain: miss, stream: miss},
		{rung: alike, name: "it is not known whose the call is", prime: "hello", rest: twoMin, plain: miss, stream: miss},
		{rung: alike, name: "the embedder fails", prime: "hello", rest: twoMin, who: ada, embed: embedsNothing, plain: miss, stream: miss},
	}
}

// ada and bob are two users of one tenant.
func ada(ctx context.Context) context.Context {
	return runtime.WithSubject(runtime.WithTenant(ctx, "acme"), "ada")
}

func bob(ctx context.Context) context.Context { return runtime.WithSubject(ctx, "bob") }

// byLength is an embedder to which texts of one length mean the same.
func byLength(_ context.Context, text string) ([]float32, error) {
	v := make([]float32, dimensions)
	v[len(text)%dimensions] = 1
	return v, nil
}

func embedsNothing(context.Context, string) ([]float32, error) { return nil, errSearch }

func tenant(ctx context.Context) context.Context { return runtime.WithTenant(ctx, "another") }

func reduced(ctx context.Context) context.Context { return runtime.WithMinLevel(ctx, policy.Reduced) }

// TestAtHand plays every event of the rungs that send nothing.
func TestAtHand(t *testing.T) {
	t.Parallel()
	for _, e := range atHand() {
		for form, r := range map[string]reply{"plain": e.plain, "stream": e.stream} {
			if r.why != "" {
				continue
			}
			t.Run(e.rung+"/"+e.name+"/"+form, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { e.play(t, form == "stream", r) })
			})
		}
	}
}

// play makes the call of an event, and compares what came of it.
func (e *event) play(t *testing.T, stream bool, want reply) {
	t.Helper()
	store := newStore
	if e.store != nil {
		store = e.store
	}
	s := newStage(t, store())
	if e.embed != nil {
		s.embed = e.embed
	}
	e.primed(t, s, stream)
	sends := e.sends
	if sends.handler == nil {
		sends = down
	}
	for name, p := range s.parties {
		if name != e.well {
			p.play(sends)
		}
	}
	s.search, s.nobody = e.search, e.nobody
	ctx, cancel := e.context(t)
	defer cancel()
	asked := s.asked()
	o := s.askFor(ctx, question+strings.Repeat("why ", e.long), e.most, stream)
	if asked = s.asked() - asked; asked != o.meta.Attempts {
		t.Errorf("%d attempts are told, and %d were made", o.meta.Attempts, asked)
	}
	deadline := total
	if e.deadline != 0 {
		deadline = max(e.deadline, 0)
	}
	honest(t, o, deadline)
	synctest.Wait()
	s.leavesNothing(t)

	got := reply{rung: o.tag.Rung, kind: kindOf(o.err), reason: o.tag.Reason, attempts: o.meta.Attempts, took: want.took, over: want.over, age: o.tag.Age}
	if want.attempts < 0 {
		got.attempts = want.attempts
	}
	if want.over > 0 && want.age > 0 { // it came when it came
		got.age = min(got.age, want.age)
	}
	if got != want {
		t.Errorf("%+v, want %+v: %v", got, want, o.err)
	}
	if o.took < want.took || o.took > want.took+want.over {
		t.Errorf("it took %v, want %v (or %v more)", o.took, want.took, want.over)
	}
}

// primed has the question of before answered.
func (e *event) primed(t *testing.T, s *stage, stream bool) {
	t.Helper()
	if e.prime == "" {
		return
	}
	ctx := t.Context()
	if e.who != nil {
		ctx = e.who(ctx)
	}
	o := s.ask(ctx, e.prime, stream)
	honest(t, o, total)
	if o.err != nil || o.by != primary {
		t.Errorf("before: %q answered, %v", o.by, o.err)
	}
	<-time.After(e.rest)
}

// context is the caller's.
func (e *event) context(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx := t.Context()
	if e.who != nil {
		ctx = e.who(ctx)
	}
	if e.asks != nil {
		ctx = e.asks(ctx)
	}
	switch {
	case e.deadline != 0:
		return context.WithTimeout(ctx, e.deadline)
	case e.cancel > 0:
		ctx, cancel := context.WithCancel(ctx)
		timer := time.AfterFunc(e.cancel, cancel)
		return ctx, func() { timer.Stop(); cancel() }
	}
	return context.WithCancel(ctx)
}

// store is a store of answers that is not well.
type store struct {
	get func(context.Context) (runtime.Entry, bool, error)
}

func badStore(get func(context.Context) (runtime.Entry, bool, error)) func() runtime.Store {
	return func() runtime.Store { return store{get} }
}

// Get is the store's.
func (s store) Get(ctx context.Context, _ string) (runtime.Entry, bool, error) { return s.get(ctx) }

// Set keeps nothing.
func (store) Set(context.Context, string, runtime.Entry, time.Duration) error { return nil }

var errStore = errors.New("the store is out")

func storeFails(context.Context) (runtime.Entry, bool, error) {
	return runtime.Entry{}, false, errStore
}

func storePanics(context.Context) (runtime.Entry, bool, error) { panic(errStore) }

func storeHangs(ctx context.Context) (runtime.Entry, bool, error) {
	<-ctx.Done()
	return runtime.Entry{}, false, ctx.Err()
}

// storeHalf gives the beginning of a stream, of a minute ago.
func storeHalf(context.Context) (runtime.Entry, bool, error) {
	return runtime.Entry{
		Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body:   []byte("data: {\"id\":\"a\",\"model\":\"primary\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"},\"finish_reason\":null}]}\n\n"),
		Stored: time.Now().Add(-time.Minute),
	}, true, nil
}

// storeLies gives what is no answer of the operation, of a minute ago.
func storeLies(context.Context) (runtime.Entry, bool, error) {
	return runtime.Entry{
		Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"id":`),
		Stored: time.Now().Add(-time.Minute),
	}, true, nil
}
