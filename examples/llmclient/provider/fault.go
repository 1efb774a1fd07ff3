package provider

import (
	"encoding/json"
	"net/http"
)

// Fault is one way to fail. The zero value is none.
type Fault uint8

// The faults.
const (
	// None answers as it should.
	None Fault = iota
	// Throttled answers 429 with `Retry-After: 1`.
	Throttled
	// ThrottledSilently answers 429 and does not say for how long.
	ThrottledSilently
	// Unavailable answers 503.
	Unavailable
	// Hang reads the request and never answers.
	Hang
	// StallFirst sends the header of a stream and no item.
	StallFirst
	// StallMiddle sends some items of a stream and then nothing more.
	StallMiddle
	// Truncate cuts a stream, or a body, in the middle.
	Truncate
	// Malformed answers 200 with a body that is not JSON.
	Malformed
)

// String names the fault for the example's table.
func (f Fault) String() string {
	switch f {
	case None:
		return "answers"
	case Throttled:
		return "429, Retry-After: 1"
	case ThrottledSilently:
		return "429"
	case Unavailable:
		return "503"
	case Hang:
		return "hangs"
	case StallFirst:
		return "stalls before the first token"
	case StallMiddle:
		return "stalls in mid-stream"
	case Truncate:
		return "cuts the answer"
	case Malformed:
		return "200 with broken JSON"
	default:
		return "unknown fault"
	}
}

// beforeAnswer carries out the faults that need no answer, and reports whether the request is done.
func (f Fault) beforeAnswer(w http.ResponseWriter, r *http.Request) bool {
	switch f {
	case Throttled:
		w.Header().Set("Retry-After", "1")
		fail(w, http.StatusTooManyRequests, "rate_limit_exceeded", "too many requests")
	case ThrottledSilently:
		fail(w, http.StatusTooManyRequests, "rate_limit_exceeded", "too many requests")
	case Unavailable:
		fail(w, http.StatusServiceUnavailable, "server_error", "the model is down")
	case Hang:
		<-r.Context().Done()
	case Malformed:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"id": "chat-1", "choices": [{"index": 0, "mess`)) // the client is gone if this fails
	case None, StallFirst, StallMiddle, Truncate:
		return false
	}
	return true
}

// fail answers with the error body that OpenAI-compatible servers share.
func fail(w http.ResponseWriter, status int, code, message string) {
	type details struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Code    string `json:"code"`
	}
	text, err := json.Marshal(struct {
		Error details `json:"error"`
	}{details{message, code, code}})
	if err != nil {
		panic(http.ErrAbortHandler) // strings always marshal
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client is gone if this fails
}
