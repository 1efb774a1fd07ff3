package generator

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/resgen-go/resgen/generator/internal/artefact"
	"github.com/resgen-go/resgen/generator/internal/diag"
)

// Print writes a table of the operations with what is known of each, and what to do next.
func (s *Starter) Print(w io.Writer) error {
	var b strings.Builder
	s.table(&b)
	s.remarks(&b)
	s.next(&b)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// The marks of what is only likely.
const (
	safeMark   = " *"
	pageMark   = "?"
	presetMark = "?"
)

// table has a line for each operation. Its texts are a document's.
func (s *Starter) table(b *strings.Builder) {
	http := slices.ContainsFunc(s.operations, func(o artefact.Inferred) bool { return o.Request != "" })
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	row := func(o string, request string, rest ...string) {
		cells := []string{o}
		if http {
			cells = append(cells, request)
		}
		cells = append(cells, rest...)
		_, _ = fmt.Fprintln(w, strings.Join(cells, "\t")) // into memory
	}
	row("operation", "request", "idempotency", "hedgeable", "streams", "pages", "errors")
	for i := range s.operations {
		o := &s.operations[i]
		idempotency, hedgeable := o.Idempotency+", "+o.By, "no"
		if o.At != "" {
			idempotency += " at " + o.At
		}
		if o.MostlySafe {
			idempotency += safeMark
		}
		if o.Hedgeable {
			hedgeable = "yes"
		}
		pages := o.Pages
		if pages == "" && o.PageHint != "" {
			pages = o.PageHint + pageMark
		}
		errors := o.Errors
		if errors == "" && o.Suggested != "" {
			errors = o.Suggested + presetMark
		}
		row(diag.Escape(o.Operation), diag.Escape(o.Request), diag.Escape(idempotency), hedgeable, dash(o.Streams), dash(diag.Escape(pages)), dash(errors))
	}
	_ = w.Flush() // into memory
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// remarks say what the marks in the table mean.
func (s *Starter) remarks(b *strings.Builder) {
	var lines, hosts []string
	for i := range s.operations {
		if o := &s.operations[i]; o.Host != "" && !slices.Contains(hosts, o.Host) {
			hosts = append(hosts, o.Host)
			lines = append(lines, "errors "+o.Suggested+presetMark+": the preset that the server "+diag.Escape(o.Host)+" suggests; `errors: "+
				o.Suggested+"` puts it in force")
		}
	}
	if slices.ContainsFunc(s.operations, func(o artefact.Inferred) bool { return o.MostlySafe }) {
		lines = append(lines, "*: most likely without an effect but its price; if so, the facts `{idempotency: safe, hedgeable: false}` let it be tried again")
	}
	if slices.ContainsFunc(s.operations, func(o artefact.Inferred) bool { return o.Pages == "" && o.PageHint != "" }) {
		lines = append(lines, "pages ...?: a parameter that looks as if there were pages; the fact `page` makes a method that reads all")
	}
	if len(lines) > 0 {
		b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	}
}

// next says what was written, and how to go on.
func (s *Starter) next(b *strings.Builder) {
	dir, flag, folder := "", "", "of this folder"
	if s.Dir != "." {
		dir = strings.TrimSuffix(display(s.Dir), "/") + "/"
		flag, folder = " --config "+dir+configFile, "of "+strings.TrimSuffix(dir, "/")
	}
	fmt.Fprintf(b, "\nwritten: %s%s, and %s%s, which changes nothing until you take what it suggests\n", dir, configFile, dir, policyFile)
	fmt.Fprintf(b, "In a Go file %s, for go generate:\n\n\t//go:generate go tool resgen generate\n\nNext:\n\n\tgo tool resgen generate%s\n", folder, flag)
}
