package plan

import (
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// goOnly reports what only Go methods can have, at an operation of HTTP.
func (c *refusal) goOnly() {
	if _, isHTTP := c.r.op.Bind.(*model.HTTPBinding); !isHTTP {
		return
	}
	if c.whole.Abandon {
		c.list.Add(diag.Diagnostic{
			Code: diag.OnlyGoMethods, Span: c.at("abandon"), What: c.name() + " is of HTTP: there is nothing to abandon",
			Why: "its requests end with their context, whatever the server does", Fix: "remove `abandon`",
		})
	}
	for i := range c.r.facts.Go {
		rule := &c.r.facts.Go[i]
		c.list.Add(diag.Diagnostic{
			Code: diag.OnlyGoMethods, Span: source.Span{Pos: rule.Pos, Len: len(rule.Name)},
			What: c.name() + " is of HTTP: it returns no Go error that is " + asked(rule),
			Why:  "what it fails with is a status, a body or a broken connection",
			Fix:  "name status codes, or values in the body: `{status: 429, pointer: /error/code, equals: quota}`",
		})
	}
}

// documentsOnly reports what only operations of a document can have, at a Go method: nobody looks into what it sends and answers.
func (c *refusal) documentsOnly() {
	if !c.isFunc() {
		return
	}
	refuse := func(key, why, fix string) {
		c.list.Add(diag.Diagnostic{
			Code: diag.OnlyDocuments, Span: c.at(key), What: c.name() + " is a Go method: " + quoted(key) + " points into no body", Why: why, Fix: fix,
		})
	}
	if len(c.whole.IDs) > 0 {
		refuse("ids", "what its arguments name is not known", "write `idempotent: true` if every call names what it writes, and remove `ids`")
	}
	if c.whole.Served.IsOn() {
		refuse("served", "a pointer leads into the JSON of an answer, which what is wrapped has read", "remove `served`")
	}
	if c.whole.Errors.Partial.On {
		refuse("errors.partial", "what it returns is not looked into; a PartialError of a client inside the method is passed on", "remove `partial`")
	}
	if len(c.whole.Space.Vectors) > 0 {
		refuse("space.vectors", "what it returns is not looked into; a client inside the method does", "write `space: true`")
	}
}

// partialShape refuses batches whose answer does not say what failed.
func (c *refusal) partialShape(p policy.Problem) {
	c.list.Add(diag.Diagnostic{
		Code: diag.PartialDoesNotFit, Span: c.at(p.Field), What: c.name() + ": " + p.Text,
		Why: "a batch that failed in part would pass for one that did not", Fix: "write `partial: {sent: /items, items: /results, error: /error}`",
		Related: c.where(),
	})
}

// idsUnused refuses ids on an operation that is not idempotent by them.
func (c *refusal) idsUnused() {
	what := c.whole.Idempotency.String()
	c.list.Add(diag.Diagnostic{
		Code: diag.IDsUnused, Span: c.at("ids"), What: c.name() + " has ids, and is " + quoted(what) + " with them or without",
		Why:     "`ids` says which of its calls are idempotent; declared otherwise, all are alike",
		Fix:     "remove `idempotency`, or remove `ids`",
		Related: append(c.where(), c.related("idempotency", "the operation is declared so here")...),
	})
}

// asked is what a rule asks of an error.
func asked(r *annot.GoRule) string {
	switch r.Sort {
	case annot.GoFunc:
		return "for " + quoted(r.Name) + " to judge"
	case annot.GoAs:
		return "a " + quoted(r.Name)
	default:
		return quoted(r.Name)
	}
}
