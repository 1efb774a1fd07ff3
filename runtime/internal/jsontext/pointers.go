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
	all    *node // what the pointers have after "*"; nil for none
}

// sink takes what pointers lead to: into a slice, where the last value of a pointer counts, or one after the other.
type sink struct {
	found [][]byte
	tell  func(i int, value []byte)
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
	return &n.places[len(n.places)-1]
}

// Len returns how many there are.
func (p *Pointers) Len() int { return p.n }

// Find sets found[i] to the value at pointer i, as the function Find would return it, and to nil where there is none; found is of length
// Len. Of the values of a pointer with "*" it is the last. A text whose structure is broken where the pointers lead has no value at all, and
// Find returns false.
func (p *Pointers) Find(text []byte, found [][]byte) bool {
	clear(found)
	c := At(text)
	p.root.find(&c, sink{found: found})
	if c.bad {
		clear(found)
	}
	return !c.bad
}

// Each calls tell with each value that pointer i leads to, as it was written, in the order of the text; of members with one key with each. It
// is false where the structure is broken: what was told so far is then no proof of anything.
func (p *Pointers) Each(text []byte, tell func(i int, value []byte)) bool { return p.each(At(text), tell) }

// EachKnowing is Each for a text that does not begin with a byte order mark, of which that is known.
func (p *Pointers) EachKnowing(text []byte, long Long, tell func(i int, value []byte)) bool {
	return p.each(AtKnowing(text, long), tell)
}

func (p *Pointers) each(c Cursor, tell func(i int, value []byte)) bool {
	p.root.find(&c, sink{tell: tell})
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
	if !p.in(values, sink{found: found}) {
		clear(found)
		return false
	}
	return true
}

// EachIn is Each in an object of which the values of its Roots are known: nil for one that is not there.
func (p *Pointers) EachIn(values [][]byte, tell func(i int, value []byte)) bool {
	return p.in(values, sink{tell: tell})
}

// in passes over the values of the Roots.
func (p *Pointers) in(values [][]byte, s sink) bool {
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
func (n *node) find(c *Cursor, s sink) {
	c.peek()
	from := c.at
	switch {
	case len(n.places) == 0 && n.all == nil:
		c.Skip()
	case c.Open('{'):
		for key, ok := c.Member(); ok; key, ok = c.Member() {
			next := n.member(key)
			if next != nil {
				next.forget(s.found)
			}
			n.enter(next, c, s)
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
		if s.tell != nil {
			s.tell(i, c.text[from:c.at])
		} else {
			s.found[i] = c.text[from:c.at]
		}
	}
}

// enter passes over what is below this node: it is at next, nil for none, and at what is there of all.
func (n *node) enter(next *node, c *Cursor, s sink) {
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

func (n *node) member(key Key) *node {
	for i := range n.places {
		if key.Is(n.places[i].token) {
			return &n.places[i]
		}
	}
	return nil
}

func (n *node) item(i int) *node {
	for k := range n.places {
		if n.places[k].index == i {
			return &n.places[k]
		}
	}
	return nil
}

// forget takes back what was found here and below: a key that comes again replaces its member as a whole.
func (n *node) forget(found [][]byte) {
	if found == nil {
		return
	}
	for _, i := range n.ends {
		found[i] = nil
	}
	for i := range n.places {
		n.places[i].forget(found)
	}
	if n.all != nil {
		n.all.forget(found)
	}
}
