package sample

import "regexp/syntax"

// matching is a short text that a pattern matches, as far as one is found by taking each of its parts as it comes; repeats are taken least
// times or as often as they must. Whoever asks has to try it: assertions are not looked at. ok is false for a pattern that Go cannot read.
func matching(pattern string, least int) (s string, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	b := matcher{least: least}
	b.match(re)
	return string(b.text), len(b.text) > 0
}

type matcher struct {
	text  []rune
	least int
}

// full reports whether a text is longer than any that is asked for.
func (m *matcher) full() bool { return len(m.text) > 2*longest }

func (m *matcher) match(re *syntax.Regexp) {
	if m.full() {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		m.text = append(m.text, re.Rune...)
	case syntax.OpCharClass:
		m.text = append(m.text, oneOf(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.text = append(m.text, 'a')
	case syntax.OpAlternate, syntax.OpCapture:
		m.match(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			m.match(sub)
		}
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 {
			most = longest
		}
		m.times(re.Sub[0], max(re.Min, min(max(1, m.least), most)))
	case syntax.OpPlus, syntax.OpStar:
		m.times(re.Sub[0], max(1, m.least))
	case syntax.OpQuest: // once, so that the text is not empty
		m.match(re.Sub[0])
	default: // what matches no character
	}
}

func (m *matcher) times(re *syntax.Regexp, n int) {
	for range n {
		m.match(re)
	}
}

// oneOf is a character of a class, a letter or digit if there is one.
func oneOf(ranges []rune) rune {
	for _, want := range "a1A" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}
