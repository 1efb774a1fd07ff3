package server

import (
	"io"
	"net/http"
)

// Fault is what goes wrong with every request until another is set. The zero value is that nothing does.
type Fault uint8

// The faults.
const (
	// None is that the server works.
	None Fault = iota
	// Unavailable answers 503.
	Unavailable
	// Gone breaks the connection.
	Gone
	// Hang takes the request and answers nothing.
	Hang
)

// SetFault says what goes wrong from now on.
func (s *Server) SetFault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// strike does what the fault does, and reports whether it was one.
func (f Fault) strike(w http.ResponseWriter, r *http.Request) bool {
	switch f {
	case Unavailable:
		refuse(w, http.StatusServiceUnavailable, "down for maintenance")
	case Gone:
		panic(http.ErrAbortHandler)
	case Hang:
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server learn that the caller has gone
		<-r.Context().Done()
	default:
		return false
	}
	return true
}
