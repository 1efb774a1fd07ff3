package policy

import (
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// Text returns what an item says of the text of the answer, of the first choice where there are several: not of what the model thought, nor
// of the tools that it calls. It is empty for an item without any, and where the form of the stream is not known.
func (s *StreamState) Text(item []byte) string {
	if s.form == nil {
		return ""
	}
	var out strings.Builder
	for i := range s.form.text {
		line := &s.form.text[i]
		if line.name != "" && !s.form.isNamed(item, line.name) {
			continue
		}
		for _, choice := range s.form.first(item) {
			find(choice, line.at, hasStar(line.at), func(raw []byte) bool {
				out.WriteString(line.in(raw))
				return false
			})
		}
	}
	return out.String()
}

// in returns the text of what the pointer led to.
func (t *namedText) in(raw []byte) string {
	if t.member != "" {
		if thinks, ok := jsontext.Member(raw, t.thinks); ok && string(thinks) == "true" {
			return ""
		}
		raw, _ = jsontext.Member(raw, t.member)
	}
	if jsontext.KindOf(raw) != jsontext.String {
		return ""
	}
	text, _ := jsontext.Text(raw)
	return text
}

// isNamed reports whether a pointer leads to the name in an item; the name of its event is not known any more.
func (f *streamForm) isNamed(item []byte, name string) bool {
	for _, at := range f.names {
		if at == ItemEvent {
			continue
		}
		if raw, ok := jsontext.Find(item, at); ok && string(wordOf(raw)) == name {
			return true
		}
	}
	return false
}

// first returns the values in which the pointers of a form's text begin: the item, or the choices in it that are the first.
func (f *streamForm) first(item []byte) [][]byte {
	if f.list == "" {
		return [][]byte{item}
	}
	list, ok := jsontext.Member(item, f.list)
	if !ok {
		return nil
	}
	var firsts [][]byte
	c := jsontext.At(list)
	for c.Open('['); c.Item(); {
		choice := c.Skip()
		if index, ok := jsontext.Member(choice, "index"); !ok && len(firsts) == 0 || ok && string(index) == "0" {
			firsts = append(firsts, choice)
		}
	}
	return firsts
}
