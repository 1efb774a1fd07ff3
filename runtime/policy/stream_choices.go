package policy

import (
	"bytes"
	"math/bits"
	"slices"
	"strconv"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// knows reports whether an item is of the form.
func (f *boundForm) knows(it *StreamItem) bool {
	if f.listAt >= 0 && jsontext.KindOf(it.Roots[f.listAt]) == jsontext.Array {
		return true
	}
	if slices.ContainsFunc(f.alsoAt, func(i int) bool { return jsontext.KindOf(it.Roots[i]) == jsontext.Object }) {
		return true
	}
	for _, at := range f.names {
		if name := at.text(it); isName(f.begins, name) {
			return true
		}
	}
	return false
}

// meaning returns what an item of the form means, and why where it marks the answer as cut. talks says that there was content before.
func (f *boundForm) meaning(it *StreamItem, list *choices, talks bool) (sense, []byte) {
	for i := range f.outside {
		if f.outside[i].holds(it) {
			return f.outside[i].means, nil
		}
	}
	if f.listAt >= 0 {
		return f.choicesOf(it.Roots[f.listAt], list, talks)
	}
	var name []byte
	for _, at := range f.names {
		if name = at.text(it); len(name) > 0 {
			break
		}
	}
	for i := range f.items {
		if item := &f.items[i]; isName(item.names, name) && item.holds(it) {
			why := name
			if len(item.in) > 0 {
				why = item.spot.text(it)
			}
			if f.reason != "" && (item.means == senseMark || item.means == senseCut) {
				if text := f.reasonAt.text(it); len(text) > 0 {
					why = text
				}
			}
			return item.means, why
		}
	}
	return senseContent, nil
}

// holds reports whether what the line asks for is there.
func (i *boundItem) holds(it *StreamItem) bool {
	switch {
	case i.at == "":
		return true
	case len(i.in) == 0:
		return i.spot.hasSubstance(it)
	default:
		return i.spot.isOneOf(it, i.in)
	}
}

// choicesOf returns what the choices of an item mean. An item without any says nothing.
func (f *boundForm) choicesOf(raw []byte, list *choices, talks bool) (means sense, why []byte) {
	means = sensePreamble
	if talks && f.goesOn(raw, list) {
		return senseContent, nil
	}
	c := jsontext.At(raw)
	if !c.Open('[') {
		return means, nil
	}
	for i := 0; c.Item(); i++ {
		if m, finish := f.choice(&c, i, list, talks); m.outranks(means) {
			means, why = m, finish
		}
	}
	return means, why
}

// goesOn reports whether a list is one choice that was seen before and has not ended, written as most are: with its number first and its
// finish last. Then there is nothing to learn from it. Within a string its quotes would be escaped, and whatever might begin another choice is
// walked through.
func (f *boundForm) goesOn(raw []byte, list *choices) bool {
	const first = len(`[{"index":`)
	if len(raw) < first+2 || string(raw[:first]) != `[{"index":` || raw[first+1] != ',' || !bytes.HasSuffix(raw, f.goes) {
		return false
	}
	if n := raw[first] - '0'; n > 9 || list.seen[0]&(1<<n) == 0 {
		return false
	}
	for rest := raw[first:]; ; {
		at := bytes.IndexByte(rest, '}')
		if rest = rest[at+1:]; len(rest) < 2 {
			return true
		}
		if rest[0] != '"' && (rest[0] != ',' || rest[1] != '"') {
			return len(rest) == 1
		}
	}
}

// outranks reports whether an item that means both means this one.
func (s sense) outranks(other sense) bool {
	rank := [...]int{senseContent: 1, sensePreamble: 0, senseMark: 2, senseComplete: 3, senseSilent: 3, senseCut: 4, senseRefused: 5, senseFailed: 6}
	return rank[s] > rank[other]
}

// choice reads one choice, the i-th of an item.
func (f *boundForm) choice(c *jsontext.Cursor, i int, list *choices, talks bool) (sense, []byte) {
	if !c.Open('{') {
		c.Skip()
		return senseContent, nil
	}
	means, finish := sensePreamble, []byte(nil)
	for key, ok := c.Member(); ok; key, ok = c.Member() {
		value := c.Skip()
		switch {
		case key.Is("index"):
			if n, err := strconv.Atoi(string(jsontext.Trim(value))); err == nil {
				i = n
			}
		case key.Is(f.finish):
			finish = wordOf(value)
		case !talks && means == sensePreamble && slices.ContainsFunc(f.content, key.Is) && hasMember(value, "role", 0):
			means = senseContent
		}
	}
	list.see(i)
	if len(finish) == 0 {
		return means, nil
	}
	said := means
	if talks {
		said = senseContent
	}
	means = senseComplete
	for k := range f.finishes {
		if line := &f.finishes[k]; slices.Contains(line.names, string(finish)) {
			means = line.means
		}
	}
	if means == senseContent { // it has not ended
		return means, nil
	}
	list.end(i)
	if means == senseComplete { // that all choices are is asked of the list
		means = said
	}
	return means, finish
}

// choices are those that were seen, and those that ended. Their numbers are the target's word: those that are none of the first share the
// last place.
type choices struct{ seen, ended [4]uint64 }

func (*choices) slot(i int) (word int, bit uint64) {
	const most = 4*64 - 1
	if i < 0 || i > most {
		i = most
	}
	return i / 64, 1 << (i % 64)
}

func (c *choices) see(i int) {
	word, bit := c.slot(i)
	c.seen[word] |= bit
}

func (c *choices) end(i int) {
	word, bit := c.slot(i)
	c.ended[word] |= bit
}

// allEnded reports whether every choice that was seen ended, of which there is at least one.
func (c *choices) allEnded() bool {
	n := 0
	for i := range c.seen {
		n += bits.OnesCount64(c.seen[i])
	}
	return n > 0 && c.seen == c.ended
}

// hasFault reports whether the member of an item that holds its error holds one: null, false and an empty text are none.
func hasFault(raw []byte) bool {
	switch jsontext.KindOf(raw) {
	case jsontext.Object, jsontext.Array, jsontext.Number:
		return true
	default:
		return hasSubstance(raw, 0)
	}
}
