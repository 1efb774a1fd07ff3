package inbound_test

import (
	"net/http"
	"time"

	"github.com/resgen-go/resgen/runtime/inbound"
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
	server := &http.Server{Addr: ":8443", Handler: in.Handler(mux), ReadHeaderTimeout: time.Second}
	_ = server
}

// callOfAClient is what the program does with a generated client.
func callOfAClient(*http.Request) error { return nil }
