package generator_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// wrap generates the wrapper of an interface in a module of its own, and returns its text.
func wrap(t *testing.T, files map[string]string, iface string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/app\n\ngo 1.26\n"
	files["resgen.yaml"] = "version: 1\nclients: [{iface: " + iface + "}]\n"
	for name, text := range files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	result, err := generator.Run(t.Context(), generator.Config{File: filepath.Join(dir, "resgen.yaml"), Mode: generator.Check})
	if err != nil || result.HasErrors() {
		t.Fatalf("%v\n%s", err, printed(t, result, ""))
	}
	return string(result.Outputs[0].Files[0].Data)
}

// TestPain66_NothingIsFetched generates with every way to a network cut off.
func TestPain66_NothingIsFetched(t *testing.T) { //nolint:paralleltest // it sets the environment
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	text := wrap(t, map[string]string{
		"store/store.go": "package store\n\nimport \"context\"\n\ntype Store interface{ Get(ctx context.Context) error }\n",
	}, "./store.Store")
	if !strings.Contains(text, "func (w *ResilientStore) Get(ctx context.Context) error") {
		t.Errorf("got\n%s", text)
	}
}

// TestPain70_PackagesOfOneName has two packages of one name in a signature, and a package that declares names of packages itself. That the
// wrapper compiles is seen to before it is returned.
func TestPain70_PackagesOfOneName(t *testing.T) {
	t.Parallel()
	text := wrap(t, map[string]string{
		"store/store.go": `package store

import (
	stdctx "context"
	html "html/template"
	"text/template"

	"example.com/app/runtime"
)

var context, time, errors int

type policy struct{}

// Store renders.
//
//resgen:class point total=2s attempt=1s
type Store interface {
	//resgen:timeout point
	Render(ctx stdctx.Context, t *template.Template, h *html.Template, r runtime.Runtime) (policy, error)
}
`,
		"runtime/runtime.go": "package runtime\n\ntype Runtime struct{}\n",
	}, "./store.Store")
	for _, want := range []string{`"html/template"`, `"text/template"`, `"example.com/app/runtime"`} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%s is imported %d times:\n%s", want, strings.Count(text, want), text)
		}
	}
}
