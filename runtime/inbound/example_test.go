package inbound_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/inbound"
	"github.com/resgen-go/resgen/runtime/policy"
)

// A server takes the signals of programs that show a certificate of ours, and bounds every request.
func Example() {
	in := inbound.New(inbound.Config{
		TrustSignals: func(r *http.Request) bool { return r.TLS != nil && len(r.TLS.VerifiedChains) > 0 },
		Timeout:      10 * time.Second,
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /answer", func(w http.ResponseWriter, r *http.Request) {
		if err := callOfAClient(r); err != nil {
			inbound.Mark(w, err) // before the status is written
			http.Error(w, "no answer", http.StatusServiceUnavailable)
		}
	})
	server := httptest.NewServer(in.Handler(mux))
	defer server.Close()

	answer, err := http.Get(server.URL + "/answer")
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	fmt.Println(answer.StatusCode, answer.Header.Get("X-Resgen-Do-Not-Retry"))
	// Output: 503 1
}

// callOfAClient stands for a call of a generated client whose breaker is open.
func callOfAClient(*http.Request) error {
	return &runtime.Error{Operation: "llm.CreateChat", Kind: policy.KindBreakerOpen}
}
