package wire

import (
	"slices"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// lookout looks for values at JSON pointers in each JSON text of a body: an error, what whoever counts wants to know, and what tells an item of
// a stream. The decoder notes where the members lie in which the pointers begin, so that most texts are not walked through for it. The zero
// value looks for nothing.
type lookout struct {
	faults *jsontext.Pointers // a text is an error where one of them leads to a fault: see isFault; nil for none
	told   *jsontext.Pointers // nil for none
	tell   func(found [][]byte)

	// rules are of the items of a stream, state is where it stands; nil for none. event is what the text came in, sense what it was.
	rules *policy.StreamRules
	state policy.StreamState
	event []byte
	sense policy.StreamSense

	notes codec.Notes
	own   int      // how many of the notes are of faults
	fixed int      // how many are not of the state
	asked []string // what the state asked for last
	walks bool     // a pointer leads to all of a text, and there is no member to note
	found [][]byte
}

// follow begins a stream.
func (l *lookout) follow() { l.state = l.rules.Begin() }

// ready makes room, before the first text, and when the state asks for other members.
func (l *lookout) ready() {
	if l.found == nil {
		l.readyFixed()
	}
	roots := l.state.Roots()
	if len(roots) == len(l.asked) && (len(roots) == 0 || &roots[0] == &l.asked[0]) {
		return
	}
	l.asked = roots
	l.notes.Names = append(l.notes.Names[:l.fixed], roots...)
	l.notes.Values = make([][]byte, len(l.notes.Names))
}

func (l *lookout) readyFixed() {
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
	l.fixed = len(l.notes.Names)
	l.notes.Values = make([][]byte, l.fixed)
	l.found = make([][]byte, most)
}

// isOut reports whether there is something to look for.
func (l *lookout) isOut() bool { return l.faults != nil || l.told != nil || l.rules != nil }

// decode decodes a text, and reports whether it is an error. It is false for text that is no JSON.
func (l *lookout) decode(data []byte, v any) (isFault bool, err error) {
	l.ready()
	err = codec.DecodeNoting(data, v, &l.notes)
	known := l.notes.Known && err == nil || l.walk(data)
	if err == nil && l.told != nil {
		l.tellOf(data, known && !l.walks)
	}
	if l.faults != nil && l.hasFault(data, known && !l.walks) {
		l.sense = policy.StreamSense{Fault: true}
		return true, nil
	}
	if l.follows(data, known); l.sense.Fault {
		return true, nil
	}
	return false, err
}

// read looks into a text that nobody decodes, and reports whether it is an error.
func (l *lookout) read(data []byte) (isFault bool) {
	if l.rules == nil {
		return false
	}
	l.ready()
	l.follows(data, l.walk(data))
	return l.sense.Fault
}

// walk takes the notes that the decoder did not: where the text decodes itself, or does not fit.
func (l *lookout) walk(data []byte) bool {
	return jsontext.Members(data, l.notes.Names, l.notes.Values)
}

// follows tells the state of the text.
func (l *lookout) follows(data []byte, known bool) {
	if l.rules == nil {
		return
	}
	values := l.notes.Values[l.fixed:]
	if !known {
		clear(values)
	}
	l.sense = l.state.Item(&policy.StreamItem{Event: l.event, Text: data, Roots: values})
}

func (l *lookout) tellOf(data []byte, known bool) {
	found := l.found[:l.told.Len()]
	if known {
		l.told.FindIn(l.notes.Values[l.own:l.fixed], found)
	} else {
		l.told.Find(data, found)
	}
	l.tell(found)
}

func (l *lookout) hasFault(data []byte, known bool) bool {
	found := l.found[:l.faults.Len()]
	if known {
		l.faults.FindIn(l.notes.Values[:l.own], found)
	} else {
		l.faults.Find(data, found)
	}
	return slices.ContainsFunc(found, isFault)
}

// isFault reports whether the value at the place of an error is one: null, false and an empty text say that there is none.
func isFault(value []byte) bool {
	switch jsontext.KindOf(value) {
	case jsontext.Nothing, jsontext.Null:
		return false
	case jsontext.Boolean:
		text, _ := jsontext.Text(value)
		return text == "true"
	case jsontext.String:
		text, _ := jsontext.Text(value)
		return text != ""
	default:
		return true
	}
}
