package generator

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

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
	// Loosened says how the operation was declared more idempotent than its HTTP method is; empty where it was not.
	Loosened string `json:"loosened,omitempty"`
	// LeftOut are the kinds that are worth a retry and that the operation does not retry.
	LeftOut []LeftOut `json:"left-out,omitempty"`
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

// LeftOut are kinds of failures that are not retried for one reason.
type LeftOut struct {
	Kinds []string `json:"kinds"`
	Why   string   `json:"why"`
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
				out = append(out, explain(o.Name, op, o.pkg.Client.Operations))
			}
		}
	}
	return out
}

// NearestOperation returns the operation that a mistyped name most likely means, or "".
func (r *Result) NearestOperation(name string) string {
	all := r.Explain("")
	known := make([]string, 0, 2*len(all))
	for i := range all {
		e := &all[i]
		known = append(known, e.Operation, e.Method)
	}
	return diag.Nearest(name, known)
}

func explain(output string, op *plan.Operation, all []plan.Operation) Explanation {
	e := Explanation{
		Output: output, Operation: op.Model.ID, Method: op.GoName, Policy: strings.Join(op.PolicyDoc, " "), Worst: worst(op, all),
		Loosened: op.Loosened(), Values: make([]ExplainedValue, 0, len(op.Why)+len(op.WhyTargets)),
	}
	for _, left := range op.LeftOut() {
		last := len(e.LeftOut) - 1
		if last < 0 || e.LeftOut[last].Why != left.Why {
			e.LeftOut = append(e.LeftOut, LeftOut{Why: left.Why})
			last++
		}
		e.LeftOut[last].Kinds = append(e.LeftOut[last].Kinds, left.Kind.String())
	}
	if bind, ok := op.Model.Bind.(*model.HTTPBinding); ok {
		e.Request = bind.Request()
	}
	for _, why := range slices.Concat(op.Why, op.WhyTargets) {
		e.Values = append(e.Values, ExplainedValue{
			Path: why.Path, Value: why.Value, Layer: why.Layer, File: why.Pos.File, Line: why.Pos.Line, Column: why.Pos.Column,
		})
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
			es[i].text(&b)
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
func (e *Explanation) text(b *bytes.Buffer) {
	fmt.Fprintf(b, "%s: %s\n", diag.Escape(e.Operation), diag.Escape(e.Request))
	fmt.Fprintf(b, "    method: %s\n    policy: %s\n    worst:  %s\n", diag.Escape(e.Method), diag.Escape(e.Policy), e.Worst)
	if e.Loosened != "" {
		fmt.Fprintf(b, "    loosened: %s\n", diag.Escape(e.Loosened))
	}
	for _, left := range e.LeftOut {
		fmt.Fprintf(b, "    not retried: %s: %s\n", strings.Join(left.Kinds, ", "), left.Why)
	}
	e.values(b)
}

// values writes a line for each value of the policy, aligned.
func (e *Explanation) values(b *bytes.Buffer) {
	rows := make([][3]string, len(e.Values))
	var widths [3]int
	for i, v := range e.Values {
		rows[i] = [3]string{diag.Escape(v.Path), diag.Escape(v.Value), diag.Escape(v.Layer)}
		for j, cell := range rows[i] {
			if width := utf8.RuneCountInString(cell); width <= widestCell {
				widths[j] = max(widths[j], width)
			}
		}
	}
	for i, row := range rows {
		line := fmt.Sprintf("    %-*s  %-*s  %-*s", widths[0], row[0], widths[1], row[1], widths[2], row[2])
		if v := &e.Values[i]; v.Line > 0 {
			line += fmt.Sprintf("  %s:%d:%d", diag.Escape(v.File), v.Line, v.Column)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// widestCell is how wide a cell may be that others are aligned with: a rung on one line is wider.
const widestCell = 40
