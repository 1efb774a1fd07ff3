package runtime

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// space is what is known of the vector space that an operation answers in: how long the vectors of each model are. It is one for all rungs
// and targets of the operation, because they are to answer in one space. Safe for concurrent use.
type space struct {
	plan   *policy.Space
	places *wire.VectorPlaces

	mu   sync.Mutex
	seen map[string][2]int // the lengths of lists and of bytes, by model
}

const (
	// mostModels is how many models are remembered. Of others only what was asked for is checked.
	mostModels = 1000
	// longestModel is the longest name that is remembered.
	longestModel = 1 << 10
)

// newSpace returns what is known at first; nil where the answers of the operation have no vectors that could be checked.
func newSpace(plan *policy.Plan) *space {
	if len(plan.Space.Vectors) == 0 {
		return nil
	}
	return &space{plan: &plan.Space, places: wire.VectorsAt(plan.Space.Vectors...), seen: map[string][2]int{}}
}

// check has the vectors of an answer checked against what the request asks for, and what equal requests were answered before.
func (s *space) check(req *wire.Request, resp *wire.Response) {
	c := &spaceCheck{space: s, req: req}
	resp.CheckVectors(s.places, c.accept, c.remember)
}

// spaceCheck is the check of one answer.
type spaceCheck struct {
	*space

	req   *wire.Request
	begun bool
	asked int    // what the request asks for; 0 is nothing
	model string // the name under which lengths are remembered; empty where they are not
	bits  bool   // the request asks for a bit for each number, eight of which are one number of a list
	// fits are the lengths that are right: of lists and of bytes. 0 is not known yet.
	fits [2]int
}

// begin looks into the request, once there is a vector.
func (c *spaceCheck) begin() {
	c.begun = true
	if at := c.plan.Dimensions; at != "" {
		if n, ok := c.req.Number(at); ok && n > 0 && n <= math.MaxInt32 {
			c.asked = int(n)
		}
	}
	model := ""
	if at := c.plan.Model; at != "" {
		model, _ = c.req.Scalar(at)
	}
	form := ""
	for _, at := range formsAt {
		if said, ok := c.req.Scalar(at); ok {
			form = said
		}
	}
	c.bits = form == "binary" || form == "ubinary"
	// The path may name the model, or what has a space of its own: a deployment, a collection. Lists
	// of another form have another length.
	if c.model = c.req.EscapedPath() + "\n" + model + "\n" + form; len(c.model) > longestModel {
		c.model = ""
	}
}

// formsAt is where a request says in which form it wants its numbers: Voyage and Mistral, and Jina.
var formsAt = []string{"/output_dtype", "/embedding_type"}

// accept returns what is wrong with a vector.
func (c *spaceCheck) accept(v wire.Vector) error {
	if v.Length > 0 && v.Length == c.fits[sortOf(v)] {
		return nil
	}
	if !c.begun {
		c.begin()
	}
	if err := c.judge(v); err != nil {
		return err
	}
	c.fits[sortOf(v)] = v.Length
	return nil
}

// sortOf is 1 for bytes, 0 for lists.
func sortOf(v wire.Vector) int {
	if v.Bytes {
		return 1
	}
	return 0
}

var errEmptyVector = errors.New("a vector without numbers")

func (c *spaceCheck) judge(v wire.Vector) error {
	switch before := c.before(v); {
	case v.Length == 0:
		return errEmptyVector
	case c.asked > 0 && !holds(v, c.asked) && (!c.bits || v.Length != bytesOf(c.asked)):
		return fmt.Errorf("a vector of %s, and %d numbers were asked for", lengthOf(v), c.asked)
	case before > 0 && before != v.Length && c.asked == 0:
		return fmt.Errorf("a vector of %s, and those before had %d: another model answers, in another vector space", lengthOf(v), before)
	default:
		return nil
	}
}

// before returns how long the vectors before were, in this answer or in others; 0 is not known.
func (c *spaceCheck) before(v wire.Vector) int {
	if n := c.fits[sortOf(v)]; n > 0 {
		return n
	}
	if c.model == "" {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen[c.model][sortOf(v)]
}

// remember keeps the lengths of an answer all of whose vectors are right, unless the request asked for them.
func (c *spaceCheck) remember() {
	if c.fits == [2]int{} || c.asked > 0 || c.model == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	seen, known := c.seen[c.model]
	if !known && len(c.seen) >= mostModels {
		return
	}
	for i, n := range c.fits {
		if seen[i] == 0 {
			seen[i] = n
		}
	}
	c.seen[c.model] = seen
}

// holds reports whether a vector has that many numbers. Bytes may be numbers of four bytes, of one, or of one bit.
func holds(v wire.Vector, numbers int) bool {
	const float = 4
	return v.Length == numbers && !v.Bytes || v.Bytes && (v.Length == float*numbers || v.Length == numbers || v.Length == bytesOf(numbers))
}

// bytesOf is how many bytes have that many bits.
func bytesOf(bits int) int {
	const inByte = 8
	return (bits + inByte - 1) / inByte
}

func lengthOf(v wire.Vector) string {
	if v.Bytes {
		return fmt.Sprintf("%d bytes", v.Length)
	}
	return fmt.Sprintf("%d numbers", v.Length)
}
