package runtime

import (
	"sync"

	"github.com/resgen-go/resgen/runtime/policy"
)

// waits knows which calls wait for a permit, or in the line of a limit. The zero value is ready. Safe for concurrent use.
type waits struct {
	mu    sync.Mutex
	calls map[waitKey]chan struct{}
}

// waitKey is what a call waits for: a permit of a bulkhead, or that its turn of a limit comes earlier.
type waitKey struct {
	bulkhead *policy.Bulkhead
	limiter  *policy.Limiter
	permit   policy.Permit
}

// keyOf returns what an action is about.
func keyOf(a *policy.Action) waitKey { return waitKey{a.Bulkhead, a.Limiter, a.Permit} }

// isGranted reports whether there is nothing left to wait for.
func (k waitKey) isGranted() bool {
	if k.limiter != nil {
		return k.limiter.IsRoused(k.permit)
	}
	return k.bulkhead.Holds(k.permit)
}

// await makes the call known that waits for the permit, and returns what is closed once the permit is granted.
func (w *waits) await(k waitKey) chan struct{} {
	granted := make(chan struct{})
	w.mu.Lock()
	if w.calls == nil {
		w.calls = map[waitKey]chan struct{}{}
	}
	w.calls[k] = granted
	w.mu.Unlock()
	if k.isGranted() { // the grant came before the call was known
		w.wake(k)
	}
	return granted
}

// wake tells the call that its permit is granted. A call that is not known has given up, or will see for itself.
func (w *waits) wake(k waitKey) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if granted, ok := w.calls[k]; ok {
		close(granted)
		delete(w.calls, k)
	}
}

// forget takes back that the call waits.
func (w *waits) forget(k waitKey) {
	w.mu.Lock()
	delete(w.calls, k)
	w.mu.Unlock()
}
