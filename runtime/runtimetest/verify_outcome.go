package runtimetest

import (
	"errors"
	"io"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Outcome is what a call of a Case has come to. Make it with Done, Value, Result, Stream or StreamResult, whichever takes what the method
// returns.
type Outcome struct {
	err    error
	began  bool // there was an answer, if only a part of one
	items  int
	owned  bool // the answer is a body
	tagged bool // the method returns a Result, and tag is it
	tag    tag
	meta   runtime.Meta
}

// tag is how an answer is marked.
type tag struct {
	rung   string
	level  policy.Level
	reason policy.Kind
}

// Done is the outcome of a method that returns an error alone.
func Done(err error) Outcome { return Outcome{err: err, began: err == nil} }

// Value is the outcome of a method that returns its answer. One that can be read and closed is read to its end, and closed.
func Value[T any](v T, err error) Outcome {
	if err != nil {
		return Done(err)
	}
	body, owned := any(v).(io.ReadCloser)
	if !owned {
		return Outcome{began: true}
	}
	_, err = io.Copy(io.Discard, body)
	return Outcome{err: errors.Join(err, body.Close()), began: true, owned: true}
}

// Result is Value for a method whose operation has a fallback ladder.
func Result[T any](res runtime.Result[T], err error) Outcome {
	o := Value(res.Value, err)
	o.tagged, o.tag = true, tagOf(&res)
	return o
}

// Stream is the outcome of a method that streams. The stream is read to its end.
func Stream[T any](s *runtime.Stream[T], err error) Outcome {
	o := Done(err)
	if err != nil {
		return o
	}
	for _, err := range s.All() {
		if err != nil {
			o.err = err
			break
		}
		o.items++
	}
	return o
}

// StreamResult is Stream for a method whose operation has a fallback ladder.
func StreamResult[T any](res runtime.Result[*runtime.Stream[T]], err error) Outcome {
	o := Stream(res.Value, err)
	o.tagged, o.tag = true, tagOf(&res)
	return o
}

func tagOf[T any](res *runtime.Result[T]) tag { return tag{res.Rung, res.Level, res.Reason} }

// kind is that of the call's error.
func (o *Outcome) kind() policy.Kind { return runtime.KindOf(o.err) }
