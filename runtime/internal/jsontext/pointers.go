package jsontext

import "strings"

// every is the segment that stands for every item of an array and for every member of an object.
const every = "*"

// Pointers are JSON pointers that are looked for together: in one pass over a text, which allocates nothing. A segment that is "*" stands for
// every item of an array, and for every member of an object: such a pointer leads to many values. The zero value holds none. Safe for
// concurrent use.
type Pointers struct {
	root node
	n    int
}

// node is a token that some of the pointers have at one place.
type node struct {
	token  string
	index  int   // of the token among items; -1 where it is no number
	ends   []int // the pointers that end here
	places []node
	all    *node  // what the pointers have after "*"; nil for none
	sizes  uint64 // of the tokens of places: a bit for each length, up to that of a word
}

// sink takes what pointers lead to: the first told of them one after the other, and of the others the last value into a slice.
type sink struct {
	told  int
	tell  func(i int, value []byte)
	found [][]byte
}

// take takes a value.
func (s *sink) take(i int, value []byte) {
	if i < s.told {
		s.tell(i, value)
	} else {
		s.found[i-s.told] = value
	}
}

// Compile prepares pointers. One that is no JSON pointer leads to nothing.
func Compile(pointers ...string) Pointers {
	p := Pointers{n: len(pointers)}
	for i, pointer := range pointers {
		at := &p.root
		rest, isPointer := strings.CutPrefix(pointer, "/")
		if !isPointer && pointer != "" {
			continue
		}
		for isPointer {
			var token string
			token, rest, isPointer = strings.Cut(rest, "/")
			at = at.place(token)
		}
		at.ends = append(at.ends, i)
	}
	return p
}

// place returns the node of a token, as it is written in a pointer, below this one.
func (n *node) place(token string) *node {
	if token == every {
		if n.all == nil {
			n.all = &node{token: token, index: -1}
		}
		return n.all
	}
	token = unescapeToken(token)
	for i := range n.places {
		if n.places[i].token == token {
			return &n.places[i]
		}
	}
	next := node{token: token, index: -1}
	if i, ok := index(token); ok {
		next.index = i
	}
	n.places = append(n.places, next)
	n.sizes |= sizeBit(len(token))
	return &n.places[len(n.places)-1]
}

// Len returns how many there are.
func (p *Pointers) Len() int { return p.n }

// Find sets found[i] to the value at pointer i, as the function Find would return it, and to nil where there is none; found is of length
// Len. Of the values of a pointer with "*" it is the last. A text whose structure is broken where the pointers lead has no value at all, and
// Find returns false.
func (p *Pointers) Find(text []byte, found [][]byte) bool {
	return p.walk(At(text), &sink{found: found})
}

// Each calls tell with each value that pointer i leads to, as it was written, in the order of the text; of members with one key with each. It
// is false where the structure is broken: what was told so far is then no proof of anything.
func (p *Pointers) Each(text []byte, tell func(i int, value []byte)) bool {
	return p.walk(At(text), &sink{told: p.n, tell: tell})
}

// EachAndFind is, in one walk, Each for the first pointers and Find for the last of them, as many as found is long. Of the text, which does
// not begin with a byte order mark, long is known; nil is nothing.
func (p *Pointers) EachAndFind(text []byte, long Long, tell func(i int, value []byte), found [][]byte) bool {
	return p.walk(AtKnowing(text, long), &sink{told: p.n - len(found), tell: tell, found: found})
}

// walk passes over a text.
func (p *Pointers) walk(c Cursor, s *sink) bool {
	clear(s.found)
	p.root.find(&c, s)
	if c.bad {
		clear(s.found)
	}
	return !c.bad
}

// Roots returns the members of the outermost object in which the pointers begin; false if there is one that is all of the text, or that
// begins in every member.
func (p *Pointers) Roots() ([]string, bool) {
	names := make([]string, len(p.root.places))
	for i := range p.root.places {
		names[i] = p.root.places[i].token
	}
	return names, len(p.root.ends) == 0 && p.root.all == nil
}

// FindIn is Find in an object of which the values of its Roots are known: nil for one that is not there.
func (p *Pointers) FindIn(values, found [][]byte) bool {
	clear(found)
	if !p.in(values, &sink{found: found}) {
		clear(found)
		return false
	}
	return true
}

// EachIn is Each in an object of which the values of its Roots are known: nil for one that is not there.
func (p *Pointers) EachIn(values [][]byte, tell func(i int, value []byte)) bool {
	return p.in(values, &sink{told: p.n, tell: tell})
}

// in passes over the values of the Roots.
func (p *Pointers) in(values [][]byte, s *sink) bool {
	for i, value := range values {
		if value == nil {
			continue
		}
		c := Cursor{text: value}
		if p.root.places[i].find(&c, s); c.bad {
			return false
		}
	}
	return true
}

// find passes over the value, and notes what the pointers lead to in it. The recursion is as deep as the longest pointer.
func (n *node) find(c *Cursor, s *sink) {
	c.peek()
	from := c.at
	switch {
	case len(n.places) == 0 && n.all == nil:
		c.Skip()
	case c.Open('{'):
		seen := uint64(0)
		for key, ok := c.Member(); ok; key, ok = c.Member() {
			at := n.member(key)
			if at < 0 {
				n.enter(nil, c, s)
				continue
			}
			if bit := uint64(1) << (at % 64); seen&bit != 0 { //nolint:mnd // bits of a word; more members than that are forgotten for nothing
				n.places[at].forget(s)
			} else {
				seen |= bit
			}
			n.enter(&n.places[at], c, s)
		}
	case c.Open('['):
		for i := 0; c.Item(); i++ {
			n.enter(n.item(i), c, s)
		}
	default:
		c.Skip()
	}
	if c.bad {
		return
	}
	for _, i := range n.ends {
		s.take(i, c.text[from:c.at])
	}
}

// enter passes over what is below this node: it is at next, nil for none, and at what is there of all.
func (n *node) enter(next *node, c *Cursor, s *sink) {
	switch {
	case next != nil && n.all != nil:
		again := *c
		next.find(c, s)
		n.all.find(&again, s)
	case next != nil:
		next.find(c, s)
	case n.all != nil:
		n.all.find(c, s)
	default:
		c.Skip()
	}
}

// member returns which of the places a member is; -1 for none.
func (n *node) member(key Key) int {
	if key.escaped {
		key.written, key.escaped = []byte(key.Text()), false
	}
	if n.sizes&sizeBit(len(key.written)) == 0 { // most members
		return -1
	}
	for i := range n.places {
		if n.places[i].token == string(key.written) {
			return i
		}
	}
	return -1
}

// sizeBit is the bit of a length; the last is of all that are longer.
func sizeBit(n int) uint64 { return 1 << min(n, 63) } //nolint:mnd // bits of a word

func (n *node) item(i int) *node {
	for k := range n.places {
		if n.places[k].index == i {
			return &n.places[k]
		}
	}
	return nil
}

// forget takes back what was found here and below: a key that comes again replaces its member as a whole.
func (n *node) forget(s *sink) {
	for _, i := range n.ends {
		if i >= s.told {
			s.found[i-s.told] = nil
		}
	}
	for i := range n.places {
		n.places[i].forget(s)
	}
	if n.all != nil {
		n.all.forget(s)
	}
}
