package jsontext

// Replace returns a text in which another value stands at a JSON pointer; false if there is none there.
func Replace(text []byte, pointer string, value []byte) ([]byte, bool) {
	old, ok := Find(text, pointer)
	if !ok || old == nil {
		return nil, false
	}
	from := cap(text) - cap(old) // old is a part of text, and reaches as far as it
	out := make([]byte, 0, len(text)-len(old)+len(value))
	out = append(out, text[:from]...)
	out = append(out, value...)
	return append(out, text[from+len(old):]...), true
}

// Items returns the items of the list that a text is, as they were written; false if it is none.
func Items(text []byte) ([][]byte, bool) {
	c := At(text)
	if !c.Open('[') {
		return nil, false
	}
	var items [][]byte
	for c.Item() {
		items = append(items, c.Skip())
	}
	return items, c.OK()
}

// List returns the text of a list of values.
func List(items [][]byte) []byte {
	out := []byte{'['}
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}
