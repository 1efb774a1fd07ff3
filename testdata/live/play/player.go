package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/resgen-go/resgen/runtime/wire"
)

// Recorder is a transport that keeps the last exchange that it carried. It is safe for concurrent use; what it keeps is then that of
// whoever came last.
type Recorder struct {
	Next http.RoundTripper

	mu       sync.Mutex
	request  *http.Request
	response *http.Response
	body     []byte
}

// RoundTrip carries a request, and keeps it and its answer.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.Next.RoundTrip(req)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.request, r.response, r.body = req, nil, nil
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if closed := resp.Body.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	r.response, r.body = resp, body
	return resp, nil
}

// Last returns the last request and its answer; nil where there was none.
func (r *Recorder) Last() (*http.Request, *http.Response, []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.request, r.response, r.body
}

// Player calls one client.
type Player struct {
	Table Table
	// Client is the generated client, which sends through Recorder.
	Client   any
	Recorder *Recorder
}

// ErrNoOperation says that the client has no operation for an exchange.
var ErrNoOperation = errors.New("no operation for it")

// Play makes the call that an exchange is of, and returns what is wrong with it: the client cannot say what was recorded, fails, or
// makes something else of the answer.
func (p *Player) Play(ctx context.Context, e *Exchange) error {
	found := p.Table.find(e)
	if len(found) == 0 {
		return fmt.Errorf("%v: %w", e, ErrNoOperation)
	}
	m := &found[0]
	if err := p.call(ctx, m, e); err != nil {
		return fmt.Errorf("%s: %w", m.op.GoName, err)
	}
	return nil
}

// ErrUnsaid says that the client's types cannot say what a call is to say: nothing was sent.
var ErrUnsaid = errors.New("the request cannot be said")

// Send makes a call with the values that are given for it and returns the answer as it came. The error is ErrUnsaid, or one of the
// client where nothing came back: what the client makes of the answer is not looked at.
func (p *Player) Send(ctx context.Context, c *Call) (*http.Response, []byte, error) {
	i := slices.IndexFunc(p.Table.Operations, func(op Operation) bool { return op.GoName == c.Operation })
	if i < 0 {
		return nil, nil, fmt.Errorf("%s: %w", c.Operation, ErrNoOperation)
	}
	op := &p.Table.Operations[i]
	_, before, _ := p.Recorder.Last()
	out, err := p.invoke(ctx, op, func(req reflect.Value) error { return op.fill(req, c.values, c.Body) })
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrUnsaid, err)
	}
	closeResult(out[0])
	_, response, body := p.Recorder.Last()
	if err, _ := out[len(out)-1].Interface().(error); err != nil && (response == nil || response == before) {
		return nil, nil, fmt.Errorf("%w: %w", ErrUnsaid, err)
	}
	return response, body, nil
}

// values sets a parameter's field from its value; a parameter without one stays as it is.
func (c *Call) values(field reflect.Value, p *Param) error {
	value := c.Values[p.In+" "+p.Name]
	if value == nil {
		return nil
	}
	if err := json.Unmarshal(value, field.Addr().Interface()); err != nil {
		return err
	}
	return sayTheSame(field, value)
}

// closeResult ends what a method handed over.
func closeResult(result reflect.Value) {
	if !result.IsValid() || result.Kind() == reflect.Pointer && result.IsNil() {
		return
	}
	if c, ok := result.Interface().(io.Closer); ok {
		_ = c.Close()
	}
}

// invoke calls an operation's method with a request that fill makes.
func (p *Player) invoke(ctx context.Context, op *Operation, fill func(req reflect.Value) error) ([]reflect.Value, error) {
	method := reflect.ValueOf(p.Client).MethodByName(op.GoName)
	if !method.IsValid() {
		return nil, errors.New("the client has no such method")
	}
	in := []reflect.Value{reflect.ValueOf(ctx)}
	if fixed := method.Type().NumIn(); fixed > 2 || fixed == 2 && !method.Type().IsVariadic() {
		req := reflect.New(method.Type().In(1)).Elem()
		if err := fill(req); err != nil {
			return nil, fmt.Errorf("make the request: %w", err)
		}
		in = append(in, req)
	}
	return method.Call(in), nil
}

func (p *Player) call(ctx context.Context, m *match, e *Exchange) error {
	own := m.op.fixed()
	for i := range m.op.Params {
		own = append(own, m.op.Params[i].Name)
	}
	params := func(field reflect.Value, param *Param) error { return m.fillParam(field, param, e, own) }
	out, err := p.invoke(ctx, m.op, func(req reflect.Value) error { return m.op.fill(req, params, e.Body) })
	if err != nil {
		return err
	}
	err, _ = out[len(out)-1].Interface().(error)
	_, response, body := p.Recorder.Last()
	if response == nil {
		return fmt.Errorf("nothing came back: %w", err)
	}
	if response.StatusCode != e.Status {
		return fmt.Errorf("status %d, want %d: %.300s", response.StatusCode, e.Status, body)
	}
	if e.Status >= 400 {
		return isStatus(err, e.Status, body)
	}
	if err != nil {
		return fmt.Errorf("status %d: %w", e.Status, err)
	}
	if len(out) == 1 {
		return nothingLost(body)
	}
	return sameAnswer(out[0], response, body)
}

// fill makes the request: its parameters as given, and its body.
func (op *Operation) fill(req reflect.Value, params func(reflect.Value, *Param) error, body *Content) error {
	if len(op.Params) == 0 && (op.Body == nil || op.Body.Field == "") {
		return op.fillAlone(req, body)
	}
	if req.Kind() != reflect.Pointer {
		return fmt.Errorf("%v is no request", req.Type())
	}
	req.Set(reflect.New(req.Type().Elem()))
	req = req.Elem()
	for i := range op.Params {
		p := &op.Params[i]
		field := req.FieldByName(p.Field)
		if !field.IsValid() {
			return fmt.Errorf("%v has no field %s", req.Type(), p.Field)
		}
		if err := params(field, p); err != nil {
			return fmt.Errorf("%s parameter %q: %w", p.In, p.Name, err)
		}
	}
	if op.Body == nil || body == nil {
		return nil
	}
	return op.Body.fill(req.FieldByName(op.Body.Field), body)
}

// fillAlone makes a request that is its body.
func (op *Operation) fillAlone(req reflect.Value, body *Content) error {
	switch {
	case op.Body == nil:
		return nil
	case body != nil:
		return op.Body.fill(req, body)
	case op.Body.Required && req.Kind() == reflect.Pointer:
		req.Set(reflect.New(req.Type().Elem())) // nothing was recorded of it: anything does
	}
	return nil
}

func (m *match) fillParam(field reflect.Value, p *Param, e *Exchange, own []string) error {
	var from parts
	var err error
	ok := true
	switch p.In {
	case "path":
		from, err = p.pathParts(m.path[p.Name], shapeOf(field.Type()))
	case "query":
		from, ok, err = p.queryParts(e.Query, field.Type(), own)
	case "header":
		values := e.headers(p.Name)
		if strings.EqualFold(p.Name, "content-type") && values == nil && e.Body != nil {
			values = []string{e.Body.ContentType}
		}
		if ok = len(values) > 0; ok {
			from, err = split(values[0], strings.Split(values[0], ","), p.Explode, shapeOf(field.Type()), asItIs)
		}
	default:
		ok = false
	}
	if !ok || err != nil {
		return err
	}
	return fill(field, from)
}

// isStatus checks an error that was to be: its status, and what it says of its body.
func isStatus(err error, want int, body []byte) error {
	var status *wire.StatusError
	if !errors.As(err, &status) {
		return fmt.Errorf("got the error %w, want one with status %d", err, want)
	}
	if status.Status != want {
		return differ("status", status.Status, want)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		v := reflect.ValueOf(err)
		if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
			continue
		}
		if payload := v.Elem().FieldByName("Payload"); payload.IsValid() {
			return sayTheSame(payload, body)
		}
	}
	return nil
}

// nothingLost checks that a method without a result had nothing to return.
func nothingLost(body []byte) error {
	if len(bytes.TrimSpace(body)) > 0 {
		return fmt.Errorf("the answer is lost: %.200s", body)
	}
	return nil
}

// sameAnswer holds a result against the body that it was read from.
func sameAnswer(result reflect.Value, response *http.Response, body []byte) error {
	if d, ok := result.Interface().(*wire.Download); ok {
		defer d.Close()
		data, err := io.ReadAll(d)
		if err == nil && !bytes.Equal(data, body) {
			err = differ("download", len(data), len(body))
		}
		return err
	}
	if all := result.MethodByName("All"); all.IsValid() {
		return sameItems(all.Call(nil)[0], body)
	}
	if text, ok := result.Interface().(string); ok && !strings.Contains(response.Header.Get("Content-Type"), "json") {
		if text != string(body) {
			return differ("text", text, string(body))
		}
		return nil
	}
	return sayTheSame(result, body)
}

// sameItems holds the items of a stream against the lines that they were read from.
func sameItems(all reflect.Value, body []byte) error {
	var lines [][]byte
	for line := range bytes.Lines(body) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	n := 0
	for item, failure := range all.Seq2() {
		if err, _ := failure.Interface().(error); err != nil {
			return err
		}
		if n == len(lines) {
			return differ("items", "more", len(lines))
		}
		if err := sayTheSame(item, lines[n]); err != nil {
			return fmt.Errorf("item %d: %w", n, err)
		}
		n++
	}
	if n != len(lines) {
		return differ("items", n, len(lines))
	}
	return nil
}

// Read reads the JSON of a table or of exchanges.
func Read[T any](data []byte) (T, error) {
	var v T
	err := json.Unmarshal(data, &v)
	return v, err
}
