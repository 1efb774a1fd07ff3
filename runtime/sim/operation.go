package sim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Operation is one of the operations of a client that are played together.
type Operation struct {
	// Plan is what is decided about it. Plan.Operation is its name, by which clients of a scenario ask for it.
	Plan policy.Plan
	// Weight is its share of the calls of clients that name no operation, relative to those of the others; 0 means 1.
	Weight float64
	// Size is what its requests send, and Used what an answer says that it used: limits of tokens and of money count both.
	Size policy.Size
	Used policy.Usage
	// Latency is how long its answers take at servers that say nothing of that, and Stream how long they go on.
	Latency Latency
	Stream  time.Duration
}

// What is wrong with operations.
var (
	errNoOperations = errors.New("there is no operation")
	errWeight       = errors.New("a weight is below 0")
	errNoSuch       = errors.New("no operation has that name")
)

// validate returns what is wrong with the operations, or with what the scenario asks of them.
func validate(s Scenario, ops []Operation) error {
	if len(ops) == 0 {
		return errNoOperations
	}
	for i := range ops {
		plan := &ops[i].Plan
		for _, p := range plan.Validate() {
			if !p.Warning {
				return fmt.Errorf("plan of %s: %w", plan.Operation, p)
			}
		}
		if l := &ops[i].Latency; !notBelow(float64(l.Median), l.Sigma, l.SlowFactor, float64(ops[i].Stream)) {
			return fmt.Errorf("operation %s: %w", plan.Operation, errNegative)
		}
		if !notBelow(ops[i].Weight) {
			return fmt.Errorf("operation %s: %w", plan.Operation, errWeight)
		}
	}
	for i := range s.Clients {
		if c := &s.Clients[i]; c.Operation != "" && find(ops, c.Operation) < 0 {
			return fmt.Errorf("client %s: operation %q: %w", c.Name, c.Operation, errNoSuch)
		}
	}
	return nil
}

// find returns the place of the operation of that name, -1 if there is none.
func find(ops []Operation, name string) int {
	for i := range ops {
		if ops[i].Plan.Operation == name {
			return i
		}
	}
	return -1
}

// operation is an Operation at work.
type operation struct {
	number   int
	plan     policy.Plan
	size     policy.Size
	used     policy.Usage
	latency  Latency
	stream   time.Duration
	machines []policy.Machines
	rungs    []rung
	exercise *policy.Exercise // nil where nothing is exercised for callers
	straight bool             // calls go straight where they may
}

// mix says of which operation the next call is.
type mix struct {
	rand  *rand.Rand
	sums  []float64 // of the weights up to each operation
	named map[string]int
}

func newMix(ops []Operation, r *rand.Rand) mix {
	m := mix{rand: r, named: map[string]int{}}
	sum := 0.0
	for i := range ops {
		w := ops[i].Weight
		if w == 0 {
			w = 1
		}
		sum += w
		m.sums = append(m.sums, sum)
		if _, ok := m.named[ops[i].Plan.Operation]; !ok {
			m.named[ops[i].Plan.Operation] = i
		}
	}
	return m
}

// next returns the operation of a client's next call. Where there is no choice it draws nothing.
func (m *mix) next(c *Client) int {
	last := len(m.sums) - 1
	switch {
	case c.Operation != "":
		return m.named[c.Operation]
	case last == 0:
		return 0
	}
	at := m.rand.Float64() * m.sums[last]
	i, _ := slices.BinarySearch(m.sums, math.Nextafter(at, math.Inf(1))) // the first sum above it
	return min(i, last)
}
