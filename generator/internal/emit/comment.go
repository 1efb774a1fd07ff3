package emit

import (
	"go/doc/comment"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// commentOf is the lines as `//` comments, each harmless by itself: jennifer turns a comment with a newline into a block comment,
// which text of a document can close.
func commentOf(lines plan.Comment) *jen.Statement {
	s := &jen.Statement{}
	for i, line := range settled(lines) {
		if i > 0 {
			s.Line()
		}
		s.Comment(commentLine(line))
	}
	return s
}

// commentLine is one comment line with its marker: no character in it ends the line, hides text or makes a directive of it.
func commentLine(line string) string {
	line = harmless(line)
	if line == "" {
		return "//"
	}
	if strings.HasPrefix(strings.TrimSpace(line), "+build") { // gofmt moves old build constraints to the top of the file
		line = "\u00b7 " + line
	}
	if strings.HasPrefix(line, "\t") { // code: gofmt wants no space before the tab, in some releases of Go
		return "//" + line
	}
	return "// " + line
}

// harmless drops characters that end a line, control a terminal or reorder text (Trojan Source, CVE-2021-42574). Joiners stay:
// Persian, Hindi and emoji need them.
func harmless(line string) string {
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\u200c', r == '\u200d':
			return r
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		default:
			return r
		}
	}, line)
	return strings.TrimRightFunc(line, unicode.IsSpace)
}

// settled is the lines as gofmt leaves them alone. gofmt rewrites doc comments (lists, code, links), and what it makes of an odd one
// it may rewrite again: the output would not be formatted.
func settled(lines plan.Comment) plan.Comment {
	if !hasMarkup(lines) {
		return lines
	}
	clean := make([]string, len(lines))
	for i, line := range lines {
		clean[i] = harmless(line)
	}
	text := strings.Join(clean, "\n") + "\n"
	const rounds = 8
	for range rounds {
		var parser comment.Parser
		var printer comment.Printer
		again := string(printer.Comment(parser.Parse(text)))
		if again == text || again == "" {
			return plan.Comment(strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
		}
		text = again
	}
	for i, line := range clean { // it never settles: no markup then
		clean[i] = strings.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
	}
	return clean
}

// hasMarkup reports whether a line may be more to gofmt than text of a paragraph.
func hasMarkup(lines plan.Comment) bool {
	for i, line := range lines {
		if line == "" {
			if i == 0 || i == len(lines)-1 || lines[i-1] == "" {
				return true
			}
			continue
		}
		if first := rune(line[0]); !unicode.IsLetter(first) || strings.HasPrefix(line, "+") || strings.Contains(line, "]:") {
			return true
		}
	}
	return false
}
