package policy

import "slices"

// IsFleeting reports whether an item says that the answer is right for who asked, and not to be remembered: it asks for a tool to be called, or
// for an answer to go on. It is false where the form of the stream is not known. It walks through the item anew.
func (s *StreamState) IsFleeting(event, item []byte) bool {
	return s.form != nil && slices.ContainsFunc(s.form.calls, func(c namedCall) bool { return c.holds(event, item) })
}

// holds reports whether the sign is there.
func (c *namedCall) holds(event, item []byte) bool {
	if c.at == ItemEvent {
		return slices.Contains(c.in, string(event))
	}
	return find(item, c.at, hasStar(c.at), func(raw []byte) bool {
		if len(c.in) == 0 {
			return hasSubstance(raw, 0)
		}
		return slices.Contains(c.in, string(wordOf(raw)))
	})
}
