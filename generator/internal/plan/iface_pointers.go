package plan

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// refuseBlindPointers refuses pointers into the list of a method's arguments where no argument is, and a last turn that is no text. How the
// JSON of an argument looks inside is its own affair.
func (r *ifaceResolver) refuseBlindPointers(m *Method, op *model.Operation, p *policy.Plan) {
	for _, key := range p.Cache.Key {
		r.blind(m, op, "cache.key", key)
	}
	if p.Tokens.Max != "" {
		r.blind(m, op, "tokens.max", p.Tokens.Max)
	}
	s := &p.Cache.Semantic
	switch {
	case !s.On:
	case s.Turn == "":
		r.list.Add(diag.Diagnostic{
			Code: diag.SemanticTurn, Span: source.Span{Pos: r.written(m, "cache.semantic")},
			What: op.ID + " has a semantic cache, and its arguments are no request of " + quoted(p.Errors.Preset),
			Why:  "only the text of the last turn is compared by meaning",
			Fix:  "add `semantic.turn=/0` to `//resgen:cache`: the number of the argument, ctx not counted, and where in it the text is",
		})
	default:
		r.blind(m, op, "cache.semantic.turn", s.Turn)
	}
}

// blind reports a pointer to no argument, and a turn that is an argument without text.
func (r *ifaceResolver) blind(m *Method, op *model.Operation, path, pointer string) {
	steps, err := source.ParsePointer(pointer)
	if err != nil || len(steps) == 0 {
		return // refused as a value
	}
	n, err := strconv.ParseUint(steps[0], 10, 31)
	var problem string
	switch {
	case err != nil || strconv.FormatUint(n, 10) != steps[0] || n >= uint64(len(m.Asks)):
		problem = "leads to no argument"
	case path == "cache.semantic.turn" && len(steps) == 1 && isNoText(m.Params[m.Asks[n]].Type):
		problem = "leads to what is no text"
	default:
		return
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.PointerDoesNotFit, Span: source.Span{Pos: r.written(m, path)},
		What: quote(path) + " of " + op.ID + " does not fit its arguments: " + quoted(pointer) + " " + problem,
		Why:  "nothing would ever be found there, and what counts on it would silently not happen",
		Fix:  "begin with the number of an argument, ctx not counted: " + r.argumentsOf(m),
	})
}

// isNoText reports whether values of a type are certainly neither a text nor a list of parts.
func isNoText(t GoType) bool {
	basic, ok := t.(Basic)
	return ok && basic.Name != "string" && basic.Name != "any"
}

// argumentsOf lists a method's arguments with the pointers to them.
func (*ifaceResolver) argumentsOf(m *Method) string {
	all := make([]string, len(m.Asks))
	for i, param := range m.Asks {
		all[i] = "`/" + strconv.Itoa(i) + "` is " + quoted(m.Params[param].Name)
	}
	if len(all) == 0 {
		return "the method has none"
	}
	return strings.Join(all, ", ")
}
