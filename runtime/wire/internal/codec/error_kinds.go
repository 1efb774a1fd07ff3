package codec

import "fmt"

// kindAt returns the kind of the value that begins with c.
func kindAt(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

// other is for a value of another kind than a type takes. null is taken by all types: those that cannot hold it stay as they are.
func (d *decoder) other(expected string) error {
	if d.at < len(d.data) && d.data[d.at] == 'n' {
		return d.literal("null")
	}
	from := d.at
	end, f := scanValue(d.data, d.at, maxDepth-d.depth)
	if f != fine {
		return d.fault(f, end, "a JSON value")
	}
	return &Error{Offset: from, Err: fmt.Errorf("expected %s, found %s", expected, kindAt(d.data[from]))}
}

// fault returns a fault of the text as an error.
func (d *decoder) fault(f fault, at int, expected string) error { return f.err(d.data, at, expected) }

// misfit returns what is wrong with the value that began at from.
func misfit(from int, format string, args ...any) error {
	return &Error{Offset: from, Err: fmt.Errorf(format, args...)}
}
