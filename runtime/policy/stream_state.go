package policy

import "github.com/resgen-go/resgen/runtime/internal/jsontext"

// StreamItem is an item of a stream, as it is written.
type StreamItem struct {
	// Event is the name of its server-sent event; empty where it has none.
	Event []byte
	// Text is the item as it is written.
	Text []byte
	// Roots are the values of the members of the item that StreamState.Roots asks for, nil for one that is not there.
	Roots [][]byte
}

// StreamSense is what an item means to its stream.
type StreamSense struct {
	// Preamble says that it comes before the first content: the call is not committed to this stream.
	Preamble bool
	// Empty says that it says nothing, before the first content or after: a preamble, a ping.
	Empty bool
	// Fault says that it is an error, whatever else is in it.
	Fault bool
	// Kind is what the place of the fault says that it is, where its own fields do not say more: KindNone for one in which they decide.
	Kind Kind
	// Last says that it is the last item: the end is proven, and nothing comes after it.
	Last bool
}

// StreamState follows the items of one stream. It belongs to one goroutine. The zero value knows nothing, and takes every item for content.
type StreamState struct {
	rules   *StreamRules
	program *program
	form    *boundForm // nil as long as none is known
	items   int
	choices choices
	ended   bool   // an item of the form proved the end
	own     bool   // an item proved it by the plan's own rules
	content bool   // there was some
	reason  string // why the answer was cut; empty where it was not
}

// Begin begins a stream. Nil rules know nothing.
func (r *StreamRules) Begin() StreamState {
	if r == nil {
		return StreamState{}
	}
	return StreamState{rules: r, program: &r.first}
}

// Roots are the members that the next item is asked for.
func (s *StreamState) Roots() []string {
	if s.program == nil {
		return nil
	}
	return s.program.roots
}

// Form is the name of the form that was chosen; empty for none.
func (s *StreamState) Form() string {
	if s.form == nil {
		return ""
	}
	return s.form.name
}

// Incomplete is why the answer was cut, as the target says it, where its end is proven all the same: "length"; empty for one that was not.
func (s *StreamState) Incomplete() string { return s.reason }

// IsError reports whether an event of that name carries an error.
func (s *StreamState) IsError(event []byte) bool {
	return s.rules != nil && s.rules.known && string(event) == isErrorName
}

const isErrorName = "error"

// lookFor is how many items are looked at for the form.
const lookFor = 16

// Item takes an item.
func (s *StreamState) Item(it *StreamItem) StreamSense {
	if s.program == nil {
		return StreamSense{}
	}
	s.items++
	if s.isError(it) || match(s.program.errors, it) {
		return StreamSense{Fault: true}
	}
	if match(s.program.failed, it) {
		return StreamSense{Fault: true, Kind: KindTransient}
	}
	chosen := -1
	if s.form == nil && s.items <= lookFor {
		chosen = s.choose(it)
	}
	sense := s.taken(it)
	if chosen >= 0 {
		s.program = &s.rules.then[chosen]
		s.form = &s.program.forms[0]
	}
	return sense
}

// isError reports whether an item says that it is an error. That its type does is believed of a form that is known, and of the first item.
func (s *StreamState) isError(it *StreamItem) bool {
	p := s.program
	if p.errorAt < 0 {
		return false
	}
	if raw := it.Roots[p.errorAt]; raw != nil && hasFault(raw) {
		return true
	}
	switch {
	case s.form == nil && s.items > 1:
		return false
	case s.form != nil && s.form.listAt >= 0 && it.Roots[s.form.listAt] != nil:
		return false
	case p.typeAt >= 0:
		return string(wordOf(it.Roots[p.typeAt])) == isErrorName || s.form == nil && isErrorObject(it.Text)
	default: // it has no choices
		kind, _ := jsontext.Member(it.Text, "type")
		return string(wordOf(kind)) == isErrorName || isErrorObject(it.Text)
	}
}

// isErrorObject reports whether the object that an item is says that it is an error, as those of Mistral and of vLLM do.
func isErrorObject(text []byte) bool {
	object, _ := jsontext.Member(text, "object")
	return string(wordOf(object)) == isErrorName
}

// choose chooses the form of the item, and returns which it is; -1 for none.
func (s *StreamState) choose(it *StreamItem) int {
	for i := range s.program.forms {
		if f := &s.program.forms[i]; f.knows(it) {
			s.form = f
			return i
		}
	}
	return -1
}

// taken is what an item means that is no error by itself.
func (s *StreamState) taken(it *StreamItem) StreamSense {
	means, why := senseContent, []byte(nil)
	if s.form != nil {
		means, why = s.form.meaning(it, &s.choices, s.content)
	}
	switch means {
	case senseRefused:
		return StreamSense{Fault: true, Kind: KindRefused}
	case senseFailed:
		return StreamSense{Fault: true, Kind: KindTransient}
	case senseMark, senseCut:
		s.mark(why)
	case senseContent, sensePreamble, senseComplete, senseSilent:
	}
	s.ended = s.ended || means == senseComplete || means == senseSilent || means == senseCut
	if match(s.program.cut, it) {
		s.mark(nil)
		s.own = true
	}
	s.own = s.own || match(s.program.complete, it)
	preamble := !s.content && !s.own && (means == sensePreamble || means == senseSilent || match(s.program.before, it))
	s.content = s.content || !preamble
	empty := preamble || means == sensePreamble && s.form.listAt < 0
	return StreamSense{Preamble: preamble, Empty: empty, Last: s.ended && s.form.last && !s.rules.sure}
}

// mark notes that the answer was cut, and why.
func (s *StreamState) mark(why []byte) {
	switch {
	case len(why) > 0:
		s.reason = string(why)
	case s.reason == "":
		s.reason = "incomplete"
	}
}

// IsEmpty reports whether the answer of a form that is known has come to its end without any content, and nothing says why: no text, no
// thought, no call of a tool, no refusal. That is the end of an answer that failed silently.
func (s *StreamState) IsEmpty() bool {
	switch {
	case s.form == nil || s.content || s.own || s.reason != "":
		return false
	case s.form.listAt >= 0:
		return s.choices.allEnded()
	default:
		return s.ended
	}
}

// IsProven reports whether an item proved the end, so that the stream is whole however it ends.
func (s *StreamState) IsProven() bool {
	switch {
	case s.rules == nil:
		return false
	case s.rules.sure:
		return s.own
	case s.form == nil:
		return false
	case s.form.listAt >= 0:
		return !s.marker() && s.choices.allEnded()
	default:
		return s.ended
	}
}

// marker reports whether the end needs the marker.
func (s *StreamState) marker() bool { return s.form.marker || s.rules.done != "" }

// Unproven says why the marker of the end, or the end of the answer without one, does not prove that the stream is whole; empty if it does.
func (s *StreamState) Unproven(marker bool) string {
	switch r := s.rules; {
	case s.IsProven():
		return ""
	case r.sure:
		return "no item came that is `done`"
	case s.form == nil:
		return s.unknown(marker)
	case s.form.listAt < 0:
		return "no item came that ends " + s.form.name
	case !s.choices.allEnded():
		return "a choice has no " + s.form.finish
	case marker:
		return ""
	default:
		return "its marker did not come"
	}
}

// unknown is Unproven for a stream of no form that is known: the marker is the end, or where there is none, the end is. But of a provider whose
// streams are known, one without any item is none of its own.
func (s *StreamState) unknown(marker bool) string {
	r := s.rules
	switch {
	case s.items == 0 && r.known && r.format == SSE && (!marker || r.done == "" || r.done == doneMarker):
		return "no item came"
	case marker || r.done == "":
		return ""
	default:
		return "its marker did not come"
	}
}
