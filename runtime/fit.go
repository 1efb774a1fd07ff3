package runtime

import (
	"fmt"

	"github.com/resgen-go/resgen/runtime/policy"
)

// user is an Input that can tell what its request has.
type user interface {
	Uses(pointer string, values []string) bool
}

// misfits says which rungs cannot take a request. Of an Input that does not tell what its request has, none lacks anything.
func (op *Operation) misfits(in Input, size policy.Size) []policy.Misfit {
	u, _ := in.(user)
	return policy.Misfits(op.fits, op.rungs, size, func(m policy.Match) bool { return u != nil && u.Uses(m.Pointer, m.Values) })
}

// unfitError is a rung that cannot take the request.
type unfitError struct {
	rung string
	why  policy.Misfit
}

// unfitError returns why the request was not sent on a rung.
func (d *driver) unfitError(rung int) error {
	e := &unfitError{rung: d.op.names[rung]}
	if rung == 0 {
		e.rung = d.op.machineName(0, nil)
	}
	if rung < len(d.unfit) {
		e.why = d.unfit[rung]
	}
	return e
}

// Error says what the request has that the rung cannot take.
func (e *unfitError) Error() string {
	if e.why.Lacks != "" {
		return fmt.Sprintf("unfit: %q lacks what the request has at %s", e.rung, e.why.Lacks)
	}
	return fmt.Sprintf("unfit: %q takes at most %d tokens of input, and the request has about %d", e.rung, e.why.Most, e.why.Input)
}
