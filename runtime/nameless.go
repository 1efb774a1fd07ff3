package runtime

import "github.com/resgen-go/resgen/runtime/policy"

// carrier is an Input that can tell whether a request names all that it writes.
type carrier interface{ Carries(pointers []string) bool }

// splitOff prepares what makes the calls whose requests do not name all that they write: the operation with its machines, as one that is
// not repeatable.
func (op *Operation) splitOff() {
	if !op.plan.IsNamed() {
		return
	}
	op.nameless = &Operation{
		client: op.client, name: op.name, plan: policy.Nameless(&op.plan), rungs: make([]policy.Machines, len(op.rungs)),
		names: op.names, breakers: op.breakers, hedges: make([]*sharedBreaker, len(op.rungs)), group: op.group, observer: op.observer,
		chaos: op.chaos,
		sends: op.sends, classify: op.classify, epoch: op.epoch, sized: op.sized, fits: op.fits, space: op.space,
		own: op.own, dialects: op.dialects, asks: op.asks, allowed: op.allowed, isNameless: true,
	}
	for i, m := range op.rungs {
		m.Hedger, m.Hedge = nil, nil
		op.nameless.rungs[i] = m
	}
	op.nameless.straight = op.nameless.goesStraight()
}

// of returns what makes a call: the operation itself, or, where the request does not name all that it writes, the one that is not repeatable.
func (op *Operation) of(in []Input) *Operation {
	if op.nameless == nil {
		return op
	}
	if c, ok := inputOf(in).(carrier); ok && c.Carries(op.plan.IDs) {
		return op
	}
	return op.nameless
}
