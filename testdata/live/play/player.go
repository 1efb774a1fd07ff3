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

func (p *Player) call(ctx context.Context, m *match, e *Exchange) error {
	method := reflect.ValueOf(p.Client).MethodByName(m.op.GoName)
	if !method.IsValid() {
		return errors.New("the client has no such method")
	}
	in := []reflect.Value{reflect.ValueOf(ctx)}
	if method.Type().NumIn() > 1 && !(method.Type().IsVariadic() && method.Type().NumIn() == 2) {
		req := reflect.New(method.Type().In(1)).Elem()
		if err := m.fill(req, e); err != nil {
			return fmt.Errorf("make the request: %w", err)
		}
		in = append(in, req)
	}
	out := method.Call(in)
	err, _ := out[len(out)-1].Interface().(error)
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

// fill makes the request.
func (m *match) fill(req reflect.Value, e *Exchange) error {
	if len(m.op.Params) == 0 && (m.op.Body == nil || m.op.Body.Field == "") {
		if m.op.Body == nil {
			return nil
		}
		if e.Body == nil {
			if m.op.Body.Required && req.Kind() == reflect.Pointer {
				req.Set(reflect.New(req.Type().Elem())) // nothing was recorded of it: anything does
			}
			return nil
		}
		return m.op.Body.fill(req, e.Body)
	}
	if req.Kind() != reflect.Pointer {
		return fmt.Errorf("%v is no request", req.Type())
	}
	req.Set(reflect.New(req.Type().Elem()))
	req = req.Elem()
	own := m.op.fixed()
	for i := range m.op.Params {
		own = append(own, m.op.Params[i].Name)
	}
	for i := range m.op.Params {
		p := &m.op.Params[i]
		field := req.FieldByName(p.Field)
		if !field.IsValid() {
			return fmt.Errorf("%v has no field %s", req.Type(), p.Field)
		}
		if err := m.fillParam(field, p, e, own); err != nil {
			return fmt.Errorf("%s parameter %q: %w", p.In, p.Name, err)
		}
	}
	if m.op.Body == nil || e.Body == nil {
		return nil
	}
	return m.op.Body.fill(req.FieldByName(m.op.Body.Field), e.Body)
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
