package codec

// SetMember returns an object that Append has written with a member set to a text: in place of the one that there is, or after the last.
func SetMember(object []byte, name, text string) ([]byte, error) {
	e := encoder{buf: make([]byte, 0, len(object)+len(name)+len(text)+len(`,"":""`))}
	e.buf = append(e.buf, '{')
	for i := 1; object[i] != '}'; {
		from := i
		end, escaped, _ := scanString(object, i+1)
		key := object[i+1 : end-1]
		if escaped {
			key = unescape(nil, key)
		}
		i, _ = scanValue(object, end+1, maxDepth)
		if string(key) != name {
			e.buf = append(append(e.buf, object[from:i]...), ',')
		}
		if object[i] == ',' {
			i++
		}
	}
	if err := e.text(name); err != nil {
		return nil, err
	}
	e.buf = append(e.buf, ':')
	if err := e.text(text); err != nil {
		return nil, err
	}
	return append(e.buf, '}'), nil
}
