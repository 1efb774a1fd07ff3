package generator

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

// Explanation says what the client does for one method, and who decided it.
type Explanation struct {
	// Output is the NAME of the client, Operation the operationId, Method the Go method and Request "METHOD /path".
	Output    string `json:"output"`
	Operation string `json:"operation"`
	Method    string `json:"method"`
	Request   string `json:"request"`
	// Policy states the policy in a sentence, as the method's comment does.
	Policy string `json:"policy"`
	// Worst is what one call may cost when nothing answers.
	Worst Worst `json:"worst"`
	// Values are what the layers of annotations come to.
	Values []ExplainedValue `json:"values"`
}

// ExplainedValue is one value of a policy.
type ExplainedValue struct {
	// Path and Value are as annotations spell them, such as "retry.attempts" and "3".
	Path  string `json:"path"`
	Value string `json:"value"`
	// Layer is who set it: "built-in", "recommended", "operation", "rule 2", "policy polite" and so on.
	Layer string `json:"layer"`
	// File, Line and Column are where it was written; a value that nobody wrote has none.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Explain returns the explanations of the methods of an operation, named by operationId or by Go method. The empty name is all
// of them.
func (r *Result) Explain(operation string) []Explanation {
	var out []Explanation
	for i := range r.Outputs {
		o := &r.Outputs[i]
		for j := range o.pkg.Client.Operations {
			op := &o.pkg.Client.Operations[j]
			if operation == "" || op.Model.ID == operation || op.GoName == operation {
				out = append(out, explain(o.Name, op))
			}
		}
	}
	return out
}

// NearestOperation returns the operation that a mistyped name most likely means, or "".
func (r *Result) NearestOperation(name string) string {
	var known []string
	for _, e := range r.Explain("") {
		known = append(known, e.Operation, e.Method)
	}
	return diag.Nearest(name, known)
}

func explain(output string, op *plan.Operation) Explanation {
	e := Explanation{
		Output: output, Operation: op.Model.ID, Method: op.GoName, Policy: strings.Join(op.PolicyDoc, " "), Worst: worst(op),
		Values: make([]ExplainedValue, len(op.Why)),
	}
	if bind, ok := op.Model.Bind.(*model.HTTPBinding); ok {
		e.Request = bind.Method + " " + bind.Path
	}
	for i, why := range op.Why {
		e.Values[i] = ExplainedValue{
			Path: why.Path, Value: why.Value, Layer: why.Layer, File: why.Pos.File, Line: why.Pos.Line, Column: why.Pos.Column,
		}
	}
	return e
}

// PrintExplanations writes explanations as "text" or "json".
func PrintExplanations(w io.Writer, format string, es []Explanation) error {
	var b bytes.Buffer
	switch format {
	case "text":
		for i := range es {
			if i > 0 {
				b.WriteByte('\n')
			}
			if err := es[i].text(&b); err != nil {
				return err
			}
		}
	case "json":
		if err := diag.EncodeJSON(&b, map[string][]Explanation{"operations": es}); err != nil {
			return fmt.Errorf("print explanations: %w", err)
		}
	default:
		return fmt.Errorf("%w: explanations are text or json, not %q", ErrUsage, format)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print explanations: %w", err)
	}
	return nil
}

// text writes an explanation for people. All of it may be text of a document.
func (e *Explanation) text(b *bytes.Buffer) error {
	fmt.Fprintf(b, "%s: %s\n", diag.Escape(e.Operation), diag.Escape(e.Request))
	fmt.Fprintf(b, "    method: %s\n    policy: %s\n    worst:  %s\n", diag.Escape(e.Method), diag.Escape(e.Policy), e.Worst)
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, v := range e.Values {
		place := ""
		if v.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", v.File, v.Line, v.Column)
		}
		row := "    " + diag.Escape(v.Path) + "\t" + diag.Escape(v.Value) + "\t" + diag.Escape(v.Layer) + "\t" + diag.Escape(place)
		if _, err := fmt.Fprintln(table, strings.TrimRight(row, "\t")); err != nil {
			return fmt.Errorf("print explanations: %w", err)
		}
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print explanations: %w", err)
	}
	return nil
}
