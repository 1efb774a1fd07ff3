package templates

import (
	"fmt"
	"html/template"
	"io"
)

// RenderHTML writes a page, such as "simulation.html.tmpl", for its view, as Render does. What is put into it is escaped for where it stands
// in the page: as text, in an attribute, in a style.
func RenderHTML(w io.Writer, name string, view any) error {
	t, err := template.New(name).Option("missingkey=error").ParseFS(files, name)
	if err != nil {
		return fmt.Errorf("template %s: %w", name, err)
	}
	return write(w, t, view)
}
