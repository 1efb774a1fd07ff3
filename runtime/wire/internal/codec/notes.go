package codec

import "reflect"

// Notes tell where some members of the outermost object lie in a text that is decoded. What is looked for beside the decoding begins there,
// so that the text is not walked through again.
type Notes struct {
	// Names are the members that are asked for. They may be repeated.
	Names []string
	// Values are set to their values, as they are written: nil for one that is not there. It is as long as Names.
	Values [][]byte
	// Long are where values begin and end that are long and have nothing in them to look for: texts, vectors, what no field takes. They are in
	// the order of the text. A text has them whatever it is decoded into, and not all of them where they are many.
	Long [][2]int
	// Known says that Values are set: the text is an object, and was decoded into a struct that has no method of its own to do so.
	Known bool
}

// DecodeNoting is Decode that takes notes. After an error they mean nothing.
func DecodeNoting(data []byte, v any, notes *Notes) error {
	notes.Known, notes.Long = false, notes.Long[:0]
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return errNotPointer
	}
	return decode(data, p.Elem(), notes)
}

const (
	longValue = 64  // bytes from which on a value is long
	mostLong  = 256 // values
)

// passed notes a value that was read, if it is long.
func (d *decoder) passed(from, end int) {
	if end-from >= longValue && d.notes != nil {
		d.notes.pass(from, end)
	}
}

func (n *Notes) pass(from, end int) {
	if len(n.Long) < mostLong {
		n.Long = append(n.Long, [2]int{from, end})
	}
}

// begin begins with the object.
func (n *Notes) begin() {
	n.Known = true
	clear(n.Values)
}

// askedFor returns which of the members is asked for by that name; -1 for none.
func askedFor[T string | []byte](n *Notes, name T) int {
	for i := range n.Names {
		if n.Names[i] == string(name) {
			return i
		}
	}
	return -1
}

// put sets the value that was asked for; of members that come twice the last counts.
func (n *Notes) put(asked int, value []byte) {
	if asked < 0 {
		return
	}
	for i := asked; i < len(n.Names); i++ {
		if n.Names[i] == n.Names[asked] {
			n.Values[i] = value
		}
	}
}
