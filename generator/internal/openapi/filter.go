package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// filterOperations keeps the operations that Include and Exclude select. IDs were given before, so that what is kept does not
// change its name with what is left out.
func (l *loader) filterOperations() {
	include, exclude := l.patterns("include", l.in.Include), l.patterns("exclude", l.in.Exclude)
	l.operations = slices.DeleteFunc(l.operations, func(op *operation) bool {
		isIn := len(include) == 0 || matchAny(include, op)
		isOut := matchAny(exclude, op) || !isIn // both are asked, so that each pattern learns what it matches
		if isOut {
			l.absent = append(l.absent, model.AbsentOperation{ID: op.id, Pos: op.keyPos})
		}
		return isOut
	})
	for _, p := range slices.Concat(include, exclude) {
		if p.hits == 0 {
			l.report(diag.Diagnostic{
				Code: diag.UnmatchedPattern, Severity: diag.Warning, Span: source.Span{Pos: l.in.Tree.Pos},
				What: fmt.Sprintf("%s %q matches no operation", p.flag, p.text),
				Why:  `a pattern matches an operationId or "METHOD /path" as a whole; '*' stops at a slash, '**' does not`,
				Fix:  "correct or remove it",
			})
		}
	}
}

// absentTypes are the components of the document that are not among the types: nothing that is selected reaches them.
func (l *loader) absentTypes(types []model.TypeDecl) []model.AbsentType {
	there := make(map[model.TypeID]bool, len(types))
	for i := range types {
		there[types[i].ID] = true
	}
	var out []model.AbsentType
	all := l.refs.components(l.files.main, string(schemas))
	for i := range fieldsOf(all.node) {
		f := &all.node.Map[i]
		s := all.step(f.Key, &f.Value)
		id := model.TypeID(s.id())
		if !there[id] && !there[model.TypeID(l.refs.sameByName(s).id())] {
			out = append(out, model.AbsentType{ID: id, Name: f.Key, Pos: f.KeyPos})
		}
	}
	return out
}

// pattern is one glob of --include or --exclude.
type pattern struct {
	flag, text string
	re         *regexp.Regexp
	hits       int
}

func (*loader) patterns(flag string, globs []string) []*pattern {
	out := make([]*pattern, len(globs))
	for i, glob := range globs {
		parts := strings.Split(glob, "**")
		for j, part := range parts {
			parts[j] = strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, `[^/]*`)
		}
		re := regexp.MustCompile(`(?s)\A` + strings.Join(parts, `.*`) + `\z`) // cannot fail: all else is quoted
		out[i] = &pattern{flag: flag, text: glob, re: re}
	}
	return out
}

// matchAny reports whether some pattern matches an operation. All are asked.
func matchAny(patterns []*pattern, op *operation) bool {
	found := false
	for _, p := range patterns {
		if p.re.MatchString(op.id) || p.re.MatchString(op.method+" "+op.item.path) {
			p.hits++
			found = true
		}
	}
	return found
}
