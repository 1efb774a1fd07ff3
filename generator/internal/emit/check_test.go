package emit_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/emit/internal/genstubs/declare"
)

// TestStubsAreFresh compares what is embedded with what genstubs would write.
func TestStubsAreFresh(t *testing.T) {
	t.Parallel()
	files, err := declare.Files("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		committed, err := os.ReadFile(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(committed, f.Data) {
			t.Errorf("%s is stale: run go generate in generator/internal/emit", f.Name)
		}
	}
}

// TestWantTypeChecks holds the expected outputs to the packages themselves, of which Check knows the declarations only.
func TestWantTypeChecks(t *testing.T) {
	t.Parallel()
	patterns := make([]string, 0, len(cases()))
	for name := range cases() {
		patterns = append(patterns, "./testdata/want/"+name)
	}
	pkgs, err := packages.Load(&packages.Config{Context: t.Context(), Mode: packages.LoadTypes | packages.NeedSyntax | packages.NeedTypesInfo}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) != len(patterns) {
		t.Errorf("loaded %d packages, want %d", len(pkgs), len(patterns))
	}
	for _, pkg := range pkgs {
		for _, err := range pkg.Errors {
			t.Error(err)
		}
		if pkg.Types == nil || pkg.Types.Scope().Lookup("New") == nil {
			t.Errorf("%s has no New", pkg.PkgPath)
		}
	}
}

func TestCheckFindsFaults(t *testing.T) {
	t.Parallel()
	const head = "package p\n\nimport \"github.com/resgen-go/resgen/runtime/wire\"\n\n"
	for _, c := range []struct{ name, source, want string }{
		{"syntax", "package p\n\nfunc {", "b.go:3:6: expected 'IDENT', found '{'"},
		{"undefined type", "package p\n\ntype T struct{ f Missing }\n", "b.go:3:18: undefined: Missing"},
		{"other package", "package p\n\nimport \"os/exec\"\n\nvar _ = exec.Command\n", `generated code may not import "os/exec"`},
		{"unused import", head, `imported and not used`},
		{"no such name", head + "var _ = wire.Nothing\n", "undefined: wire.Nothing"},
		{"wrong type", head + "var _ wire.Opt[string] = wire.Some(1)\n", "cannot use wire.Some(1)"},
		{"endless type", head + "type T struct{ Next wire.Opt[T] }\n", "invalid recursive type"},
		{"declared twice", "package p\n\ntype Twice int\n", "Twice redeclared"},
		{"two cases alike", "package p\n\nfunc f(s string) { switch s { case \"a\", \"a\": } }\n", "duplicate case"},
		{"not the generated API", head + "var _ = wire.NewRequest(1, \"/\")\n", "cannot use 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := emit.Check([]emit.File{
				{Name: "a.go", Data: []byte("package p\n\ntype Twice string\n")},
				{Name: "b.go", Data: []byte(c.source)},
			}, "example.com/p")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Check: %v, want %s", err, c.want)
			}
			fault := (*emit.Fault)(nil)
			if !errors.As(err, &fault) || fault.File.Name == "" || fault.Line == 0 || len(fault.File.Data) == 0 {
				t.Errorf("the fault does not say where: %+v", fault)
			}
		})
	}
}

func TestCheckReportsEveryFault(t *testing.T) {
	t.Parallel()
	err := emit.Check([]emit.File{
		{Name: "a.go", Data: []byte("package p\n\nvar a Missing\nvar b Gone\n")},
		{Name: "b.go", Data: []byte("package p\n\nvar c Lost\n")},
	}, "")
	if err == nil || strings.Count(err.Error(), "undefined") != 3 {
		t.Errorf("Check: %v, want three faults", err)
	}
}
