package policy

import "github.com/resgen-go/resgen/runtime/internal/jsontext"

// Play follows items that are all there, and returns how far the stream has come with them; false where one of them is an error. The names of
// their events are not known. To nil rules no item is one.
func (r *StreamRules) Play(items [][]byte) (StreamState, bool) {
	s := r.Begin()
	for _, text := range items {
		roots := make([][]byte, len(s.Roots()))
		jsontext.Members(text, s.Roots(), roots)
		if s.Item(&StreamItem{Text: text, Roots: roots}).Fault {
			return s, false
		}
	}
	return s, true
}
