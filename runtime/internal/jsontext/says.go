package jsontext

// Says reports whether the value says anything: it is no null, no false and no empty text, and no list or object of such values alone. It
// looks no further than to the first value that does; a value that says nothing is passed over. What lies deeper than depth brackets says
// something.
func (c *Cursor) Says(depth int) bool {
	if depth < 0 {
		return true
	}
	switch c.peek() {
	case 0, ',', ':', ']', '}': // broken
		c.bad = true
		return false
	case '"':
		if c.at+1 < len(c.text) && c.text[c.at+1] != '"' {
			return true
		}
		c.string()
	case '[':
		for c.Open('['); c.Item(); {
			if c.Says(depth - 1) {
				return true
			}
		}
	case '{':
		c.Open('{')
		for _, ok := c.Member(); ok; _, ok = c.Member() {
			if c.Says(depth - 1) {
				return true
			}
		}
	case 'n', 'f':
		c.scalar()
	default: // a number, or true
		return true
	}
	return false
}
