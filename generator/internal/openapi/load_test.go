package openapi_test

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/source"
)

var update = flag.Bool("update", false, "write what the cases of testdata/cases give into them")

// TestCases loads the documents of testdata/cases. Each archive holds doc.yaml (or doc.json), the files that it refers to, and
// what comes of it: "want" is the dump of the API, "diagnostics" what was found. Lines of its comment such as
// "include: GLOB" are options.
func TestCases(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runCase(t, name)
		})
	}
}

func runCase(t *testing.T, name string) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	api, list := loadArchive(t, archive)
	got := map[string]string{"want": dump(api), "diagnostics": dumpDiagnostics(list)}
	if *update {
		writeCase(t, name, archive, got)
		return
	}
	if api != nil {
		checkModel(t, api)
	}
	for _, file := range []string{"want", "diagnostics"} {
		if diff := cmp.Diff(fileOf(archive, file), got[file]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// TestStandardInput loads a document that lies nowhere: its references start from the root itself.
func TestStandardInput(t *testing.T) {
	t.Parallel()
	const doc = `{"openapi": "3.0.3", "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json":
		{"schema": {"$ref": "parts/pet.yaml"}}}}}}}}}`
	tree, err := source.Read("-", []byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	list := &diag.List{}
	api := openapi.Load(t.Context(), openapi.Input{
		Tree: tree, Source: "-", Show: func(path string) string { return "shown/" + path },
		Root: fstest.MapFS{"parts/pet.yaml": &fstest.MapFile{Data: []byte("type: object\nproperties: {name: {type: string}}\n")}},
	}, list)
	const want = `api "" source -
a GET /a at 1:39
  200
    application/json @parts/pet.yaml#
type pet parts/pet.yaml# object
  "name" string
`
	if diff := cmp.Diff(want, dump(api)); diff != "" || list.HasErrors() {
		t.Errorf("(-want +got):\n%s%s", diff, dumpDiagnostics(list))
	}
	if got, want := api.Types[0].Pos.String(), "shown/parts/pet.yaml:1:1"; got != want {
		t.Errorf("the type is at %s, want %s", got, want)
	}
}

// TestNoRegularFile refuses what is below the root and is no file. Reading a pipe would never end.
func TestNoRegularFile(t *testing.T) {
	t.Parallel()
	for name, mode := range map[string]fs.FileMode{"a folder": fs.ModeDir, "a pipe": fs.ModeNamedPipe, "a device": fs.ModeDevice} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, err := source.Read("doc.yaml", []byte("openapi: 3.0.3\npaths: {/a: {$ref: part}}\n"))
			if err != nil {
				t.Fatal(err)
			}
			list := &diag.List{}
			root := fstest.MapFS{"part": &fstest.MapFile{Data: []byte("get: {}"), Mode: mode}}
			openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: "doc.yaml", Path: "doc.yaml", Root: root}, list)
			const want = `doc.yaml:2:20: error RG1001: the file that the reference "part" names cannot be read: it is no regular file`
			if got := dumpDiagnostics(list); strings.TrimSpace(got) != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

// TestBoundsBeyondFloats takes bounds that no float64 holds for the widest that there are.
func TestBoundsBeyondFloats(t *testing.T) {
	t.Parallel()
	for _, bound := range []string{"1" + strings.Repeat("0", 400), "-1" + strings.Repeat("0", 400), "1e999", "-1e999", "1e-999"} {
		tree, err := source.Read("doc.yaml", []byte("openapi: 3.1.0\npaths: {/a: {get: {parameters: [{name: n, in: query, "+
			"schema: {type: integer, maximum: "+bound+", minimum: "+bound+", exclusiveMaximum: "+bound+"}}]}}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		list := &diag.List{}
		api := openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: "doc.yaml"}, list)
		if api == nil || len(api.Operations) != 1 || list.HasErrors() {
			t.Errorf("%.10s: got %s", bound, dumpDiagnostics(list))
		}
	}
}

// TestCanceled stops at once when its context has ended, and says nothing of it.
func TestCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tree, err := source.Read("doc.yaml", []byte("openapi: 3.0.3\npaths: {/a: {get: {}}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := &diag.List{}
	if api := openapi.Load(ctx, openapi.Input{Tree: tree}, list); api != nil || list.HasErrors() {
		t.Errorf("got an API %t and %s, want nothing", api != nil, dumpDiagnostics(list))
	}
}

// loadArchive loads an archive's document; all its files lie below the root.
func loadArchive(t *testing.T, archive *txtar.Archive) (*model.API, *diag.List) {
	t.Helper()
	root := fstest.MapFS{}
	in := openapi.Input{Root: root}
	for _, f := range archive.Files {
		root[f.Name] = &fstest.MapFile{Data: f.Data}
		if strings.HasPrefix(filepath.Base(f.Name), "doc.") {
			in.Source, in.Path = f.Name, f.Name
			tree, err := source.Read(f.Name, f.Data)
			if err != nil {
				t.Fatal(err)
			}
			in.Tree = tree
		}
	}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "include":
			in.Include = append(in.Include, value)
		case "exclude":
			in.Exclude = append(in.Exclude, value)
		case "keep":
			in.Keep = append(in.Keep, value)
		}
	}
	list := &diag.List{}
	return openapi.Load(t.Context(), in, list), list
}

func fileOf(archive *txtar.Archive, name string) string {
	for _, f := range archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func writeCase(t *testing.T, name string, archive *txtar.Archive, got map[string]string) {
	t.Helper()
	kept := archive.Files[:0]
	for _, f := range archive.Files {
		if _, isResult := got[f.Name]; !isResult {
			kept = append(kept, f)
		}
	}
	archive.Files = append(kept, txtar.File{Name: "want", Data: []byte(got["want"])})
	if got["diagnostics"] != "" {
		archive.Files = append(archive.Files, txtar.File{Name: "diagnostics", Data: []byte(got["diagnostics"])})
	}
	if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
