package goiface

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// tool is what directives for resgen begin with.
const tool = "resgen"

// nearDirective matches comments that look like directives and are none, because of a space or of capitals.
var nearDirective = regexp.MustCompile(`^//\s*(?i:resgen)\s*:\s*[A-Za-z]`)

// directives are those of a comment, in order. Comments that their author most likely meant as one are reported.
func (r *reader) directives(doc *ast.CommentGroup) []source.Directive {
	return r.directivesIn(doc, r.loaded.fset)
}

// directivesIn is directives for a comment of another file set.
func (r *reader) directivesIn(doc *ast.CommentGroup, fset *token.FileSet) []source.Directive {
	var out []source.Directive
	if doc == nil {
		return nil
	}
	for _, c := range doc.List {
		d, ok := ast.ParseDirective(c.Pos(), c.Text)
		if !ok || d.Tool != tool {
			if nearDirective.MatchString(c.Text) {
				r.nearMiss(r.posIn(c.Pos(), fset), c.Text)
			}
			continue
		}
		at := func(p token.Pos) source.Pos { return r.posIn(p, fset) }
		namePos := at(d.Slash + token.Pos(len("//"+tool+":")))
		args, bad := splitArgs(d.Args)
		if bad >= 0 {
			r.badQuotes(at(d.ArgsPos+token.Pos(bad)), d.Name)
			continue
		}
		for i := range args {
			args[i].shift(func(column int) source.Pos { return at(d.ArgsPos + token.Pos(column)) })
		}
		one := source.Directive{Name: d.Name, Pos: namePos}
		for _, a := range args {
			one.Args = append(one.Args, a.Arg)
		}
		out = append(out, one)
	}
	return out
}

func (r *reader) nearMiss(pos source.Pos, text string) {
	_, rest, _ := strings.Cut(text, ":")
	r.list.Add(diag.Diagnostic{
		Code: diag.BadDirective, Span: source.Span{Pos: pos, Len: len(text)}, What: "this is a comment, and no directive",
		Why: "a directive has no space behind // and none around its first colon, and its tool is in lower case (https://go.dev/doc/comment#syntax)",
		Fix: "write `//" + tool + ":" + strings.ToLower(strings.TrimSpace(rest[:min(len(rest), wordEnd(rest))])) + "`",
	})
}

// wordEnd is where the first word of a text ends.
func wordEnd(text string) int {
	lead := len(text) - len(strings.TrimLeft(text, " \t"))
	if end := strings.IndexFunc(text[lead:], unicode.IsSpace); end >= 0 {
		return lead + end
	}
	return len(text)
}

func (r *reader) badQuotes(pos source.Pos, name string) {
	r.list.Add(diag.Diagnostic{
		Code: diag.BadDirective, Span: source.Span{Pos: pos}, What: "a quoted text of //" + tool + ":" + name + " does not end",
		Why: "quoted texts are Go strings: \"...\" with escapes, or `...`, and a space or nothing follows them", Fix: "end it with the quote that it begins with",
	})
}

// arg is an argument with its offsets in the text of all.
type arg struct {
	source.Arg

	key, value int
}

// shift turns offsets into positions.
func (a *arg) shift(at func(int) source.Pos) {
	a.Pos = at(a.value)
	if a.Key != "" {
		a.KeyPos = at(a.key)
	}
}

// splitArgs splits the arguments of a directive at spaces: words, KEY=WORD, and the same with a Go string for a word. bad is the
// offset of a string that does not end; -1 where there is none.
func splitArgs(text string) (args []arg, bad int) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			i += size
			continue
		}
		a := arg{key: i, value: i}
		end := i + strings.IndexFunc(text[i:]+" ", unicode.IsSpace)
		if eq := strings.IndexByte(text[i:end], '='); eq > 0 && text[i] != '"' && text[i] != '`' {
			a.Key, a.value = text[i:i+eq], i+eq+1
		}
		if a.value < len(text) && (text[a.value] == '"' || text[a.value] == '`') {
			quoted, err := strconv.QuotedPrefix(text[a.value:])
			if err != nil || !endsWord(text[a.value+len(quoted):]) {
				return nil, a.value
			}
			a.Text, _ = strconv.Unquote(quoted) // QuotedPrefix saw to it
			a.Quoted, end = true, a.value+len(quoted)
		} else {
			a.Text = text[a.value:end]
		}
		args = append(args, a)
		i = end
	}
	return args, -1
}

func endsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(r)
}
