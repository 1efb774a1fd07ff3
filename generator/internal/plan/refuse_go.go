package plan

import (
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
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
