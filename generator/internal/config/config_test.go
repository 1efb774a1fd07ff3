package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/config"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

func text(line, column int, value string) config.Text {
	return config.Text{Value: value, Pos: source.Pos{File: "resgen.yaml", Line: line, Column: column}}
}

func TestRead(t *testing.T) {
	t.Parallel()
	const file = `version: 1
root: specs
clients:
  - name: llm
    spec: specs/llm.yaml
    overlays: [a.yaml, b.yaml]
    policy: policy.yaml
    out: internal/llm
    package: llm
    import-path: example.com/llm
    include: ["chat*", GET /models]
    exclude: deleteModel
    tests: false
    twins: false
    artefacts: []
  - {name: db, spec: db.json, out: internal/db, package: db}
`
	var list diag.List
	got := config.Read("resgen.yaml", []byte(file), &list)
	if ds := list.Sorted(); len(ds) > 0 {
		t.Fatalf("%+v", ds)
	}
	want := &config.Config{
		Root: text(2, 7, "specs"),
		Clients: []config.Client{
			{
				Pos: text(4, 5, "").Pos, Name: text(4, 11, "llm"), Spec: text(5, 11, "specs/llm.yaml"),
				Overlays: []config.Text{text(6, 16, "a.yaml"), text(6, 24, "b.yaml")}, Policy: text(7, 13, "policy.yaml"),
				Out: text(8, 10, "internal/llm"), Package: text(9, 14, "llm"), ImportPath: text(10, 18, "example.com/llm"),
				WithoutTests: true,
				Include:      []config.Text{text(11, 15, "chat*"), text(11, 24, "GET /models")}, Exclude: []config.Text{text(12, 14, "deleteModel")},
			},
			{
				Pos: text(16, 5, "").Pos, Name: text(16, 12, "db"), Spec: text(16, 22, "db.json"),
				Out: text(16, 36, "internal/db"), Package: text(16, 58, "db"),
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestReference reads the example of the reference page, which has every key.
func TestReference(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "reference", "cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	var list diag.List
	got := config.Read("resgen.yaml", []byte(example), &list)
	if ds := list.Sorted(); len(ds) > 0 || len(got.Clients) != 2 {
		t.Fatalf("%d clients, %+v", len(got.Clients), ds)
	}
	document, iface := reflect.ValueOf(got.Clients[0]), reflect.ValueOf(got.Clients[1])
	if !got.Root.IsSet() || slices.ContainsFunc(reflect.VisibleFields(document.Type()), func(f reflect.StructField) bool {
		return document.FieldByIndex(f.Index).IsZero() && iface.FieldByIndex(f.Index).IsZero()
	}) {
		t.Errorf("the example lacks a key: %+v", got)
	}
}

func TestRootDefaultsToTheFolderOfTheFile(t *testing.T) {
	t.Parallel()
	var list diag.List
	got := config.Read("resgen.yaml", []byte("version: 1\nclients: [{name: a, spec: a.yaml, out: a, package: a}]"), &list)
	if list.HasErrors() || got.Root.Value != "." || got.Root.IsSet() {
		t.Errorf("root %+v, diagnostics %v", got.Root, list.Sorted())
	}
}

func TestReadReportsEveryFault(t *testing.T) {
	t.Parallel()
	client := "{name: a, spec: s, out: o, package: p}"
	tests := []struct{ name, file, want string }{
		{"syntax", "a: [", "1:1 RG1002"}, // the words are the library's
		{"no object", "- 1", `1:1 RG2002: the configuration is a list, want an object | write an object`},
		{"unknown key", "version: 1\nclients: [" + client + "]\nclient: 1", `3:1 RG2001: the configuration has no key "client" | did you mean "clients"?`},
		{"no version", "clients: [" + client + "]", `1:1 RG2007: the configuration has no "version" | add ` + "`version: 1`"},
		{"version", "version: 2\nclients: [" + client + "]", `1:10 RG2011: the configuration is of version "2" | write ` + "`version: 1`"},
		{"version as text", "version: '1'\nclients: [" + client + "]", `1:10 RG2011: the configuration is of version "1" | write ` + "`version: 1`"},
		{
			"no clients", "version: 1\nclients: []",
			`1:1 RG2007: the configuration has no "clients" | add a list of what is generated: ` +
				"`clients: [{name: llm, spec: llm.yaml, out: internal/llm, package: llm}]`",
		},
		{"clients as object", "version: 1\nclients: " + client, `2:10 RG2002: "clients" is an object, want a list | write a list`},
		{"client as text", "version: 1\nclients: [a]", `2:11 RG2002: a client is a string, want an object | write an object`},
		{
			"nothing in a client", "version: 1\nclients: [{policy: p}]",
			`2:11 RG2007: the client has no "name" | add ` + "`name: ...`" + "\n" +
				`2:11 RG2007: the client has no "out" | add ` + "`out: ...`" + "\n" +
				`2:11 RG2007: the client has no "package" | add ` + "`package: ...`" + "\n" +
				`2:11 RG2007: the client has no "spec" | add ` + "`spec: ...`",
		},
		{
			"kinds", "version: 1\nroot: 5\nclients: [{name: a, spec: [s], out: o, package: p, overlays: 1, include: [x, 2], policy: ''}]",
			`2:7 RG2002: "root" is a number, want a string | write a string` + "\n" +
				`3:27 RG2002: "spec" is a list, want a string | write a string` + "\n" +
				`3:62 RG2002: "overlays" is a number, want a list | write a list` + "\n" +
				`3:78 RG2002: "include" is a number, want a string | write a string` + "\n" +
				`3:90 RG2006: "policy" is empty | give it a value, or remove the key`,
		},
		{
			"later keys", "version: 1\nclients: [{name: a, iface: x.Y, tests: true, artefacts: [alerts]}]",
			`2:33 RG2009: "tests" is for documents | remove it, or make two clients` + "\n" +
				`2:46 RG2005: "artefacts" is not supported yet | remove the key`,
		},
		{
			"interfaces", "version: 1\nclients: [{iface: ./store, out: o, spec: s, tags: [a b], twins: 1}, {name: a, spec: s, out: p, package: p, tags: x}]",
			`2:19 RG2006: "./store" names no Go type | write ` + "`iface: Store`, `iface: ./store.Store` or `iface: example.com/app/store.Store`\n" +
				`2:33 RG2006: "o" is no Go file that is not a test | write ` + "`out: FILE.go`, or remove the key\n" +
				`2:36 RG2009: "spec" is for documents | remove it, or make two clients` + "\n" +
				`2:52 RG2006: "a b" is no build tag | write a list: ` + "`tags: [integration, linux]`\n" +
				`2:65 RG2002: "twins" is a number, want true or false | write true or false` + "\n" +
				`2:108 RG2009: "tags" is for interfaces | add ` + "`iface`, or remove the key",
		},
		{
			"later key at the top", "version: 1\ntests: true\nclients: [" + client + "]",
			`2:1 RG2001: the configuration has no key "tests" | remove it; the keys are version, root, clients`,
		},
		{
			"names", "version: 1\nclients: [{name: ../x, spec: s, out: o, package: my-client}]",
			`2:18 RG2006: "../x" is no name of an output | use letters, digits, '-', '_' and '.' only, a letter or digit first` + "\n" +
				`2:50 RG4001: "my-client" is no Go package name | use a Go identifier that is no keyword, short and in lower case`,
		},
		{
			"import path", "version: 1\nclients: [{name: a, spec: s, out: o, package: p, import-path: ../x}]",
			`2:63 RG2006: "../x" is no import path | write the path of the module and the folder, such as ` + "`example.com/app/llm`",
		},
		{
			"shared name and folder", "version: 1\nclients:\n- " + client + "\n- {name: a, spec: s, out: ./o/, package: q}",
			`4:10 RG2008: two clients have the name "a" | give each client its own` + "\n" +
				`4:27 RG2008: two clients have the out "o" | give each client its own`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var list diag.List
			config.Read("resgen.yaml", []byte(tt.file), &list)
			var got []string
			for _, d := range list.Sorted() {
				if d.Why == "" || d.Span.File != "resgen.yaml" {
					t.Errorf("%+v has no why, or another file", d)
				}
				line := fmt.Sprintf("%d:%d %s: %s | %s", d.Span.Line, d.Span.Column, d.Code, d.What, d.Fix)
				if d.Code == diag.BadSyntax {
					line = fmt.Sprintf("%d:%d %s", d.Span.Line, d.Span.Column, d.Code)
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"llm": true, "a.b-c_d9": true, "9": true, "": false, "../x": false, "a/b": false, ".a": false, "-a": false, "a b": false,
		"a\nb": false, "é": false, "a*/": false, strings.Repeat("a", 100): true, strings.Repeat("a", 101): false,
	} {
		if got := config.ValidName(name); got != want {
			t.Errorf("ValidName(%q) = %t", name, got)
		}
	}
}

func TestValidImportPath(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"example.com/app/llm": true, "llm": true, "gopkg.in/yaml.v3": true, "a/..x/_y~z+": true,
		"": false, "/a": false, "a/": false, "a//b": false, "../x": false, "a/./b": false, "a/b.": false, "a b": false, "\"x": false,
		"x\n//go:build ignore": false, "ä": false, `a\b`: false,
	} {
		if got := config.ValidImportPath(name); got != want {
			t.Errorf("ValidImportPath(%q) = %t", name, got)
		}
	}
}

func TestValidPackage(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"llm": true, "llm2": true, "my_client": true, "type": false, "_": false, "main": false, "documentation": false, "my-client": false, "2a": false, "": false,
		"x_test": false, "a b": false, "a;import": false,
	} {
		if got := config.ValidPackage(name); got != want {
			t.Errorf("ValidPackage(%q) = %t", name, got)
		}
	}
}
