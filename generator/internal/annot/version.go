package annot

import (
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

var versionEntry = Entry{
	Sort:    Shared,
	Title:   "Version",
	Text:    "The version of the vocabulary. There is one; without the key it is meant.",
	Example: "version: 1",
	Since:   "0.1",
	field:   field[Settings]{key: "version", shape: versionShape{}},
}

type versionShape struct{}

func (versionShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.Number && v.Text == "1" {
		return *v, true
	}
	c.bad(diag.BadVersion, v, "version "+quote(v.Text)+" of the vocabulary is not known", "its keys could mean something else", "write `version: 1`")
	return source.Value{}, false
}

func (versionShape) describe() description {
	return description{form: "1", schema: &schema{Type: "integer", Minimum: new(1.0), Maximum: new(1.0)}}
}
