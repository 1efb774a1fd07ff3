package plan

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// warnOthers reports the media types of a request body, or of a success, that describe another body than the one that was chosen:
// no method sends or reads it.
func (r *resolver) warnOthers(op *model.Operation, what string, all []model.Content, chosen *model.Content) {
	var others []string
	pos := op.Pos
	for i := range all {
		c := &all[i]
		if c == chosen || r.types.sameBody(c.Elem, chosen.Elem) || streamFormat(c.MediaType) != policy.NoStream {
			continue
		}
		if len(others) == 0 && c.Pos.IsValid() {
			pos = c.Pos
		}
		others = append(others, quote(c.MediaType))
	}
	if len(others) == 0 {
		return
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.OtherMediaType, Severity: diag.Warning, Span: source.Span{Pos: pos},
		What: what + " of " + nameOf(op) + " is " + quote(chosen.MediaType) + "; no method has it in " + strings.Join(others, ", "),
		Why:  "a method speaks one media type, and these describe another body",
		Fix:  "nothing to do where " + quote(chosen.MediaType) + " is enough; else remove it by an overlay, and the next is chosen",
	})
}

// warnOtherAnswers does so for the successes of an operation.
func (r *resolver) warnOtherAnswers(op *model.Operation, a *answer) {
	for i := range a.cases {
		if c := &a.cases[i]; !c.failure && c.response != nil && c.choice.content != nil {
			r.warnOthers(op, "the answer "+c.response.Code, c.response.Contents, c.choice.content)
		}
	}
}

// sameBody reports whether two bodies say the same: they are of one type, or objects of the same fields, which files in a form and in
// parts are.
func (t *typer) sameBody(a, b model.Elem) bool {
	if sameElem(a, b) {
		return true
	}
	ours, ok := t.follow(a.Type).typ.(model.Object)
	theirs, also := t.follow(b.Type).typ.(model.Object)
	return ok && also && slices.EqualFunc(ours.Fields, theirs.Fields, func(f, g model.Field) bool { return f.Name == g.Name })
}
