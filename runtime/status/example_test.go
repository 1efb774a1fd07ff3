package status_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/status"
)

// A program shows its clients, says when it is ready, and offers a synthetic call to those who may ask for it.
func Example() {
	group := runtime.NewGroup()
	s := status.New(group)
	// client, err := llm.New(llm.WithGroup(group), llm.WithObserver(s.Observer()))
	s.Ready = []status.Check{{Name: "index loaded", Run: func(context.Context) error { return nil }}}
	server := httptest.NewServer(s.Mux()) // in a program: a server on a port that the public does not reach
	defer server.Close()

	s.Enter(status.Stopping) // on a signal to end
	ready := httptest.NewRecorder()
	s.Readyz().ServeHTTP(ready, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	fmt.Println(ready.Code, strings.Join(strings.Fields(ready.Body.String()), " "))
	// Output: 503 { "ready": false, "phase": "stopping", "checks": [] }
}
