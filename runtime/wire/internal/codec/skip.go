package codec

// nest remembers of each list and object that one is within whether it is an object: one bit for each, so that depth costs no stack.
type nest struct {
	first uint64 // the outermost 64
	rest  []uint64
	depth int
}

const nestBits = 64

func (n *nest) push(isObject bool) {
	bit, at := uint64(1)<<(n.depth%nestBits), n.depth/nestBits-1
	p := &n.first
	if at >= 0 {
		if at == len(n.rest) {
			n.rest = append(n.rest, 0)
		}
		p = &n.rest[at]
	}
	if *p &^= bit; isObject {
		*p |= bit
	}
	n.depth++
}

// inObject reports whether the innermost is an object.
func (n *nest) inObject() bool {
	at := (n.depth - 1) / nestBits
	bit := uint64(1) << ((n.depth - 1) % nestBits)
	if at == 0 {
		return n.first&bit != 0
	}
	return n.rest[at-1]&bit != 0
}

// scanValue passes over one value, which begins at i after any white space. The text is checked, all but whether names are used twice; room
// is how deep it may be.
func scanValue(data []byte, i, room int) (int, fault) {
	var n nest
	for {
		i = space(data, i)
		switch {
		case i < len(data) && (data[i] == '{' || data[i] == '['):
			if n.depth >= room {
				return i, faultDepth
			}
			isObject := data[i] == '{'
			n.push(isObject)
			i = space(data, i+1)
			if i < len(data) && data[i] == closing(isObject) {
				break
			}
			if isObject {
				end, f := scanName(data, i)
				if f != fine {
					return end, f
				}
				i = end
			}
			continue
		default:
			end, f := scanScalar(data, i)
			if f != fine {
				return end, f
			}
			i = end
			if n.depth == 0 {
				return i, fine
			}
			i = space(data, i)
		}
		end, f := n.next(data, i)
		if f != fine || n.depth == 0 {
			return end, f
		}
		i = end
	}
}

// next goes on after a value in a list or an object: to the next item or value, or out of as many as end here.
func (n *nest) next(data []byte, i int) (int, fault) {
	for {
		isObject := n.inObject()
		if i >= len(data) {
			return i, faultEnd
		}
		switch data[i] {
		case ',':
			if !isObject {
				return i + 1, fine
			}
			return scanName(data, space(data, i+1))
		case closing(isObject):
			n.depth--
			if n.depth == 0 {
				return i + 1, fine
			}
			i = space(data, i+1)
		default:
			return i, faultSign
		}
	}
}

func closing(isObject bool) byte {
	if isObject {
		return '}'
	}
	return ']'
}

// scanName passes over the name of a member and its colon.
func scanName(data []byte, i int) (int, fault) {
	if i >= len(data) {
		return i, faultEnd
	}
	if data[i] != '"' {
		return i, faultSign
	}
	end, _, f := scanString(data, i+1)
	if f != fine {
		return end, f
	}
	i = space(data, end)
	if i >= len(data) {
		return i, faultEnd
	}
	if data[i] != ':' {
		return i, faultSign
	}
	return i + 1, fine
}

// Check reports what is wrong with a text that must be one value and nothing else. The error is an *Error.
func Check(data []byte) error {
	end, f := scanValue(data, 0, maxDepth)
	if f != fine {
		return f.err(data, end, "a JSON value")
	}
	if end = space(data, end); end < len(data) {
		return faultSign.err(data, end, expectEnd)
	}
	return nil
}

const expectEnd = "the end of the text"
