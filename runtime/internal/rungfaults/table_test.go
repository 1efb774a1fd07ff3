package rungfaults_test

import (
	"net/http"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// The rungs of testdata/specs/llmladder, the operation itself first, and all of them that send at once.
const (
	primary    = "primary"
	second     = "second"
	small      = "small"
	everywhere = "everywhere"
	remembered = "remembered"
	passages   = "passages"
	sorry      = "sorry"
	alike      = "alike"
)

// levels are what the rungs' answers are worth.
var levels = map[string]policy.Level{
	primary: policy.Equal, second: policy.Alternate, small: policy.Reduced, remembered: policy.Stale, passages: policy.Reduced,
	sorry: policy.Canned,
}

// ladders are the rungs of a whole answer and of a stream, in order. What is remembered holds nothing unless a cell puts it there.
var ladders = map[bool][]string{
	false: {primary, second, small, passages, sorry},
	true:  {primary, second, small, passages, sorry},
}

// What the plan of the ladder says.
const (
	backoff = 200 * time.Millisecond
	total   = 20 * time.Second
)

// how is what a fault comes to at the rung where it is.
type how uint8

const (
	// answered: the rung answers all the same, at its first attempt.
	answered how = iota + 1
	// again: two attempts, then the next rung.
	again
	// next: one attempt, then the next rung.
	next
	// ends: of the operation itself, the error of the call; a later rung does not fit, and the next is taken.
	ends
	// stops: the error of the call, at every rung.
	stops
	// breaks: the rung has begun to answer, and nobody goes on with that: an error while the answer is read.
	breaks
)

// want is what a fault comes to in one form of the answer.
type want struct {
	why  string // there is no such cell, and why; the rest is empty
	how  how
	kind policy.Kind
	each time.Duration // what an attempt takes
	wait time.Duration // before the second attempt, where it is not the backoff
	// over is by how much a wait that the target asked for may be longer, each time: its jitter only goes upward.
	over time.Duration
	// all is set where the rungs that send have more to do with one another than that each fails by itself.
	all *all
}

// all is what comes of a fault everywhere.
type all struct {
	attempts, most int // most is 0 where there is one number
	took, over     time.Duration
}

// fault is something that a target does, or that happens while it is called.
type fault struct {
	name string
	does does
	// before is what the rungs before this one do; zero: status 500.
	before does
	// warm is how many calls have met the same before; everywhere it is one less.
	warm int
	// others are calls that come 100 ms later, and meet the same.
	others int
	// cancel says that the caller gives up 100 ms after the rung was asked.
	cancel bool

	plain, stream want
}

// of returns what the fault comes to in a form.
func (f *fault) of(stream bool) want {
	if stream {
		return f.stream
	}
	return f.plain
}

const (
	aStreamAlone = "a whole answer has no middle that its caller has seen: see truncated JSON"
)

// sending are the faults of what sends: the operation itself, a second target, a smaller model.
func sending() []fault {
	var faults []fault
	add := func(f fault, plain, stream want) {
		f.plain, f.stream = plain, stream
		faults = append(faults, f)
	}
	retried := func(k policy.Kind) want { return want{how: again, kind: k} }
	lasts := func(k policy.Kind, each time.Duration) want { return want{how: again, kind: k, each: each} }
	wrong := func(k policy.Kind) want { return want{how: ends, kind: k} }
	broken := func(k policy.Kind, after time.Duration) want { return want{how: breaks, kind: k, each: after} }
	none := func(why string) want { return want{why: why} }
	same := func(f fault, w want) { add(f, w, w) }

	same(fault{name: "connection refused", does: does{dial: dialRefused}}, retried(policy.KindConnect))
	same(fault{name: "connection reset", does: does{dial: dialReset}}, retried(policy.KindReset))
	same(fault{name: "black hole", does: does{dial: dialLong}}, lasts(policy.KindConnect, dialTimeout))
	add(fault{name: "black hole, and a transport that would dial for ever", does: does{dial: dialNothing}},
		lasts(policy.KindTimeout, 2*time.Second), lasts(policy.KindTimeout, time.Second))
	add(fault{name: "accepted, and never a byte", does: does{handler: silence}},
		lasts(policy.KindTimeout, 2*time.Second), lasts(policy.KindTimeout, time.Second))
	same(fault{name: "slow", does: does{handler: after(800 * time.Millisecond), script: "right"}},
		want{how: answered, each: 800 * time.Millisecond})
	same(fault{name: "429 with Retry-After", does: does{script: "throttle-short"}}, want{
		how: again, kind: policy.KindThrottle, wait: time.Second, over: time.Second,
		all: &all{attempts: 4, most: 6, took: 2 * time.Second, over: 4 * time.Second}, // a smaller model shares the primary's pause
	})
	same(fault{name: "429 with a Retry-After of an hour", does: does{script: "throttle-long"}},
		want{how: next, kind: policy.KindThrottle, all: &all{attempts: 2}})
	same(fault{name: "429 without Retry-After", does: throttled}, retried(policy.KindThrottle))
	same(fault{name: "529", does: does{script: "overloaded"}}, retried(policy.KindThrottle))
	same(fault{name: "500", does: down}, retried(policy.KindTransient))
	same(fault{name: "malformed JSON", does: malformed}, retried(policy.KindDecode))
	same(fault{name: "truncated JSON", does: does{script: "truncated"}}, retried(policy.KindDecode))
	add(fault{name: "the connection breaks in the middle", does: does{script: "cut"}},
		retried(policy.KindDecode), broken(policy.KindReset, 0))
	same(fault{name: "HTML from a proxy", does: does{script: "html"}}, retried(policy.KindDecode))
	same(fault{name: "502 and HTML from a proxy", does: does{script: "gateway"}}, retried(policy.KindTransient))
	add(fault{name: "stall before the first token", does: does{script: "preamble-silence"}},
		lasts(policy.KindTimeout, 2*time.Second), lasts(policy.KindTimeout, 1200*time.Millisecond))
	add(fault{name: "pings, and never a token", does: does{script: "preamble-pings"}},
		none("a whole answer has no pings"), lasts(policy.KindTimeout, 1500*time.Millisecond))
	add(fault{name: "stall mid-stream", does: does{script: "silence"}},
		none(aStreamAlone), broken(policy.KindTimeout, 1200*time.Millisecond))
	add(fault{name: "error event mid-stream", does: does{script: "mid-error"}},
		none(aStreamAlone), broken(policy.KindTransient, 0))
	add(fault{name: "the stream ends without its terminal", does: does{script: "eof"}},
		none(aStreamAlone), broken(policy.KindReset, 0))
	same(fault{name: "an error in place of the answer, status 200", does: does{script: "first-error"}}, retried(policy.KindTransient))
	same(fault{name: "wrong content type", does: does{script: "type"}}, retried(policy.KindDecode))
	same(fault{name: "an answer that shows nothing", does: does{script: "empty"}}, retried(policy.KindDecode))
	same(fault{name: "quota gone", does: does{script: "throttle-money"}},
		want{how: next, kind: policy.KindUnusable, all: &all{attempts: 2}}) // the smaller model has the same account, which is left alone
	same(fault{name: "the key is wrong", does: does{script: "key"}}, want{how: next, kind: policy.KindUnusable})
	same(fault{name: "content refused", does: does{script: "filtered"}}, wrong(policy.KindRefused))
	add(fault{name: "content refused mid-stream", does: does{script: "filtered-late"}},
		none(aStreamAlone), broken(policy.KindRefused, 0))
	same(fault{name: "context too long", does: does{script: "too-long"}}, wrong(policy.KindContextTooLong))
	same(fault{name: "400", does: does{script: "caller"}}, wrong(policy.KindCaller))
	same(fault{name: "the breaker opens at the attempt", does: down, before: throttled, warm: 2},
		want{how: next, kind: policy.KindTransient, all: &all{attempts: 3, took: backoff}})
	same(fault{name: "the breaker opens before the retry", does: down, before: throttled, others: 4},
		want{
			how: next, kind: policy.KindTransient, each: backoff, // what the attempt failed with, not what forbids another
			all: &all{attempts: 2, took: 2 * backoff},
		})
	same(fault{name: "the caller gives up", does: does{handler: silence}, cancel: true},
		want{how: stops, kind: policy.KindCanceled, each: 100 * time.Millisecond})
	return faults
}

// down is a target that fails at once.
var down = does{handler: says(http.StatusInternalServerError, "application/json", `{"error":{"message":"oh","type":"server_error","code":null}}`)}

// throttled is a target that is asked too much, and does not say until when: no evidence against it.
var throttled = does{handler: says(http.StatusTooManyRequests, "application/json",
	`{"error":{"message":"the rate limit is reached","type":"requests","code":"rate_limit_exceeded"}}`)}

// malformed is a target that answers with what looks like JSON.
var malformed = does{handler: func(w http.ResponseWriter, r *http.Request) {
	if asksForStream(r) {
		says(http.StatusOK, "text/event-stream", "data: {\"id\":\"a\",\"choices\":[}\n\n")(w, r)
		return
	}
	says(http.StatusOK, "application/json", `{"id":"a","model":"m-1","choices":[}`)(w, r)
}}
