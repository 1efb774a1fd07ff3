package runtime

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/wire"
)

// arguments are the Input of a Go method.
type arguments struct {
	args []any
	once sync.Once
	text *wire.Request // a request whose body are the arguments
}

// Args returns the Input of a call of a Go method: its arguments, as the list that encoding/json makes of them. Pointers into it begin with
// the number of an argument: "/0/limit". What JSON leaves out of an argument tells no calls apart, and arguments that are no JSON at all are
// not cached.
func Args(args ...any) Input { return &arguments{args: args} }

func (a *arguments) request() *wire.Request {
	a.once.Do(func() {
		a.text = wire.NewRequest(http.MethodPost, "/")
		data, err := json.Marshal(a.args)
		if err != nil {
			a.text.Fail(err)
			return
		}
		a.text.JSON(json.RawMessage(data)) // as encoding/json has it: there nil and empty differ
	})
	return a.text
}

// CacheKey returns the arguments as canonical JSON.
func (a *arguments) CacheKey(pointers []string) (string, bool) { return a.request().CacheKey(pointers) }

// Turn returns the text at one of the places, and the arguments without it.
func (a *arguments) Turn(places []string) (text, rest string, ok bool) {
	return a.request().Turn(places)
}

// Size returns the length of the arguments as JSON.
func (a *arguments) Size() int { return a.request().Size() }

// Number returns the number at a JSON pointer into the list of arguments.
func (a *arguments) Number(pointer string) (float64, bool) { return a.request().Number(pointer) }

// Remember makes the attempt of a Go method that has a cache, by call, in place of Send: it gives what the cache remembers, where the attempt
// is to read that, and has what call answers remembered. Answers are kept as JSON. What is no JSON, too large or nil is not kept.
func Remember[T any](at Attempt, call func() (T, error)) (T, error) {
	m := at.memo
	if m != nil && m.reads {
		var value T
		if err := json.Unmarshal(m.entry.Body, &value); err != nil {
			return value, &wire.DecodeError{Err: err}
		}
		return value, nil
	}
	value, err := call()
	if err != nil || m == nil || isNoAnswer(value) {
		return value, err
	}
	if body, err := json.Marshal(value); err == nil && len(body) <= storeLargest {
		m.entry, m.made = Entry{Status: http.StatusOK, Body: body, Stored: time.Now()}, true
	}
	return value, nil
}
