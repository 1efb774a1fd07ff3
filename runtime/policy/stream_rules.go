package policy

import "slices"

// StreamRules is what is known of the items of a stream, made ready: the forms of the preset's provider, and the rules of the plan. They say
// which items come before the first content, which prove the end, which say that the answer was cut or failed, and which are errors.
// Safe for concurrent use.
//
// The form of a stream is chosen by its first items, and none is where they are of no form that the preset knows. Then, and without a
// preset, only the plan's own rules hold; the marker of the end, or the end of the answer, is the end.
type StreamRules struct {
	format StreamFormat
	done   string // of the plan
	known  bool   // the preset knows forms
	sure   bool   // the plan says itself what proves the end
	first  program
	then   []program // by the form that was chosen
}

// program is what is asked of an item.
type program struct {
	roots []string
	forms []boundForm
	// errorAt and typeAt are where an item says that it is an error; -1 where nobody asks. Choices have no type: that is asked of an item
	// without any alone.
	errorAt, typeAt                       int
	errors, failed, cut, complete, before []boundRule
}

// boundForm is a form whose spots are known.
type boundForm struct {
	*streamForm

	names          []spot
	items, outside []boundItem
	listAt         int
	goes           []byte // how a list ends whose last choice has not ended
	alsoAt         []int
	reasonAt       spot
}

type boundItem struct {
	*namedItem

	spot spot
}

type boundRule []boundMatch

type boundMatch struct {
	spot   spot
	values []string
}

// NewStreamRules returns what is known of the streams of an operation, nil if that is nothing: by its preset of errors, and by its plan's own
// rules.
func NewStreamRules(preset string, s Stream) *StreamRules {
	forms := formsOf(preset)
	own := len(s.Preamble)+len(s.Complete)+len(s.Incomplete)+len(s.Failed)+len(s.Errors) > 0
	if !s.Format.Streams() || len(forms) == 0 && !own {
		return nil
	}
	r := &StreamRules{
		format: s.Format, done: s.Done, known: len(forms) > 0, sure: len(s.Complete) > 0, first: programOf(forms, &s, len(forms) > 0),
	}
	for i := range forms {
		r.then = append(r.then, programOf(forms[i:i+1], &s, true))
	}
	return r
}

// programOf binds forms and rules to the members of an item.
func programOf(forms []*streamForm, s *Stream, known bool) program {
	var at spots
	p := program{errorAt: -1, typeAt: -1}
	if known {
		p.errorAt = at.root(isErrorName)
	}
	if known && (len(forms) != 1 || forms[0].list == "") {
		p.typeAt = at.root("type")
	}
	for _, form := range forms {
		p.forms = append(p.forms, form.bind(&at))
	}
	p.errors, p.failed, p.cut = bindRules(s.Errors, &at), bindRules(s.Failed, &at), bindRules(s.Incomplete, &at)
	p.complete, p.before = bindRules(s.Complete, &at), bindRules(s.Preamble, &at)
	p.roots = at.roots
	return p
}

func (f *streamForm) bind(at *spots) boundForm {
	b := boundForm{streamForm: f, listAt: -1, items: bindItems(f.items, at), outside: bindItems(f.outside, at)}
	for _, name := range f.names {
		b.names = append(b.names, at.of(name))
	}
	if f.list != "" {
		b.listAt = at.root(f.list)
		b.goes = []byte(`"` + f.finish + `":null}]`)
	}
	for _, name := range f.also {
		b.alsoAt = append(b.alsoAt, at.root(name))
	}
	if f.reason != "" {
		b.reasonAt = at.of(f.reason)
	}
	return b
}

func bindItems(items []namedItem, at *spots) []boundItem {
	bound := make([]boundItem, len(items))
	for i := range items {
		bound[i].namedItem = &items[i]
		if items[i].at != "" {
			bound[i].spot = at.of(items[i].at)
		}
	}
	return bound
}

func bindRules(rules []ItemRule, at *spots) []boundRule {
	var bound []boundRule
	for _, rule := range rules {
		var matches boundRule
		for _, m := range rule {
			matches = append(matches, boundMatch{spot: at.of(m.Pointer), values: m.Values})
		}
		if len(matches) > 0 {
			bound = append(bound, matches)
		}
	}
	return bound
}

// match reports whether one of the rules holds.
func match(rules []boundRule, it *StreamItem) bool {
	return slices.ContainsFunc(rules, func(r boundRule) bool {
		return !slices.ContainsFunc(r, func(m boundMatch) bool { return !m.spot.isOneOf(it, m.values) })
	})
}

// isName reports whether a name is one of the names, of which those that end with '.' are beginnings.
func isName(names []string, name []byte) bool {
	for _, n := range names {
		if len(name) >= len(n) && string(name[:len(n)]) == n && (len(name) == len(n) || n[len(n)-1] == '.') {
			return true
		}
	}
	return false
}
