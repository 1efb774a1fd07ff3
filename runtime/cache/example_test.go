package cache_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// A generated client does what this one does by hand: it is given a store, and its second call is answered without asking the target.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Println("asked")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"name":"gpt"}`))
	}))
	defer server.Close()

	type model struct {
		Name string `json:"name"`
	}
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "llm", BaseURL: server.URL}, runtime.WithStore(cache.New(cache.Config{Entries: 1000})))
	get := h.Operation(policy.Plan{
		Operation: "GetModel", Idempotency: policy.Safe, Cache: policy.CacheConfig{On: true, TTL: time.Minute},
	})
	if err := h.Err(); err != nil {
		panic(err)
	}
	for range 2 {
		request := wire.NewRequest(http.MethodGet, "/models/gpt")
		answer, err := runtime.DoResult(context.Background(), get, func(ctx context.Context, at runtime.Attempt) (*model, error) {
			return runtime.Send(ctx, h, at, request, wire.JSON[model])
		}, request)
		fmt.Println(answer.Value, answer.Attempts, err)
	}
	// Output:
	// asked
	// &{gpt} 1 <nil>
	// &{gpt} 0 <nil>
}
