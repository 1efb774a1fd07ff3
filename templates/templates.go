package templates

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var files embed.FS

// Render writes the template of a file, such as "report.md.tmpl", for its view. A field that the view does not have is an error, and
// then nothing is written; so is a page of HTML, which RenderHTML writes: nothing here would escape what is put into it.
func Render(w io.Writer, name string, view any) error {
	if strings.HasSuffix(name, ".html.tmpl") {
		return fmt.Errorf("template %s: it is a page of HTML, which is not to be rendered as text", name)
	}
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"json": quoteJSON, "yaml": quoteYAML, "comment": printable, "indent": indent, "dur": duration,
		"md": markdown, "cell": cell, "code": code, "fence": fence,
	}).ParseFS(files, name)
	if err != nil {
		return fmt.Errorf("template %s: %w", name, err)
	}
	return write(w, t, view)
}

// prepared is a template, of a text or of a page of HTML.
type prepared interface {
	Name() string
	Execute(w io.Writer, view any) error
}

// write writes what a template makes of its view: all of it or nothing.
func write(w io.Writer, t prepared, view any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, view); err != nil {
		return fmt.Errorf("template %s: %w", t.Name(), err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("template %s: %w", t.Name(), err)
	}
	return nil
}
