package generator

import (
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/config"
	"github.com/resgen-go/resgen/generator/internal/diag"
)

// SchemaNames are what Schema knows: "config" is resgen.yaml, "policy" the policy file, "x-resilience" the extension of a document.
func SchemaNames() []string { return []string{"config", "policy", "x-resilience"} }

// Schema returns the JSON Schema (draft 2020-12) of a sort of file, for editors, and whether there is one of that name. It is made of the
// tables that the files are read by.
func Schema(name string) (data []byte, ok bool, err error) {
	switch name {
	case "config":
		data, err = config.Schema()
	case "policy":
		data, err = annot.PolicyFileSchema()
	case "x-resilience":
		data, err = annot.ExtensionSchema()
	default:
		return nil, false, nil
	}
	return data, true, err
}

// NearestSchema returns the name that a mistyped one most likely means, or "".
func NearestSchema(name string) string { return diag.Nearest(name, SchemaNames()) }
