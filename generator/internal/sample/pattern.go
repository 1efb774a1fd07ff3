package sample

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a pattern of a document as far as Go can read it. The zero value matches every text.
type pattern struct {
	// text is the pattern without what it begins by forbidding.
	text      string
	allowed   *regexp.Regexp
	forbidden []*regexp.Regexp
}

// compile reads a pattern. Go has no lookahead; at the beginning of a pattern, where most are, it is a pattern of its own. known is false for one
// that cannot be read.
func compile(from string) (p pattern, known bool) {
	p.text = from
	for {
		start, rest := "", p.text
		if strings.HasPrefix(rest, "^") {
			start, rest = "^", rest[1:]
		}
		inside, after, ok := lookahead(rest)
		if !ok {
			break
		}
		re, err := regexp.Compile(start + "(?:" + inside + ")")
		if err != nil || start == "" {
			return p, false
		}
		p.forbidden, p.text = append(p.forbidden, re), start+after
	}
	if p.text == "" {
		return p, true
	}
	var err error
	p.allowed, err = regexp.Compile(p.text)
	return p, err == nil
}

// lookahead splits a pattern that begins with a negative lookahead.
func lookahead(text string) (inside, after string, ok bool) {
	rest, ok := strings.CutPrefix(text, "(?!")
	if !ok {
		return "", "", false
	}
	depth := 1
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '[': // in a class brackets mean nothing
			if end := strings.IndexByte(rest[i+1:], ']'); end > 0 {
				i += end
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return rest[:i], rest[i+1:], true
			}
		}
	}
	return "", "", false
}

func (p *pattern) match(text string) bool {
	for _, re := range p.forbidden {
		if re.MatchString(text) {
			return false
		}
	}
	return p.allowed == nil || p.allowed.MatchString(text)
}

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
