package inbound

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

// Mark tells the caller of this program what the error of a resgen call says about trying again, in the header of the answer: that there
// is no use in it, where the call's own budget is gone, its breaker is open, or the target said so itself; and when there may be, where
// that is known. The first is X-Resgen-Do-Not-Retry: 1, the second Retry-After in whole seconds, rounded up. Call it before the status is
// written. It reports whether trying again is of no use.
//
//	answer, err := c.llm.CreateChatCompletion(r.Context(), req)
//	if err != nil {
//		inbound.Mark(w, err)
//		http.Error(w, "no answer", http.StatusServiceUnavailable)
//		return
//	}
//
// Without it the caller tries again what has been tried here already, and so does its caller: three tries at each of three layers are 27.
func Mark(w http.ResponseWriter, err error) bool {
	stop, wait := Advice(err)
	if stop {
		w.Header().Set(headerDoNotRetry, yes)
	}
	if wait > 0 {
		seconds := int64((wait + time.Second - 1) / time.Second)
		w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
	}
	return stop
}

// Advice returns what Mark tells, for servers that speak no HTTP: whether there is no use in trying again (stop), and how long to wait
// before anything is tried (wait); 0 is not known. An error that is of no call gives neither. In gRPC stop is a grpc-retry-pushback-ms of
// -1.
func Advice(err error) (stop bool, wait time.Duration) {
	var call *runtime.Error
	if !errors.As(err, &call) {
		return false, 0
	}
	if !call.NotBefore.IsZero() {
		wait = max(time.Until(call.NotBefore), 0)
	}
	return errors.Is(call, runtime.ErrBudget) || errors.Is(call, runtime.ErrBreakerOpen) || advised(call), wait
}

// advised reports whether a target below said that there is no use in trying again.
func advised(call *runtime.Error) bool {
	var response *wire.StatusError
	return errors.As(call, &response) &&
		(response.Header.Get(headerDoNotRetry) == yes || response.Header.Get("X-Should-Retry") == "false")
}
