package plan

import (
	"cmp"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// scope is one namespace of Go identifiers. Names are given tier by tier: what a tier was given is taken for the next.
type scope struct {
	// reserved reports names that nobody gets, beside those that are taken.
	reserved func(string) bool
	taken    map[string]bool
	// next is the number that the next twin of a name tries first, so that many twins cost no more than few.
	next map[string]int

	// of says which scope it is, where one has to be found again. held are names of those who had them before and come in a later
	// tier, kept those that were given for that reason. In a rehearsal nobody is in their way.
	of         string
	held, kept map[string]bool
	rehearsing bool
}

func newScope(reserved func(string) bool) *scope {
	return &scope{
		reserved: reserved, taken: map[string]bool{}, next: map[string]int{}, held: map[string]bool{}, kept: map[string]bool{},
	}
}

// wish is one name that is wanted in a scope.
type wish struct {
	// id says whose name it is, uniquely within the tier; pos is where that is defined.
	id  string
	pos source.Pos
	// text is the author's own text that the name is made of; it orders twins. prefix is what stands before it in every name.
	text, prefix string
	// names are what may be given, best first.
	names []string
	// also are names that it may have had before, though they are no choices now.
	also []string
	// absent says that the name is only kept free: what wants it is not in the package.
	absent bool
}

// named is the wish of something that the author named text: as Go spells it, then with more of the text in it. other goes
// before what could not begin an exported name.
func named(id string, pos source.Pos, text, other string) wish {
	return wish{id: id, pos: pos, text: text, names: []string{ident(text, other), verbatim(text, other), lowered(text, other)}}
}

func (s *scope) free(name string) bool {
	return !s.taken[name] && !s.held[name] && (s.reserved == nil || !s.reserved(name))
}

// keep gives names to those who had them before.
func (s *scope) keep(former, got []string) {
	for i, name := range former {
		if name == "" || s.kept[name] || s.taken[name] && !s.rehearsing {
			continue
		}
		got[i] = name
		s.taken[name], s.kept[name] = true, true
	}
}

// allot gives a name to each wish of a tier, by the same index. Whoever had a name before keeps it: former says which, by the same
// index, and may be nil. Then first choices are given before second ones, and among those who
// want the same name the one whose text is nearest to it wins: the result depends on the texts alone and not on their order.
// Whoever gets none of its choices gets its first one with a number.
func (s *scope) allot(tier []wish, former []string) []string {
	got := make([]string, len(tier))
	s.keep(former, got)
	open := make([]int, 0, len(tier))
	for i := range tier {
		if got[i] == "" {
			open = append(open, i)
		}
	}
	for choice := 0; len(open) > 0; choice++ {
		open = s.round(tier, open, choice, got)
		if !slices.ContainsFunc(open, func(i int) bool { return len(tier[i].names) > choice+1 }) {
			break
		}
	}
	slices.SortFunc(open, func(a, b int) int { return nearer(tier[a], tier[b], tier[a].names[0]) })
	for _, i := range open {
		got[i] = s.number(tier[i].names)
	}
	return got
}

// round gives each name that is wanted as that choice to one of those who want it, and returns the wishes that are left.
func (s *scope) round(tier []wish, open []int, choice int, got []string) []int {
	winner := map[string]int{}
	for _, i := range open {
		if choice >= len(tier[i].names) {
			continue
		}
		name := tier[i].names[choice]
		if !s.free(name) {
			continue
		}
		if best, ok := winner[name]; !ok || nearer(tier[i], tier[best], name) < 0 {
			winner[name] = i
		}
	}
	left := open[:0]
	for _, i := range open {
		if choice < len(tier[i].names) {
			name := tier[i].names[choice]
			if best, ok := winner[name]; ok && best == i {
				got[i] = name
				s.taken[name] = true
				continue
			}
		}
		left = append(left, i)
	}
	return left
}

// number gives the first choice that may have a number the least one, from 2 on, that is free.
func (s *scope) number(names []string) string {
	name := withX(names[0])
	for _, choice := range names {
		if s.reserved == nil || !s.reserved(choice) && !s.reserved(choice+"2") {
			name = choice
			break
		}
	}
	for n := max(s.next[name], 2); ; n++ {
		if numbered := name + strconv.Itoa(n); s.free(numbered) {
			s.taken[numbered] = true
			s.next[name] = n + 1
			return numbered
		}
	}
}

// withX puts an x before a name, in the case that keeps it exported or not.
func withX(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if unicode.IsUpper(first) {
		return "X" + name
	}
	return "x" + string(unicode.ToUpper(first)) + name[size:]
}

// nearer orders two wishes for one name: the text that is the name, then the one with fewer signs, then by text and id.
func nearer(a, b wish, name string) int {
	return cmp.Or(
		isNamed(a, name)-isNamed(b, name),
		cmp.Compare(countSigns(a.text), countSigns(b.text)),
		cmp.Compare(a.text, b.text),
		cmp.Compare(a.id, b.id),
	)
}

// isNamed is 0 for a wish whose text is the very name, else 1.
func isNamed(w wish, name string) int {
	if w.prefix+w.text == name {
		return 0
	}
	return 1
}

func countSigns(text string) int {
	n := 0
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			n++
		}
	}
	return n
}
