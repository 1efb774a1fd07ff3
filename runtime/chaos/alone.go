package chaos

import "github.com/resgen-go/resgen/runtime"

// Alone returns the fault as one attempt meets it, for servers that stand in for others in tests, such as those of package runtimetest. No
// client meets it: there is no plan, and so nothing to be switched on. name says by whom it was made up. It fails where the fault contradicts
// itself.
func (f *Fault) Alone(name string, at runtime.ChaosAttempt) (runtime.Fault, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	own := *f
	return &injection{plan: name, fault: &own, at: at}, nil
}
