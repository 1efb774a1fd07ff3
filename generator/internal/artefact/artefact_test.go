package artefact

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
)

// text is the content of a page that must be made.
func text(t *testing.T, page Page, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(page.Data)
}

// inOrder checks that each heading stands once in a page, in this order.
func inOrder(t *testing.T, page string, headings []string) {
	t.Helper()
	at := 0
	for _, h := range headings {
		i := strings.Index(page, "\n"+h+"\n")
		if i < at || strings.Count(page, "\n"+h+"\n") != 1 {
			t.Errorf("%q stands at %d, %d times: want it once, after what comes before", h, i, strings.Count(page, "\n"+h+"\n"))
		}
		at = max(at, i)
	}
}

var fenceLine = regexp.MustCompile("(?m)^```")

func TestDiagnosticsPage(t *testing.T) {
	t.Parallel()
	page, err := DiagnosticsPage()
	got := text(t, page, err)
	var headings []string
	for _, e := range diag.Registry() {
		headings = append(headings, "### "+string(e.Code)+" "+e.Name)
	}
	inOrder(t, got, headings)
	if n := strings.Count(got, "\n### "); n != len(headings) {
		t.Errorf("%d sections for %d codes", n, len(headings))
	}
	if n := len(fenceLine.FindAllString(got, -1)); n != 4*len(headings) {
		t.Errorf("%d fences for %d codes: want an example and a fix for each", n, len(headings))
	}
	for _, m := range regexp.MustCompile(`\]\(#(.*?)\)`).FindAllStringSubmatch(got, -1) {
		found := false
		for _, h := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(got, -1) {
			found = found || strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(h[1], ":", "")), " ", "-") == m[1]
		}
		if !found {
			t.Errorf("the link to #%s leads nowhere", m[1])
		}
	}
}

func TestAnnotationsPage(t *testing.T) {
	t.Parallel()
	page, err := AnnotationsPage()
	got := text(t, page, err)
	var headings []string
	for _, e := range annot.Entries() {
		if e.Supported() {
			headings = append(headings, "### `"+e.Key()+"`: "+e.Title)
		} else if !strings.Contains(got, "`"+e.Key()+"` ("+e.Title+")") {
			t.Errorf("the page does not name %q, which is not supported yet", e.Key())
		}
		for _, k := range e.Keys() {
			if !strings.Contains(got, "`"+k.Path+"`") {
				t.Errorf("the page does not name the key %q of %q", k.Path, e.Key())
			}
		}
	}
	inOrder(t, got, headings)
	for line := range strings.Lines(got) {
		if bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); strings.HasPrefix(line, "|") && bars != 4 {
			t.Errorf("a row of three cells has %d bars: %s", bars, line)
		}
	}
	if n := len(fenceLine.FindAllString(got, -1)); n != 2*(len(headings)+2) {
		t.Errorf("%d fences for %d annotations and what is built in", n, len(headings))
	}
	for _, d := range annot.KindDocs() {
		if d.Doc == "" || !strings.Contains(got, "| `"+d.Kind.String()+"` | "+d.Doc) {
			t.Errorf("the page does not say what the kind %q is", d.Kind)
		}
	}
	if !strings.Contains(got, "\nretry: {attempts: 3") || !strings.Contains(got, "\n# streams: {attempts: 2") {
		t.Error("the page does not say what `recommended` is")
	}
}

func TestDirectionsPage(t *testing.T) {
	t.Parallel()
	page, err := DirectionsPage()
	got := text(t, page, err)
	inOrder(t, got, []string{"## Facts", "## Policies", "## Timeout classes", "## Targets"})
	for _, d := range annot.Directions() {
		if !strings.Contains(got, "\n| `"+d.Key+"` | "+strings.ReplaceAll(d.Looser(), "_", `\_`)+" | ") {
			t.Errorf("the page does not say what is looser of %q", d.Key)
		}
	}
	for line := range strings.Lines(got) {
		if bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); strings.HasPrefix(line, "|") && bars != 4 {
			t.Errorf("a row of three cells has %d bars: %s", bars, line)
		}
	}
	for _, want := range []string{"| `retry.attempts` | more; without it, `1` | more requests |", "| `timeout.total` | more, or none |", "`on`, `shadow` or `forced-closed`"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestCLIPage(t *testing.T) {
	t.Parallel()
	page, err := CLIPage([]Command{{Name: "resgen", Help: "Says ``` what.\n"}, {Name: "resgen lint", Help: "Lints."}})
	got := text(t, page, err)
	inOrder(t, got, []string{"## `resgen`", "Says ``` what.", "## `resgen lint`", "Lints."})
}

// TestTemplatesNameTheirViews checks that each template begins with the name of a struct: of this package, or of one that renders a page of HTML.
// What a template puts out passes a function that quotes it, but in pages of HTML, which templates.RenderHTML escapes and Render refuses.
func TestTemplatesNameTheirViews(t *testing.T) {
	t.Parallel()
	types := map[string]bool{}
	for dir, pkg := range map[string]string{".": "artefact", "../simulate": "simulate"} {
		structsOf(t, dir, pkg, types)
	}
	names, err := filepath.Glob("../../../templates/*.tmpl")
	if err != nil || len(names) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`^\{\{- /\* View: (\w+\.\w+)\. \*/ -\}\}\n`).FindSubmatch(data)
		if m == nil || !types[string(m[1])] {
			t.Errorf("%s does not begin with the name of its view", name)
		}
		if strings.HasSuffix(name, ".html.tmpl") {
			continue
		}
		for _, action := range regexp.MustCompile(`\{\{-? ?(.*?) ?-?\}\}`).FindAllStringSubmatch(string(data), -1) {
			if quoting := regexp.MustCompile(`^(/\*|range|if|end|else|json|yaml|comment|dur|md|cell|code|fence|indent|\.Anchor$)`); !quoting.MatchString(action[1]) {
				t.Errorf("%s: %q puts out a value that nothing quotes", name, action[0])
			}
		}
	}
}

// structsOf adds the names of a package's types.
func structsOf(t *testing.T, dir, pkg string, types map[string]bool) {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if ts, ok := n.(*ast.TypeSpec); ok {
				types[pkg+"."+ts.Name.Name] = true
			}
			return true
		})
	}
}
