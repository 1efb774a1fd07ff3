package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// Judge says what answers with a status of success are: most are good, some say in their body that they are none, and some are not whole. It
// knows the rules of a plan that are about such bodies and, where the answer is the work that was asked for (see Errors.Judge), the rows of
// its preset; where it is not, those tell a cache what not to keep. One walk over a body serves all of them, and finds what others want to
// know of it. Safe for concurrent use.
type Judge struct {
	pointers jsontext.Pointers
	of       [][]int // the conditions that look at a pointer
	checks   []where
	rules    []judgeRule
	places   []string
	also     int // pointers that others want to know of
}

// judgeRule is a rule of a judge.
type judgeRule struct {
	status   int   // 0 for any of success
	checks   []int // all of which hold
	sentence Sentence
}

// Sentence is what a Judge says of an answer. The zero value is a good one.
type Sentence struct {
	// Failed says that the answer is none.
	Failed bool
	// Kind is what went wrong where the answer's own fields say no more: see Answer.Otherwise.
	Kind Kind
	// Incomplete is why an answer is not whole, in the target's word ("length"); empty for a whole one.
	Incomplete string
	// Fleeting says that the answer is right for who asked, and not to be remembered: it asks for a tool to be called, or is not the end.
	Fleeting bool
}

// NewJudge returns the judge of a plan's answers, and nil where nothing is known of them. Of the items of a stream a preset says more than a
// judge does: there it knows the plan's rules alone. also are JSON pointers that others want to know of: see Read.
func NewJudge(p *Plan, also ...string) *Judge { return newJudge(p, nil, also) }

// newJudge is NewJudge without a row.
func newJudge(p *Plan, without *row, also []string) *Judge {
	j := new(Judge)
	for i := range p.Errors.Rules {
		if r := &p.Errors.Rules[i]; r.ofSuccess() {
			j.add(r.Status, Sentence{Failed: true, Kind: r.Kind}, condition(r.Pointer, r.Equals))
		}
	}
	for i := range p.Errors.Answers {
		r := &p.Errors.Answers[i]
		checks := make([]where, len(r.When))
		for k, m := range r.When {
			checks[k] = where{at: []string{m.Pointer}, equals: m.Values}
		}
		j.add(0, Sentence{Failed: true, Kind: r.Kind}, checks...)
	}
	if !p.Stream.Format.Streams() && (p.Errors.Judge || p.Cache.On) {
		for r := range answersOf(p.Errors.preset()) {
			if s := r.sentence(p.Errors.Judge); r != without && s != nil {
				j.add(0, *s, append([]where{*r.first()}, r.and...)...)
			}
		}
	}
	if j.also = len(also); len(j.rules) == 0 && j.also == 0 {
		return nil
	}
	j.pointers = jsontext.Compile(slices.Concat(j.places, also)...)
	return j
}

// HasAnswers reports whether a preset has rows on answers.
func HasAnswers(preset string) bool {
	for range answersOf(Errors{Preset: preset}.preset()) {
		return true
	}
	return false
}

// condition is that of an ErrorRule.
func condition(pointer, equals string) where {
	w := where{at: []string{pointer}}
	if equals != "" {
		w.equals = []string{equals}
	}
	return w
}

// ofSuccess reports whether the rule is about bodies of successful responses.
func (r ErrorRule) ofSuccess() bool {
	return r.Pointer != "" && r.Status >= statusOK && r.Status < statusOK+100
}

// sentence is what a row on answers says: of one that is the record of some work only that it is not to be remembered, if it tells of work
// that has failed; nil for nothing.
func (r *row) sentence(judge bool) *Sentence {
	switch {
	case judge || r.kind == KindNone:
		return &Sentence{Failed: r.kind != KindNone, Kind: r.kind, Fleeting: r.fleeting}
	case r.kind != KindDecode:
		return &Sentence{Fleeting: true}
	default:
		return nil
	}
}

// add adds a rule.
func (j *Judge) add(status int, s Sentence, checks ...where) {
	r := judgeRule{status: status, sentence: s}
	for _, w := range checks {
		r.checks = append(r.checks, len(j.checks))
		for _, place := range w.at {
			j.look(place, len(j.checks))
		}
		j.checks = append(j.checks, w)
	}
	j.rules = append(j.rules, r)
}

// look has a condition look at a place.
func (j *Judge) look(place string, check int) {
	for i := range j.places {
		if j.places[i] == place {
			j.of[i] = append(j.of[i], check)
			return
		}
	}
	j.places, j.of = append(j.places, place), append(j.of, []int{check})
}

// Of judges the body of an answer of that status of success. It keeps nothing of it. A text whose structure is broken is no failure to it.
// To a nil Judge every answer is good.
func (j *Judge) Of(status int, body []byte) Sentence {
	if j == nil {
		return Sentence{}
	}
	return j.Read(status, body, nil, make([][]byte, j.also))
}

// Also returns how many pointers others want to know of.
func (j *Judge) Also() int { return j.also }

// Read is Of that sets found, which is as long as Also says, to the values that others want to know of, as jsontext.Pointers.Find does. The
// body has no byte order mark; where long values begin and end in it may be known: see jsontext.Long.
func (j *Judge) Read(status int, body []byte, long [][2]int, found [][]byte) Sentence {
	var room [fewChecks]uint8
	seen := j.room(room[:])
	if !j.pointers.EachAndFind(body, long, func(i int, value []byte) { j.see(seen, i, value) }, found) {
		return Sentence{}
	}
	r := j.ruleOf(status, seen)
	if r == nil {
		return Sentence{}
	}
	return j.told(r, body)
}

// What the texts at the places of a condition were.
const (
	someHit  = 1 << iota // one of those that are looked for
	someMiss             // another one
)

// fewChecks is for how many conditions a judge needs no memory.
const fewChecks = 96

// room returns room for what was seen of all conditions.
func (j *Judge) room(few []uint8) []uint8 {
	if len(j.checks) > len(few) {
		return make([]uint8, len(j.checks))
	}
	return few
}

// see notes a value at a place.
func (j *Judge) see(seen []uint8, place int, value []byte) {
	if jsontext.KindOf(value) == jsontext.Null {
		return
	}
	for _, c := range j.of[place] {
		if j.checks[c].isValue(value) {
			seen[c] |= someHit
		} else {
			seen[c] |= someMiss
		}
	}
}

// ruleOf returns the first rule that holds; nil for none.
func (j *Judge) ruleOf(status int, seen []uint8) *judgeRule {
	for i := range j.rules {
		if r := &j.rules[i]; (r.status == 0 || r.status == status) && j.holds(r, seen) {
			return r
		}
	}
	return nil
}

// holds reports whether all conditions of a rule hold.
func (j *Judge) holds(r *judgeRule, seen []uint8) bool {
	for _, c := range r.checks {
		switch w := &j.checks[c]; {
		case w.nothing && seen[c]&someHit != 0,
			w.every && seen[c] != someHit,
			!w.nothing && !w.every && seen[c]&someHit == 0:
			return false
		}
	}
	return true
}

// told is the sentence of a rule that holds, with why an answer is not whole.
func (j *Judge) told(r *judgeRule, body []byte) Sentence {
	s := r.sentence
	if s.Failed || s.Fleeting {
		return s
	}
	c := r.checks[0]
	j.pointers.Each(body, func(place int, value []byte) {
		if place < len(j.of) && s.Incomplete == "" && slices.Contains(j.of[place], c) && j.checks[c].isValue(value) {
			text, _ := jsontext.Text(value)
			s.Incomplete = strings.Clone(text)
		}
	})
	s.Incomplete = cmp.Or(s.Incomplete, "incomplete")
	return s
}

// isValue is whether is holds for a JSON value that is not null, without memory where it can be told from what is written.
func (w *where) isValue(value []byte) bool {
	switch {
	case w.nothing || w.something:
		return !isEmpty(value)
	case len(w.equals) == 0 && w.starts == "" && w.contains == "":
		return true
	case len(w.equals) > 0 && len(value) > 1 && value[0] == '"' && !slices.Contains(value, '\\'):
		return slices.ContainsFunc(w.equals, func(text string) bool { return string(value[1:len(value)-1]) == text })
	}
	t, ok := textOf(value)
	return ok && w.is(t)
}
