package generator_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// refusedElsewhere are the interfaces that no other package can implement, with the code that says so.
var refusedElsewhere = map[string]string{"anonstruct.Lits": "RG4013", "sealed.Service": "RG4014", "buildtags.Dialer": "RG4013", "buildtags.Tagged": "RG4013"}

// TestCorpusOfInterfaces wraps every interface of the packages in ../cases/ifaces beside the corpus, into its own package and into another one,
// and builds and vets the result, also with a tag and for another system.
func TestCorpusOfInterfaces(t *testing.T) {
	t.Parallel()
	corpus := os.Getenv("RESGEN_CORPUS")
	if corpus == "" {
		t.Skip("RESGEN_CORPUS is not set: `make corpus` runs this, or RESGEN_CORPUS=folder beside which cases/ifaces lies")
	}
	packages := filepath.Join(filepath.Dir(corpus), "cases", "ifaces")
	if _, err := os.Stat(packages); err != nil {
		t.Skipf("%v: this needs a folder of packages beside the corpus", err)
	}
	module := newModule(t, "bugcases.test/ifaces")
	hand := filepath.Join(module, "hand") // by which the packages import each other
	if err := os.CopyFS(hand, os.DirFS(packages)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(hand, "go.mod")); err != nil {
		t.Fatal(err)
	}
	wrapped := 0
	found := interfacesBelow(t, hand)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		for _, elsewhere := range []bool{false, true} {
			wrapped += wrapFromCorpus(t, module, name, found[name], elsewhere)
		}
	}
	t.Logf("%d wrappers of %d interfaces", wrapped, len(found))
	for _, env := range []string{"CGO_ENABLED=1", "CGO_ENABLED=0", "GOOS=windows", "GOFLAGS=-mod=mod -tags=extra"} {
		cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
		cmd.Dir = module
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", env)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s go vet: %v\n%s", env, err, out)
		}
	}
}

// interfacesBelow finds the exported interfaces of methods in the packages of a folder, with the build tags that they need.
func interfacesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no packages in %s: %v", dir, err)
	}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		text := readFile(t, path)
		for _, d := range f.Decls {
			g, _ := d.(*ast.GenDecl)
			for i := 0; g != nil && i < len(g.Specs); i++ {
				s, ok := g.Specs[i].(*ast.TypeSpec)
				if !ok || !s.Name.IsExported() || strings.Contains(text, "~int |") && s.Name.Name == "Number" {
					continue
				}
				if _, ok := s.Type.(*ast.InterfaceType); ok {
					tags := ""
					for _, tag := range []string{"extra_cgo", "extra"} {
						if strings.HasPrefix(text, "//go:build") && strings.Contains(strings.SplitN(text, "\n", 2)[0], tag) {
							tags = cmp.Or(tags, tag)
						}
					}
					out[f.Name.Name+"."+s.Name.Name] = tags
				}
			}
		}
	}
	return out
}

// wrapFromCorpus wraps one interface and says how many wrappers there are: one, or none where it is refused as it should be.
func wrapFromCorpus(t *testing.T, module, name, tags string, elsewhere bool) int {
	t.Helper()
	text := fmt.Sprintf("version: 1\nclients:\n  - iface: ./hand/%s\n", name)
	if tags != "" {
		text += "    tags: [" + tags + "]\n"
	}
	if elsewhere {
		pkg, typ, _ := strings.Cut(name, ".")
		text += fmt.Sprintf("    out: other/%s/%s.gen.go\n", pkg, strings.ToLower(typ))
	}
	file := filepath.Join(module, "resgen.yaml")
	writeFile(t, file, text)
	result, err := generator.Run(t.Context(), generator.Config{File: file})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	if code := refusedElsewhere[name]; elsewhere && code != "" {
		if said := printed(t, result, ""); !result.HasErrors() || !strings.Contains(said, code) {
			t.Errorf("%s into another package: want %s, got\n%s", name, code, said)
		}
		return 0
	}
	if result.HasErrors() {
		t.Errorf("%s is refused:\n%s", name, printed(t, result, ""))
		return 0
	}
	again, err := generator.Run(t.Context(), generator.Config{File: file, Mode: generator.Check})
	if err != nil || again.Stale() {
		t.Errorf("%s: generated again it is another, %v", name, err)
	}
	return 1
}
