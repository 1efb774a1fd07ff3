package artefact

import (
	"bytes"

	"github.com/resgen-go/resgen/templates"
)

// Page is a file of text.
type Page struct {
	// Name is the file's name, without a folder.
	Name string
	// Data is its content.
	Data []byte
}

// render makes the page of a name by the template of that name.
func render(name string, view any) (Page, error) {
	var b bytes.Buffer
	if err := templates.Render(&b, name+".tmpl", view); err != nil {
		return Page{}, err
	}
	return Page{Name: name, Data: b.Bytes()}, nil
}
