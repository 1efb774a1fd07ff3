package templates

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

func TestRenderRefusesWhatItCannotFill(t *testing.T) {
	t.Parallel()
	for name, view := range map[string]any{
		"nowhere.tmpl":        nil,
		"diagnostics.md.tmpl": struct{ Other int }{},
		"cli.md.tmpl":         map[string]any{"Other": 1},
		"simulation.html.tmpl": struct {
			Title, Seed string
			Failed      bool
			Runs        []int
		}{Title: "<script>"}, // it could be filled, and nothing would escape it
	} {
		var b bytes.Buffer
		if err := Render(&b, name, view); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got error %v", name, err)
		}
		if b.Len() > 0 {
			t.Errorf("%s: wrote %q", name, b.String())
		}
	}
}

// TestPagesEscapeWhatIsPutIn where it stands: as text, and in the title.
func TestPagesEscapeWhatIsPutIn(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	err := RenderHTML(&b, "simulation.html.tmpl", struct {
		Title, Seed string
		Failed      bool
		Runs        []int
	}{Title: "</title></style><script>alert(1)</script>"})
	if got := b.String(); err != nil || strings.Contains(got, "<script") || strings.Count(got, "&lt;script&gt;") != 2 {
		t.Errorf("got %v, %s", err, got)
	}
}

// hostile are texts that would end a string, a line, a cell or a document.
var hostile = []string{
	"", "plain", "a: b # c", "- x", "'", `"`, `\`, "a\nb\r\nc", "\t", "---", "null", "yes", "{{x}}", "<script>", "`", "```", "a|b",
	"\u0000\u0007\u001b\u007f\u0085\u2028\u2029\u202e\ufeff\ufffe", "\U0001f600\U000e0001", "größe ñandú", "*/", "%",
}

func TestQuotedTextIsTheTextAgain(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		asJSON, err := quoteJSON(text)
		var got string
		if err != nil || json.Unmarshal([]byte(asJSON), &got) != nil || got != text {
			t.Errorf("JSON: %q is spelled %s and read as %q, %v", text, asJSON, got, err)
		}
		asYAML, err := quoteYAML(text)
		var doc struct{ A string }
		if err != nil || yaml.Unmarshal([]byte("a: "+asYAML+"\nb: c\n"), &doc) != nil || doc.A != text {
			t.Errorf("YAML: %q is spelled %s and read as %q, %v", text, asYAML, doc.A, err)
		}
		for _, spelled := range []string{asJSON, asYAML} {
			if strings.Contains(spelled, "\n") {
				t.Errorf("%q is spelled on more than one line: %s", text, spelled)
			}
		}
	}
}

// TestWordsStandWithoutQuotes holds plain words plain, and quotes those that some reader of YAML takes for something else.
func TestWordsStandWithoutQuotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"listPets": "listPets", "a/b.yaml": "a/b.yaml", "with-dash_9": "with-dash_9", "on": `"on"`, "No": `"No"`, "NULL": `"NULL"`, "y": `"y"`, "1": `"1"`,
		"-a": `"-a"`, "a:b": `"a:b"`, "a#": `"a#"`, "a b": `"a b"`, "a\n": `"a\n"`, ".inf": `".inf"`, "é": `"é"`,
	} {
		if got, err := quoteYAML(text); err != nil || got != want {
			t.Errorf("%q: got %s, %v; want %s", text, got, err, want)
		}
	}
}

// TestCommentsStayOnTheirLine reads a document of which a comment is all but nothing.
func TestCommentsStayOnTheirLine(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		var doc map[string]int
		if err := yaml.Unmarshal([]byte("# "+printable(text)+"\na: 1\n"), &doc); err != nil || len(doc) != 1 {
			t.Errorf("%q: read as %v, %v", text, doc, err)
		}
	}
}

func TestQuotesAreForEveryValue(t *testing.T) {
	t.Parallel()
	got, err := quoteYAML(map[string]any{"b": []int{1}, "a": "<&>"})
	if want := `{"a":"<&>","b":[1]}`; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if _, err := quoteYAML(func() {}); err == nil {
		t.Error("a func has no JSON")
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, line, cell, code string }{
		"plain":             {"a b", "a b", "a b", "`a b`"},
		"code":              {"the `*.go` files", "the `*.go` files", "the `*.go` files", "``the `*.go` files``"},
		"markup":            {"*a* _b_ [c](d) <e> #f ~g~", `\*a\* \_b\_ \[c\](d) \<e\> \#f \~g\~`, `\*a\* \_b\_ \[c\](d) \<e\> \#f \~g\~`, "`*a* _b_ [c](d) <e> #f ~g~`"},
		"lines":             {"a\n\n# b", `a \# b`, `a \# b`, "`a # b`"},
		"a lone backquote":  {"a ` b", "a \\` b", "a \\` b", "``a ` b``"},
		"a bar":             {"`a|b`", "`a|b`", "`a\\|b`", "`` `a|b` ``"},
		"nothing":           {"", "", "", "`  `"},
		"a backslash":       {`a\|b`, `a\\|b`, `a\\\|b`, "`a\\|b`"},
		"an entity":         {"&lt;", `\&lt;`, `\&lt;`, "`&lt;`"},
		"backquotes inside": {"a ``` b", "a ``\\` b", "a ``\\` b", "````a ``` b````"},
	}
	for name, test := range tests {
		got := [3]string{markdown(test.text), cell(test.text), code(test.text)}
		if diff := cmp.Diff([3]string{test.line, test.cell, test.code}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\n":         "```yaml\na\n```",
		"":            "```yaml\n\n```",
		"```\nx\n```": "````yaml\n```\nx\n```\n````",
	} {
		if got := fence("yaml", text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestIndent(t *testing.T) {
	t.Parallel()
	if got, want := indent(2, "a\n\n  b"), "  a\n\n    b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s", time.Second: "1s", time.Minute: "1m", 90 * time.Second: "1m30s", 24 * time.Hour: "24h", 61 * time.Minute: "1h1m",
		time.Hour + time.Second: "1h0m1s", 1500 * time.Millisecond: "1.5s", 10 * time.Minute: "10m", 20 * time.Second: "20s",
	} {
		if got := duration(d); got != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
		if back, err := time.ParseDuration(duration(d)); err != nil || back != d {
			t.Errorf("%v: %s is read as %v, %v", d, duration(d), back, err)
		}
	}
}
