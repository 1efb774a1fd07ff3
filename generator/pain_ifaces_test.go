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

// TestOnePolicyFileForPackages has one policy file for interfaces of two packages whose names are nearly the same, and a rule for a name
// that is none.
func TestOnePolicyFileForPackages(t *testing.T) {
	t.Parallel()
	policy := "version: 1\nrules:\n" +
		"  - match: {go: UserStore.Get}\n    facts: {idempotency: safe}\n" +
		"  - match: {go: OrderStore.Get}\n    facts: {idempotency: idempotent}\n"
	for name, c := range map[string]struct{ policy, want string }{
		"both": {policy, ""},
		"mistyped": {
			policy + "  - match: {go: UsrStore.Get}\n    facts: {idempotency: safe}\n", "policy.yaml:7:5: error RG3120: rule 3 matches no operation\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{
				"go.mod": "module example.com/app\n\ngo 1.26\n", "policy.yaml": c.policy,
				"resgen.yaml": "version: 1\nclients:\n  - {iface: ./users.UserStore, policy: policy.yaml}\n" +
					"  - {iface: ./orders.OrderStore, policy: policy.yaml}\n",
				"users/users.go":   "package users\n\nimport \"context\"\n\ntype UserStore interface{ Get(ctx context.Context) error }\n",
				"orders/orders.go": "package orders\n\nimport \"context\"\n\ntype OrderStore interface{ Get(ctx context.Context) error }\n",
			} {
				writeFile(t, filepath.Join(dir, filepath.FromSlash(file)), text)
			}
			result, err := generator.Run(t.Context(), generator.Config{File: filepath.Join(dir, "resgen.yaml"), Mode: generator.Check})
			if err != nil {
				t.Fatal(err)
			}
			if got := printed(t, result, dir); result.HasErrors() != (c.want != "") || !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwant %q", got, c.want)
			}
		})
	}
}
