package config

import (
	"encoding/json"
	"fmt"
	"slices"
)

// form says what the value of a key looks like. The zero value is text.
type form uint8

const (
	text    form = iota // a text that is not empty
	texts               // a list of them, or one
	flag                // true or false
	version             // 1
	clients             // a list of clients
)

// key is one key of the file or of a client: what it is called, what it is for, and what its value looks like.
type key struct {
	name, doc string
	form      form
	// of are the clients that have it: "document" or "interface"; empty for both. later says that nothing carries it out yet.
	of    string
	later bool
}

// The keys of the file and of a client, in the order of the reference. What is checked, documented and put into the JSON Schema is this.
var (
	fileTable = []key{
		{name: "version", doc: "The version of this file: 1.", form: version},
		{name: "root", doc: "The folder below which files are read that a document names itself; by default that of this file."},
		{name: "clients", doc: "What is generated.", form: clients},
	}
	clientTable = []key{
		{name: "name", doc: "The name of the output, which stands in each of its files. For an interface the type's by default."},
		{name: "spec", doc: "The OpenAPI document.", of: ofDocument},
		{name: "iface", doc: "The Go interface in place of a document: TYPE, ./folder.TYPE or example.com/path.TYPE.", of: ofInterface},
		{name: "overlays", doc: "OpenAPI Overlays, applied to the document in this order.", form: texts, of: ofDocument},
		{name: "policy", doc: "The policy file."},
		{name: "out", doc: "The folder that is written; for an interface the file, by default beside the interface."},
		{name: "package", doc: "The name of the Go package."},
		{name: "import-path", doc: "The import path of what is written; by default that of the nearest go.mod and the folder."},
		{name: "include", doc: "Keeps only operations whose operationId or \"METHOD /path\" matches one of these patterns.", form: texts, of: ofDocument},
		{name: "exclude", doc: "Leaves out operations that match one of these patterns.", form: texts, of: ofDocument},
		{name: "tags", doc: "The build tags that the interface is read with.", form: texts, of: ofInterface},
		{name: "tests", doc: "Whether tests of the client's policies are written beside it: resilience_gen_test.go. By default they are.", form: flag, of: ofDocument},
		{name: "twins", doc: "A further method, which returns a runtime.Result, beside each one of the interface that has a ladder.", form: flag, of: ofInterface},
		{name: "artefacts", form: texts, later: true},
	}
)

const ofDocument, ofInterface = "document", "interface"

var fileKeys, clientKeys = names(fileTable), names(clientTable)

func names(table []key) []string {
	out := make([]string, len(table))
	for i := range table {
		out[i] = table[i].name
	}
	return out
}

// isLater reports a key of a client whose feature is not there yet. The value that means "without" is accepted.
func isLater(name string) bool {
	return slices.ContainsFunc(clientTable, func(k key) bool { return k.name == name && k.later })
}

// Schema returns the JSON Schema (draft 2020-12) of resgen.yaml.
func Schema() ([]byte, error) {
	s := object(fileTable, "")
	s["$schema"], s["title"] = "https://json-schema.org/draft/2020-12/schema", "resgen.yaml"
	s["required"] = []string{"version", "clients"}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema of resgen.yaml: %w", err)
	}
	return append(data, '\n'), nil
}

// object is the schema of an object with the keys of a table, as clients of a sort have them; empty for what has no sorts. A key of the
// other sort is refused unless it says "without".
func object(table []key, of string) map[string]any {
	properties := map[string]any{}
	for _, k := range table {
		switch other := of != "" && k.of != "" && k.of != of; {
		case other && k.name == "iface":
		case other || k.later:
			properties[k.name] = map[string]any{"enum": []any{nil, false, []any{}}}
		default:
			s := k.form.schema()
			s["description"] = k.doc
			properties[k.name] = s
		}
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

func (f form) schema() map[string]any {
	one := map[string]any{"type": "string", "minLength": 1}
	switch f {
	case texts:
		return map[string]any{"anyOf": []any{one, map[string]any{"type": "array", "items": one}}}
	case flag:
		return map[string]any{"type": "boolean"}
	case version:
		return map[string]any{"const": 1}
	case clients:
		document, iface := object(clientTable, ofDocument), object(clientTable, ofInterface)
		document["required"] = []string{"name", "spec", "out", "package"}
		iface["required"] = []string{"iface"}
		return map[string]any{"type": "array", "minItems": 1, "items": map[string]any{"anyOf": []any{document, iface}}}
	default:
		return one
	}
}
