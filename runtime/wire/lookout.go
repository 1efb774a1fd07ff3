package wire

import (
	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// lookout looks for values at JSON pointers in each JSON text of a body: an error, and what whoever counts wants to know. The decoder notes
// where the members lie in which the pointers begin, so that most texts, which have none of them, are not walked through for it. The zero
// value looks for nothing.
type lookout struct {
	faults *jsontext.Pointers // a text is an error where one of them leads to anything but null; nil for none
	told   *jsontext.Pointers // nil for none
	tell   func(found [][]byte)

	notes codec.Notes
	own   int  // how many of the notes are of faults
	walks bool // a pointer leads to all of a text, and there is no member to note
	found [][]byte
}

// ready makes room, before the first text.
func (l *lookout) ready() {
	if l.found != nil {
		return
	}
	most := 0
	for _, p := range [...]*jsontext.Pointers{l.faults, l.told} {
		if p == nil {
			continue
		}
		names, ok := p.Roots()
		l.walks = l.walks || !ok
		if p == l.faults {
			l.own = len(names)
		}
		l.notes.Names = append(l.notes.Names, names...)
		most = max(most, p.Len())
	}
	l.notes.Values = make([][]byte, len(l.notes.Names))
	l.found = make([][]byte, most)
}

// decode decodes a text, and reports whether it is an error. It is false for text that is no JSON.
func (l *lookout) decode(data []byte, v any) (isFault bool, err error) {
	if l.faults == nil && l.told == nil {
		return false, codec.Decode(data, v)
	}
	l.ready()
	err = codec.DecodeNoting(data, v, &l.notes)
	known := l.notes.Known && !l.walks && err == nil
	if l.faults != nil && l.hasFault(data, known) {
		return true, nil
	}
	if err == nil && l.told != nil {
		found := l.found[:l.told.Len()]
		if known {
			l.told.FindIn(l.notes.Values[l.own:], found)
		} else {
			l.told.Find(data, found)
		}
		l.tell(found)
	}
	return false, err
}

func (l *lookout) hasFault(data []byte, known bool) bool {
	found := l.found[:l.faults.Len()]
	if known {
		l.faults.FindIn(l.notes.Values[:l.own], found)
	} else {
		l.faults.Find(data, found)
	}
	for _, value := range found {
		if value != nil && !jsontext.IsNull(value) {
			return true
		}
	}
	return false
}
