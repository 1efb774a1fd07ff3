package policy

import (
	"slices"
	"strings"
)

// row is one line of a preset: what its conditions say about an answer, which all of them must hold for.
type row struct {
	// id is the row's name in its preset, and that of its sample: testdata/presets/PRESET/ID.json.
	id string
	// status lists the status codes; empty for any. An error inside a stream has no status but the one that it may name itself: without
	// one, rows that look at nothing but the status do not match, and the others match by what they look at.
	status []int
	// at, equals, starts, contains, every and something are the first condition: see where.
	at               []string
	equals           []string
	starts, contains string
	every, something bool
	// and are further conditions.
	and []where
	// writes says that the row is about operations that change something.
	writes bool

	// kind is what a match means; KindNone for an answer that is right but not whole.
	kind Kind
	// counts says that the answer is evidence against the target although its kind says nothing about that.
	counts bool
	// wait is where the answer says how long to wait; the zero value is nowhere.
	wait wait
	// once says that one more attempt may help, and a third will not. A 4xx that says so is an answer, and no evidence against the target.
	once bool
	// fleeting says, of an answer that is right, that it is not to be remembered although it is whole.
	fleeting bool

	// source says where it is documented, or was seen.
	source string
	// unsure says that only a digest of the documentation tells of it.
	unsure bool
}

// where is a condition: a text at one of the places is one that is looked for. Without any text that is looked for, it is enough that there is
// one of the places and that it is not null.
type where struct {
	// at lists the places: JSON pointers into the body (RFC 6901), where a segment "*" stands for every item or member, "text" for the
	// whole of a body that is no JSON, and "header:NAME" for header fields.
	at []string
	// equals lists texts, one of which it is.
	equals []string
	// starts and contains are patterns of messages, for what has no code: how the text begins, what it contains. They are folded, see fold.
	starts, contains string
	// every says that each text at the places is one that is looked for, and that there is one.
	every bool
	// nothing says that there is nothing at any of the places: no value, null, or an empty text, list or object. something is the opposite.
	nothing, something bool
}

const (
	atHeader = "header:"
	atText   = "text"
)

// matches reports whether all that the row says holds for an answer.
func (r *row) matches(a *reading) bool {
	if r.writes && a.Safe || !r.ofStatus(a) || !r.first().holds(a) {
		return false
	}
	for i := range r.and {
		if !r.and[i].holds(a) {
			return false
		}
	}
	return true
}

// first returns the first condition.
func (r *row) first() *where {
	return &where{at: r.at, equals: r.equals, starts: r.starts, contains: r.contains, every: r.every, something: r.something}
}

// ofStatus reports whether the row is about answers of the status.
func (r *row) ofStatus(a *reading) bool {
	if len(r.status) == 0 || slices.Contains(r.status, a.named) {
		return true
	}
	return a.named == 0 && len(r.at) > 0
}

// holds reports whether the condition holds. One without places always does.
func (w *where) holds(a *reading) bool {
	if len(w.at) == 0 {
		return true
	}
	some, every := false, true
	for _, place := range w.at {
		for _, text := range a.at(place) {
			if w.nothing && text.empty {
				continue
			}
			hit := w.is(text)
			some, every = some || hit, every && hit
		}
	}
	switch {
	case w.nothing:
		return !some
	case w.every:
		return some && every
	default:
		return some
	}
}

// is reports whether a text is one that is looked for.
func (w *where) is(t text) bool {
	switch {
	case w.something && t.empty:
		return false
	case len(w.equals) > 0:
		return slices.Contains(w.equals, t.value)
	case w.starts != "":
		return strings.HasPrefix(fold(t.value), fold(w.starts))
	case w.contains != "":
		return strings.Contains(fold(t.value), fold(w.contains))
	default:
		return true
	}
}

// foldedMost is how much of a message is looked at.
const foldedMost = 8 << 10

var straight = strings.NewReplacer("‘", "'", "’", "'", "ʼ", "'", "“", `"`, "”", `"`, "\u00a0", " ")

// fold returns a message as patterns of messages are compared: lower case, with straight quotes and apostrophes.
func fold(message string) string {
	return straight.Replace(strings.ToLower(message[:min(len(message), foldedMost)]))
}
