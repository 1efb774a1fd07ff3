package generator_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// refused lints the method Get of an interface under directives, and returns what is said of it.
func refused(t *testing.T, signature string, directives ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/app\n\ngo 1.26\n",
		"resgen.yaml": "version: 1\nclients: [{iface: ./store.Store}]\n",
		"store/store.go": "package store\n\nimport \"context\"\n\ntype Query struct{ Text string }\n\ntype Store interface {\n\t//resgen:" +
			strings.Join(directives, "\n\t//resgen:") + "\n\tGet" + signature + "\n}\n",
	} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	result, err := generator.Run(t.Context(), generator.Config{File: filepath.Join(dir, "resgen.yaml"), Mode: generator.Check})
	if err != nil {
		t.Fatal(err)
	}
	return printed(t, result, "")
}

// TestPointersIntoArguments: a pointer that leads to no argument, and a turn that is no text, would silently do nothing; what is to be
// written is told as a directive.
func TestPointersIntoArguments(t *testing.T) {
	t.Parallel()
	const (
		one      = "(ctx context.Context, question string, most int) (string, error)"
		semantic = "cache ttl=1m semantic.threshold=0.9 semantic.subject=true semantic.embedder=e"
	)
	tests := map[string]struct {
		signature  string
		directives []string
		want       string
	}{
		"a text":      {one, []string{"safe", semantic + " semantic.turn=/0"}, ""},
		"a member":    {"(ctx context.Context, q *Query) (string, error)", []string{"safe", semantic + " semantic.turn=/0/Text"}, ""},
		"a last item": {"(ctx context.Context, turns ...string) (string, error)", []string{"safe", semantic + " semantic.turn=/0/-1"}, ""},
		"no argument": {
			one,
			[]string{"safe", semantic + " semantic.turn=/2"},
			`store.go:9:103: error RG3172: "cache.semantic.turn" of Store.Get does not fit its arguments: "/2" leads to no argument`,
		},
		"no number":     {one, []string{"safe", semantic + " semantic.turn=/question"}, `"/question" leads to no argument`},
		"no text":       {one, []string{"safe", semantic + " semantic.turn=/1"}, `"/1" leads to what is no text`},
		"a preset's":    {one, []string{"safe", "errors openai", semantic}, `RG3213: Store.Get has a semantic cache, and its arguments are no`},
		"a key":         {one, []string{"safe", "cache ttl=1m key=/0,/7"}, `"cache.key" of Store.Get does not fit its arguments: "/7" leads to no argument`},
		"unread items":  {one, []string{"safe", "fallback name=sorry static=sorry items=pieces"}, "`items`, and Store.Get does not stream"},
		"unseen data":   {one, []string{"safe", "data pii"}, "fix: write `//resgen:target primary accepts=pii` above the type, if it may see that"},
		"fitting items": {one, []string{"safe", "fallback name=sorry static=sorry"}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := refused(t, test.signature, test.directives...)
			if test.want == "" && strings.Contains(got, "error") || !strings.Contains(got, test.want) {
				t.Errorf("said\n%s\nwant %q", got, test.want)
			}
		})
	}
}
