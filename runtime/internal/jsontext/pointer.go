package jsontext

import (
	"strconv"
	"strings"
)

// Find returns the value at a JSON pointer (RFC 6901) into a text, as it was written, and whether there is one; null is one. Of members
// with one key the last counts, as with encoding/json. A text whose structure is broken on the way has none.
func Find(text []byte, pointer string) ([]byte, bool) {
	c := At(text)
	for pointer != "" {
		if pointer[0] != '/' {
			return nil, false
		}
		token := pointer[1:]
		if end := strings.IndexByte(token, '/'); end >= 0 {
			token = token[:end]
		}
		pointer = pointer[1+len(token):]
		value, ok := c.child(unescapeToken(token))
		if !ok {
			return nil, false
		}
		c = Cursor{text: value}
	}
	value := c.Skip()
	return value, c.OK()
}

// Member returns the value of a member of the object that a text is, as it was written, and whether there is one; null is one. Of members with
// one key the last counts. Anything but an object has none, and neither has one whose structure is broken.
func Member(text []byte, name string) ([]byte, bool) {
	c := At(text)
	if c.peek() != '{' {
		return nil, false
	}
	return c.child(name)
}

// child returns the member of that name, or the item of that number.
func (c *Cursor) child(token string) (value []byte, found bool) {
	switch {
	case c.Open('{'):
		for key, ok := c.Member(); ok; key, ok = c.Member() {
			v := c.Skip()
			if key.Is(token) {
				value, found = v, true
			}
		}
	case c.Open('['):
		wanted, isNumber := index(token)
		for i := 0; c.Item(); i++ {
			v := c.Skip()
			if isNumber && i == wanted {
				value, found = v, true
			}
		}
	}
	return value, found && c.OK()
}

// index returns the number of an item that a token names.
func index(token string) (int, bool) {
	i, err := strconv.Atoi(token)
	return i, err == nil && i >= 0 && strconv.Itoa(i) == token
}

// unescapeToken returns what a token of a pointer means.
func unescapeToken(token string) string {
	if strings.IndexByte(token, '~') < 0 {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// Pointers are JSON pointers that are looked for together: in one pass over a text, which allocates nothing. The zero value holds none.
// Safe for concurrent use.
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
			at = at.place(unescapeToken(token))
		}
		at.ends = append(at.ends, i)
	}
	return p
}

// place returns the node of a token below this one.
func (n *node) place(token string) *node {
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

// Find sets found[i] to the value at pointer i, as Find would return it, and to nil where there is none; found is of length Len. A text
// whose structure is broken where the pointers lead has no value at all, and Find returns false.
func (p *Pointers) Find(text []byte, found [][]byte) bool {
	clear(found)
	c := At(text)
	p.root.find(&c, found)
	if c.bad {
		clear(found)
	}
	return !c.bad
}

// Roots returns the members of the outermost object in which the pointers begin; false if there is one that is all of the text.
func (p *Pointers) Roots() ([]string, bool) {
	names := make([]string, len(p.root.places))
	for i := range p.root.places {
		names[i] = p.root.places[i].token
	}
	return names, len(p.root.ends) == 0
}

// FindIn is Find in an object of which the values of its Roots are known: nil for one that is not there.
func (p *Pointers) FindIn(values, found [][]byte) bool {
	clear(found)
	for i, value := range values {
		if value == nil {
			continue
		}
		c := Cursor{text: value}
		if p.root.places[i].find(&c, found); c.bad {
			clear(found)
			return false
		}
	}
	return true
}

// find passes over the value, and notes what the pointers lead to in it. The recursion is as deep as the longest pointer.
func (n *node) find(c *Cursor, found [][]byte) {
	c.peek()
	from := c.at
	switch {
	case len(n.places) == 0:
		c.Skip()
	case c.Open('{'):
		for key, ok := c.Member(); ok; key, ok = c.Member() {
			if next := n.member(key); next != nil {
				next.forget(found)
				next.find(c, found)
			} else {
				c.Skip()
			}
		}
	case c.Open('['):
		for i := 0; c.Item(); i++ {
			if next := n.item(i); next != nil {
				next.find(c, found)
			} else {
				c.Skip()
			}
		}
	default:
		c.Skip()
	}
	if c.bad {
		return
	}
	for _, i := range n.ends {
		found[i] = c.text[from:c.at]
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
	for _, i := range n.ends {
		found[i] = nil
	}
	for i := range n.places {
		n.places[i].forget(found)
	}
}
