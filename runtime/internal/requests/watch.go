package requests

import (
	"context"
	"hash/fnv"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// mostSeen is how many requests of one attempt are remembered. Whoever makes more is no client that tries again.
const mostSeen = 32

// Watch sees the requests that are made under the context of one attempt. Safe for concurrent use.
type Watch struct {
	trace *httptrace.ClientTrace
	sends *atomic.Int32

	mu     sync.Mutex
	writes request // the one whose header is being written
	seen   []request
	agent  string // of the last that was sent again
}

// request is what is known of one.
type request struct {
	begun    bool
	sum      uint64 // of the fields that tell one request from another
	tells    bool   // sum says which request it is: a body's length, or a path, is in it
	counted  bool   // it says how often it was tried
	again    bool   // and that it was
	referred bool
	answered bool
	whole    bool // it was written to its end, or as far as its answer let it
	repeats  bool // it sends again what was sent before
	agent    string
}

// New returns a watch over what is made under a context that is made of parent. sends is where it tells how often the attempt's request was
// sent: 1, and one more for each that was sent again.
func New(parent context.Context, sends *atomic.Int32) *Watch {
	w := &Watch{sends: sends}
	w.trace = &httptrace.ClientTrace{
		WroteHeaderField: w.wroteField, WroteHeaders: w.wroteHeader, WroteRequest: w.wroteRequest, GotFirstResponseByte: w.gotAnswer,
	}
	if httptrace.ContextClientTrace(parent) != nil { // the caller's hooks are called too
		w.trace = httptrace.ContextClientTrace(httptrace.WithClientTrace(parent, w.trace))
	}
	return w
}

// Trace returns what net/http is to report to.
func (w *Watch) Trace() *httptrace.ClientTrace { return w.trace }

// Agent returns how the client names itself that sent a request again; empty if none was, or if it does not say.
func (w *Watch) Agent() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.agent
}

// wroteField takes a field of a header that is being written. Fields of requests that are made at the same time get mixed, and then match
// nothing.
func (w *Watch) wroteField(name string, values []string) {
	name, value := strings.ToLower(name), strings.Join(values, ",")
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &w.writes
	r.begun = true
	switch name {
	case "user-agent":
		r.agent = strings.Clone(value)
	case "referer":
		r.referred = true
	case "content-length":
		r.tells = r.tells || value != "0"
	case ":path":
		r.tells = true
	default:
	}
	if again, counted := tries(name, value); counted {
		r.counted, r.again = true, r.again || again
	}
	if telling[name] {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name + "\x00" + value)) // a hash takes everything
		r.sum += h.Sum64()
	}
}

// telling are the fields that are the same when a request is sent again, and mostly are not in another request.
var telling = map[string]bool{
	":authority": true, ":method": true, ":path": true, "host": true, "content-length": true, "content-type": true, "content-range": true,
	"range": true, "content-md5": true, "x-amz-content-sha256": true, "x-amz-target": true, "amz-sdk-invocation-id": true, "soapaction": true,
	"idempotency-key": true, "x-idempotency-key": true, "x-goog-upload-offset": true,
}

// tries returns whether a field says that the request was tried before, and whether it says so or the opposite at all.
func tries(name, value string) (again, counted bool) {
	most := 0 // of a request that is sent for the first time
	switch name {
	case "x-stainless-retry-count", "grpc-previous-rpc-attempts":
	case "amz-sdk-request": // attempt=2; max=3
		most, value = 1, after(value, "attempt=")
	case "x-goog-api-client": // gl-go/1.26 gccl-invocation-id/... gccl-attempt-count/2
		most, value = 1, after(value, "gccl-attempt-count/")
	default:
		return false, false
	}
	n, err := strconv.Atoi(value)
	return n > most, err == nil
}

// after returns the number behind a name in a text.
func after(text, name string) string {
	_, rest, _ := strings.Cut(text, name)
	end := 0
	for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
		end++
	}
	return rest[:end]
}

// wroteHeader takes a request whose header was written.
func (w *Watch) wroteHeader() {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.writes
	w.writes = request{}
	w.judge(&r)
	if len(w.seen) < mostSeen {
		w.seen = append(w.seen, r)
	}
}

// judge counts a request that sends again what was sent before, once.
func (w *Watch) judge(r *request) {
	if !r.repeats && w.repeats(r) {
		r.repeats = true
		w.agent = r.agent
		w.sends.Store(max(w.sends.Load(), 1) + 1)
	}
}

// wroteRequest takes the end of writing a request, the last as far as can be known. One that could not be written was never sent, such as that of a
// client whose body is used up when it tries again. Over HTTP/2 a server may have answered by then, which cuts the writing short and may be told
// when the next request is being written: a failure is that of a request which was answered, while there is one whose end was not told.
func (w *Watch) wroteRequest(info httptrace.WroteRequestInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := len(w.seen) - 1
	if last < 0 {
		return
	}
	r := &w.seen[last]
	if info.Err == nil && !r.whole {
		r.whole = true
		return
	}
	for i := range w.seen {
		if s := &w.seen[i]; s.answered && !s.whole {
			s.whole = true
			return
		}
	}
	if r.whole {
		return
	}
	if r.repeats {
		w.sends.Add(-1)
	}
	w.seen = w.seen[:last]
}

// gotAnswer takes the beginning of an answer: to the last request, as far as can be known. Over HTTP/2 it may be told before the end of the header
// is that it answers, and whoever made the request may have gone on by then: such a request is judged now, by the fields that were told.
func (w *Watch) gotAnswer() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writes.begun {
		w.writes.answered = true
		w.judge(&w.writes)
		return
	}
	if n := len(w.seen); n > 0 {
		w.seen[n-1].answered = true
	}
}

// repeats reports whether a request sends again what was sent before. A method that makes several requests (a login and a call, pages,
// parts) makes different ones; a redirect is another request too. Where a client says how often it tried, that is believed, but for what
// nobody answered: net/http sends that again below the client. A request without a body over HTTP/1 cannot be told from the next page.
func (w *Watch) repeats(r *request) bool {
	if len(w.seen) == 0 || r.referred && !w.seen[0].referred {
		return false
	}
	if r.again {
		return true
	}
	if !r.tells {
		return false
	}
	for i := range w.seen {
		if s := &w.seen[i]; s.sum == r.sum && s.tells && (!r.counted || !s.answered) {
			return true
		}
	}
	return false
}
