package runtime_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// A client of some operations makes those, and rejects the calls of others without sending anything.
func TestOperationsThatAreLeftOut(t *testing.T) {
	t.Parallel()
	never := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		t.Error("a request is sent")
		return nil, errors.New("nobody is there")
	})}
	h := runtime.NewHTTP(runtime.HTTPSpec{Name: "c", BaseURL: "http://a.test"}, runtime.WithHTTPClient(never), runtime.WithOperations("kept"))
	kept, left := h.Operation(policy.Plan{Operation: "kept"}), h.Operation(policy.Plan{Operation: "other"})
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	run := func(context.Context, runtime.Attempt) (string, error) { return "made", nil }
	if got, err := runtime.Do(t.Context(), kept, run); got != "made" || err != nil {
		t.Errorf("kept: %q, %v", got, err)
	}
	if got, err := runtime.Do(t.Context(), left, run); !errors.Is(err, runtime.ErrBreakerOpen) {
		t.Errorf("left out: %q, %v; want it rejected", got, err)
	}
}
