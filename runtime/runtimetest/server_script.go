package runtimetest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/wire"
)

// step is what one request is answered with. The zero value is the sample.
type step struct {
	answer *Answer
	fault  *chaos.Fault
}

// script is the steps of an operation. It is guarded by its server.
type script struct {
	steps []step
	// always says that the last step is played again and again.
	always bool
}

// next takes the step of the next request.
func (p *script) next() step {
	if len(p.steps) == 0 {
		return step{}
	}
	first := p.steps[0]
	if len(p.steps) > 1 || !p.always {
		p.steps = p.steps[1:]
	}
	return first
}

// Served is how a Server answers an operation whose request has a JSON body of type Req, struct{} where it has another or none, and which
// answers with an Ans; of a stream Ans is the type of an item. Each of its methods adds what one request is answered with, in the order in
// which they are called; when all were used, requests are answered with the sample again. They return the Served, so that they can be chained:
//
//	srv.CreateChatCompletion().Fail(503).Answer(&llm.ChatCompletion{...})
//
// Safe for concurrent use.
type Served[Req, Ans any] struct {
	server *Server
	name   string
}

// Serve returns how a server answers the operation of that name. Generated code calls it.
func Serve[Req, Ans any](s *Server, operation string) Served[Req, Ans] {
	return Served[Req, Ans]{server: s, name: operation}
}

// Asked is a request of an operation.
type Asked[Req any] struct {
	Request

	// Value is the JSON body; nil where there is none.
	Value *Req
}

// Requests are the requests of the operation so far. A body that is not as the document says has no Value.
func (o Served[Req, Ans]) Requests() []Asked[Req] {
	all := o.server.requestsOf(o.name)
	out := make([]Asked[Req], len(all))
	for i, r := range all {
		out[i].Request = r
		if _, none := any(out[i].Value).(*struct{}); none || len(r.Body) == 0 {
			continue
		}
		value := new(Req)
		if wire.Unmarshal(r.Body, value) == nil {
			out[i].Value = value
		}
	}
	return out
}

// Answer answers with a value, with the status and the media type of the sample. A text, and the bytes of a download, are sent as they are.
func (o Served[Req, Ans]) Answer(v Ans) Served[Req, Ans] {
	o.server.t.Helper()
	a, err := o.encoded(v)
	if err != nil {
		o.server.t.Fatalf("%s: %s: %v", o.server.api.Name, o.name, err)
	}
	return o.add(step{answer: &a})
}

var errStreams = errors.New("it answers item by item: use Stream")

// ErrNoAnswer is a value that is none of the answers of its operation.
var ErrNoAnswer = errors.New("the operation has no such answer")

// encoded is the answer that a value is.
func (o Served[Req, Ans]) encoded(v Ans) (Answer, error) {
	op := o.operation()
	if op.Streams {
		return Answer{}, errStreams
	}
	if op.Encode != nil {
		return op.Encode(v)
	}
	a := op.Sample
	switch v := any(v).(type) {
	case struct{}:
		return a, nil
	case string:
		if !isJSONType(a.MediaType) {
			a.Body = v
			return a, nil
		}
	case []byte:
		if !isJSONType(a.MediaType) {
			a.Body = string(v)
			return a, nil
		}
	}
	return EncodeJSON(a.Status, a.MediaType, v)
}

func isJSONType(mediaType string) bool {
	base := mediaBase(mediaType)
	return strings.HasSuffix(base, "/json") || strings.HasSuffix(base, "+json")
}

// EncodeJSON is the answer with a value as JSON. Generated code calls it.
func EncodeJSON(status int, mediaType string, v any) (Answer, error) {
	body, err := wire.Marshal(v)
	if err != nil {
		return Answer{}, fmt.Errorf("the answer has no JSON: %w", err)
	}
	return Answer{Status: status, MediaType: mediaType, Body: string(body)}, nil
}

// Stream answers item by item, and with the marker that ends streams of the operation, if it has one. Where the stream is to prove its end, the
// last item has to.
func (o Served[Req, Ans]) Stream(items ...Ans) Served[Req, Ans] {
	o.server.t.Helper()
	op := o.operation()
	if !op.Streams {
		o.server.t.Fatalf("%s: %s: it answers at once: use Answer", o.server.api.Name, o.name)
	}
	a := op.Sample
	var b strings.Builder
	for _, item := range items {
		text, isText := any(item).(string)
		if !isText {
			data, err := wire.Marshal(item)
			if err != nil {
				o.server.t.Fatalf("%s: %s: the item has no JSON: %v", o.server.api.Name, o.name, err)
			}
			text = string(data)
		}
		frame(&b, a.MediaType, text)
	}
	if op.Done != "" {
		frame(&b, a.MediaType, op.Done)
	}
	a.Body = b.String()
	return o.add(step{answer: &a})
}

// frame writes an item as it travels.
func frame(b *strings.Builder, contentType, item string) {
	switch base := mediaBase(contentType); {
	case base == "text/event-stream":
		b.WriteString("data: " + strings.ReplaceAll(item, "\n", "\ndata: ") + "\n\n")
	case strings.HasSuffix(base, "json-seq"):
		b.WriteString("\x1e" + item + "\n")
	default:
		b.WriteString(item + "\n")
	}
}

// Raw answers with what is given.
func (o Served[Req, Ans]) Raw(a Answer) Served[Req, Ans] {
	o.server.t.Helper()
	return o.add(step{answer: &a})
}

// Sample answers with the sample, before what is scripted next.
func (o Served[Req, Ans]) Sample() Served[Req, Ans] {
	o.server.t.Helper()
	return o.add(step{})
}

// Fail answers with a status from 400 on, and an error as the provider writes it, where that is known.
func (o Served[Req, Ans]) Fail(status int) Served[Req, Ans] {
	o.server.t.Helper()
	return o.Fault(chaos.Status(status))
}

// Fault has a request meet a fault: the connection is refused or breaks, the answer is late, stops or is malformed, or is an error with a time
// to wait. What it does to an answer it does to the sample.
func (o Served[Req, Ans]) Fault(f chaos.Fault) Served[Req, Ans] {
	o.server.t.Helper()
	return o.add(step{fault: &f})
}

// Times has the last step be played for so many requests in all.
func (o Served[Req, Ans]) Times(n int) Served[Req, Ans] {
	o.server.t.Helper()
	p := o.server.script(o.name)
	o.server.mu.Lock()
	defer o.server.mu.Unlock()
	if len(p.steps) == 0 {
		return o
	}
	last := p.steps[len(p.steps)-1]
	for range n - 1 {
		p.steps = append(p.steps, last)
	}
	return o
}

// Always has the last step be played for all requests that follow, in place of the sample.
func (o Served[Req, Ans]) Always() Served[Req, Ans] {
	o.server.t.Helper()
	p := o.server.script(o.name)
	o.server.mu.Lock()
	defer o.server.mu.Unlock()
	p.always = true
	return o
}

// add adds a step.
func (o Served[Req, Ans]) add(next step) Served[Req, Ans] {
	o.server.t.Helper()
	p := o.server.script(o.name)
	o.server.mu.Lock()
	defer o.server.mu.Unlock()
	if p.always { // what was for ever ends with what comes after it
		p.always, p.steps = false, nil
	}
	p.steps = append(p.steps, next)
	return o
}

// operation is the operation.
func (o Served[Req, Ans]) operation() *ServerOperation {
	for i := range o.server.api.Operations {
		if op := &o.server.api.Operations[i]; op.Name == o.name {
			return op
		}
	}
	return &ServerOperation{}
}
