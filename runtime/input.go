package runtime

// Input is what a call asks, for the machines that look into it: the cache, and limits of tokens. *wire.Request is one. Generated methods
// pass it where the plan of the operation needs it; without one nothing is cached, and the tokens of a call are estimated without knowing
// how large it is.
//
// A function that makes attempts of a call with an Input must make them by Send or SendStream: what a cache remembers is given
// there, in place of the target's answer, and what the target answers is taken there, to be remembered and to count its tokens. A function
// that goes another way asks the target where the call, its result and its events say that the answer was remembered.
type Input interface {
	// CacheKey returns what calls that ask the same have in common: all of the request, or of its JSON body only the values at the
	// given pointers (RFC 6901). False means that there is no telling: such a call is not cached.
	CacheKey(pointers []string) (string, bool)
	// Size returns the length of the body in bytes.
	Size() int
	// Number returns the number at a JSON pointer into the body, and whether there is one.
	Number(pointer string) (float64, bool)
}

// inputOf returns the one input that a call was given; nil if none.
func inputOf(in []Input) Input {
	if len(in) == 0 {
		return nil
	}
	return in[0]
}
