package faultlist_test

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// how is what a call comes to whose primary target does the same at each request, while the second is well.
type how uint8

const (
	// answered: by the primary, at its first request.
	answered how = iota + 1
	// retried: the primary is asked twice, and then the second answers.
	retried
	// next: the primary is asked once, and the second answers.
	next
	// ends: the primary is asked once, and the call fails.
	ends
	// broken: the primary has begun to answer, so that nobody else is asked, and the stream ends with an error.
	broken
)

// want is what a cell of the table says.
type want struct {
	// why says why there is no such thing; then the rest is empty.
	why string

	how        how
	kind       policy.Kind
	text       string        // what the primary showed
	evidence   [2]int        // results, and failures among them, that the primary's breaker has then
	pause      time.Duration // for how long from its last answer on the primary is left alone
	waits      time.Duration // how long a retry waits at least, where that is no pause
	incomplete bool          // a success with a mark
	used       used
}

// used is what the caller is told of the tokens that were used.
type used uint8

const (
	usedAll   used = iota // what the right answer says
	usedBegun             // what had been said before the stream broke
	usedAny               // not looked at: the call has no answer
)

// The texts of the scripts.
const (
	rightText = "Hello from the model."
	begunText = "Hello from "
	sorryText = "I cannot answer right now."
)

func none(why string) want { return want{why: why} }

func right() want { return shows(rightText) }

func shows(text string) want { return want{how: answered, text: text, evidence: [2]int{1, 0}} }

// cutShort is a success that says itself that it is not all.
func cutShort(text string) want {
	w := shows(text)
	w.incomplete = true
	return w
}

func again(k policy.Kind) want { return want{how: retried, kind: k, evidence: [2]int{2, 2}} }

func goesOn(k policy.Kind) want { return want{how: next, kind: k, evidence: [2]int{1, 1}} }

// fails is of a kind that is the request's own: evidence of a target that works.
func fails(k policy.Kind) want {
	return want{how: ends, kind: k, evidence: [2]int{1, 0}, used: usedAny}
}

func breaks(k policy.Kind) want {
	return want{how: broken, kind: k, text: begunText, evidence: [2]int{1, 1}, used: usedBegun}
}

// neutral is without evidence.
func (w want) neutral() want {
	w.evidence = [2]int{}
	return w
}

// well is evidence of a target that works.
func (w want) well() want {
	w.evidence[1] = 0
	return w
}

func (w want) pauses(d time.Duration) want {
	w.pause = d
	return w
}

func (w want) waiting(d time.Duration) want {
	w.waits = d
	return w
}

func (w want) shown(text string) want {
	w.text = text
	return w
}

func (w want) counting(u used) want {
	w.used = u
	return w
}

// row is a fault: what a call comes to, for a whole answer and for a stream.
type row struct {
	fault, what   string
	plain, stream want
	// but holds what differs, by shape, or by shape and form: "gemini", "gemini.stream".
	but map[string]want
}

// of returns the cell of a shape.
func (r *row) of(shape string, stream bool) want {
	form, w := ".plain", r.plain
	if stream {
		form, w = ".stream", r.stream
	}
	for _, key := range []string{shape + form, shape} {
		if own, ok := r.but[key]; ok {
			return own
		}
	}
	return w
}
