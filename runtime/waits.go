package runtime

import (
	"sync"

	"github.com/resgen-go/resgen/runtime/policy"
)

// waits knows which calls wait for a permit. The zero value is ready. Safe for concurrent use.
type waits struct {
	mu    sync.Mutex
	calls map[waitKey]chan struct{}
}

type waitKey struct {
	bulkhead *policy.Bulkhead
	permit   policy.Permit
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
	if k.bulkhead.Holds(k.permit) { // the grant came before the call was known
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
