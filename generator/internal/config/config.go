package config

import (
	"fmt"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Config is resgen.yaml.
type Config struct {
	// Root is the folder below which files are read that a document names itself. Default: "." (the folder of resgen.yaml).
	Root Text
	// Clients are the outputs, in the order of the file; names and output folders are unique.
	Clients []Client
}

// Client is one output.
type Client struct {
	// Pos is where the client begins.
	Pos source.Pos
	// Name is the NAME in the second line of every file that belongs to the output.
	Name Text
	// Spec is the document's path, Overlays are applied to it in order, and Policy is the policy file, or empty.
	Spec Text
	// Iface is, in place of a document, the Go interface [PKG.]TYPE, Tags the build tags that it is read with, and Twins asks for methods
	// that return a runtime.Result.
	Iface Text
	Tags  []Text
	Twins bool
	// WithoutTests says that no tests are written beside the client: `tests: false`.
	WithoutTests bool
	Overlays     []Text
	Policy       Text
	// Out is the folder that is written, Package the name in its package clause.
	Out     Text
	Package Text
	// ImportPath is the import path of Out; empty means that of the nearest go.mod plus the folder.
	ImportPath Text
	// Include and Exclude select operations by operationId or "METHOD /path".
	Include, Exclude []Text
}

// Text is a text with its place. The zero value is a text that was not written.
type Text struct {
	Value string
	Pos   source.Pos
}

// IsSet reports whether the text was written.
func (t Text) IsSet() bool { return t.Pos.IsValid() }

// Read reads resgen.yaml. What is wrong goes to the list; the result is not nil, but complete only where the list holds no error.
func Read(name string, data []byte, list *diag.List) *Config {
	c := &Config{Root: Text{Value: "."}}
	tree, err := source.Read(name, data)
	if err != nil {
		list.AddSource(err, source.Pos{File: name, Line: 1, Column: 1})
		return c
	}
	d := &decoder{list: list}
	if !d.object(tree, "the configuration", fileKeys) {
		return c
	}
	d.version(tree)
	if root := d.text(tree, "root"); root.IsSet() {
		c.Root = root
	}
	clients := tree.Get("clients")
	if clients == nil || clients.Kind == source.List && len(clients.List) == 0 {
		d.missing(tree, "clients", "the configuration", "a list of what is generated: `clients: [{name: llm, spec: llm.yaml, out: internal/llm, package: llm}]`")
		return c
	}
	for _, v := range d.items(tree, "clients") {
		if client, ok := d.client(v); ok {
			c.Clients = append(c.Clients, client)
		}
	}
	d.unique(c.Clients, "name", func(c *Client) Text { return c.Name })
	d.unique(c.Clients, "out", func(c *Client) Text { return Text{Value: cleanPath(c.Out.Value), Pos: c.Out.Pos} })
	return c
}

// client reads one entry of clients.
func (d *decoder) client(v *source.Value) (Client, bool) {
	if !d.object(v, "a client", clientKeys) {
		return Client{}, false
	}
	if v.Get("iface") != nil {
		return d.iface(v)
	}
	for _, key := range []string{"tags", "twins"} {
		d.onlyFor(v, key, "interfaces", "add `iface`, or remove the key")
	}
	c := Client{
		Pos: v.Pos, Name: d.required(v, "name"), Spec: d.required(v, "spec"), Out: d.required(v, "out"), Package: d.required(v, "package"),
		Overlays: d.texts(v, "overlays"), Policy: d.text(v, "policy"), ImportPath: d.text(v, "import-path"),
		Include: d.texts(v, "include"), Exclude: d.texts(v, "exclude"),
		WithoutTests: v.Get("tests") != nil && !d.flag(v, "tests"),
	}
	if c.Name.IsSet() && !ValidName(c.Name.Value) {
		d.list.Add(diag.Diagnostic{
			Code: diag.BadValue, Span: spanOf(c.Name), What: fmt.Sprintf("%q is no name of an output", c.Name.Value),
			Why: "the name stands in the second line of each file that is written", Fix: "use letters, digits, '-', '_' and '.' only, a letter or digit first",
		})
	}
	if c.Package.IsSet() && !ValidPackage(c.Package.Value) {
		d.list.Add(diag.Diagnostic{
			Code: diag.InvalidPackageName, Span: spanOf(c.Package), What: fmt.Sprintf("%q is no Go package name", c.Package.Value),
			Why: "it stands in the package clause", Fix: "use a Go identifier that is no keyword, short and in lower case",
		})
	}
	if c.ImportPath.IsSet() && !ValidImportPath(c.ImportPath.Value) {
		d.list.Add(diag.Diagnostic{
			Code: diag.BadValue, Span: spanOf(c.ImportPath), What: fmt.Sprintf("%q is no import path", c.ImportPath.Value),
			Why: "what is generated imports itself by it", Fix: "write the path of the module and the folder, such as `example.com/app/llm`",
		})
	}
	return c, true
}
