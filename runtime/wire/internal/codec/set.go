package codec

// SetMember returns an object that Append has written with a member set to a text: in place of the one that there is, or after the last.
func SetMember(object []byte, name, text string) ([]byte, error) {
	out := append(make([]byte, 0, len(object)+len(name)+len(text)+len(`,"":""`)), '{')
	for i := 1; object[i] != '}'; {
		from := i
		end, escaped, _ := scanString(object, i+1)
		key := object[i+1 : end-1]
		if escaped {
			key = unescape(nil, key)
		}
		if i, _ = scanValue(object, end+1, maxDepth); string(key) != name {
			out = append(append(out, object[from:i]...), ',')
		}
		if object[i] == ',' {
			i++
		}
	}
	out, err := appendKey(out, name)
	if err != nil {
		return nil, err
	}
	if out, err = appendString(out, text); err != nil {
		return nil, err
	}
	return append(out, '}'), nil
}
