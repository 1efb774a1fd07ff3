package policy

import "time"

// Tokens says where requests and answers hold what limits of tokens and bills count: JSON pointers (RFC 6901). An empty one is the preset's
// (see TokenPlacesOf), and where that has none it is not read.
type Tokens struct {
	// Max points into the request, at the most that the answer may cost in output.
	Max string
	// Input, Cached, CacheWrite, Output and Reasoning point into the answer, and into each item of a stream: the last value that
	// is not null counts.
	Input, Cached, CacheWrite, Output, Reasoning string
	// Counts says what of it the limits of the provider count.
	Counts TokenCounts
}

// TokenCounts says what the limits of a provider count. What is zero is the preset's.
type TokenCounts struct {
	// Input says which tokens of a request count; CountInputUnset without a preset is CountAll.
	Input InputCount
	// Output says which output is reserved beforehand; CountOutputUnset without a preset is CountEstimate.
	Output OutputCount
	// Separate says whether input and output have limits of their own; SeparateUnset without a preset is CountTogether. Where they do, a limit
	// of Tokens holds for each of the two.
	Separate Separation
	// Slice is the span in which the provider enforces its limits of tokens, where that is shorter than their Per: no more is sent at once than
	// such a span allows, but for a single call that needs more. 0 without a preset is the whole Per.
	Slice time.Duration
}

// InputCount says which tokens of a request a limit counts.
type InputCount uint8

// The counts of input. The zero value is CountInputUnset.
const (
	// CountInputUnset leaves it to the preset.
	CountInputUnset InputCount = iota
	// CountAll counts every token of the request.
	CountAll
	// CountUncached leaves out those that the provider had cached.
	CountUncached
)

// OutputCount says which output a limit reserves before it is known.
type OutputCount uint8

// The counts of output. The zero value is CountOutputUnset.
const (
	// CountOutputUnset leaves it to the preset.
	CountOutputUnset OutputCount = iota
	// CountEstimate reserves what answers are observed to use, at most what the request allows.
	CountEstimate
	// CountMax reserves all that the request allows; what it does not use is given back.
	CountMax
)

// Separation says whether input and output tokens have limits of their own.
type Separation uint8

// The separations. The zero value is SeparateUnset.
const (
	// SeparateUnset leaves it to the preset.
	SeparateUnset Separation = iota
	// CountTogether has one limit for both.
	CountTogether
	// CountApart has a limit for each.
	CountApart
)

// or returns the counts with the other's in place of those that are unset.
func (c TokenCounts) or(other TokenCounts) TokenCounts {
	if c.Input == CountInputUnset {
		c.Input = other.Input
	}
	if c.Output == CountOutputUnset {
		c.Output = other.Output
	}
	if c.Separate == SeparateUnset {
		c.Separate = other.Separate
	}
	if c.Slice <= 0 {
		c.Slice = other.Slice
	}
	return c
}
