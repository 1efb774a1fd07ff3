package wire

import (
	"bytes"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
)

// OnJSON has f called for each JSON text that is read of the body, after it was understood: the whole body, or each item of a stream,
// also one that is an error. It gets the values at the pointers, as they are written, nil for those that are not there. It runs on the goroutine of the reader. What is
// found is valid until f returns.
func (r *Response) OnJSON(pointers *jsontext.Pointers, f func(found [][]byte)) {
	look := r.lookout()
	look.told, look.tell = pointers, f
}

// JudgeBy has each JSON text of the body judged that is decoded: the whole body, or each item of a stream. One that has failed is an error that
// came in a response which had begun well, and the reader returns it as an *EventError. It is for responses with a status of success; nil
// judges nothing.
func (r *Response) JudgeBy(j *policy.Judge) { r.judge, r.tell = j, nil }

// JudgeAndFind is JudgeBy and OnJSON in one walk: tell is called with what the judge finds for others, see policy.Judge.Read.
func (r *Response) JudgeAndFind(j *policy.Judge, tell func(found [][]byte)) {
	r.judge, r.tell = j, tell
}

// Sentence returns what was said of the JSON text that was read last.
func (r *Response) Sentence() policy.Sentence { return r.said }

// fails reports whether a JSON text that was decoded is an error although its status is none.
func (r *Response) fails(text []byte, long jsontext.Long, understood bool) bool {
	if r.judge == nil {
		return false
	}
	found := r.room.finds(r.judge.Also())
	r.said = r.judge.Read(r.Status, text, long, found)
	if understood && r.tell != nil {
		r.tell(found)
	}
	return r.said.Failed
}

// Follow has the items of the stream that the body is told apart by rules: see policy.StreamRules. It is to be called before the reader of
// items is made; nil rules are none.
func (r *Response) Follow(rules *policy.StreamRules) { r.lookout().rules = rules }

// lookout returns who looks through the texts of the body; most have nobody.
func (r *Response) lookout() *lookout {
	if r.look == nil {
		r.look = new(lookout)
	}
	return r.look
}

// fault returns the error that came inside the response.
func (r *Response) fault(event string, data []byte) *EventError {
	e := &EventError{Status: r.Status, Event: event, Data: bytes.Clone(data[:min(len(data), bodyKept)]), hide: r.x.secret()}
	if r.said.Failed {
		e.Kind = r.said.Kind
	}
	e.read()
	return e
}
