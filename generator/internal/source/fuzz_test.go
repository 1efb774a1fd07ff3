package source_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/source"
)

func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{
		`{"openapi": "3.1.0", "paths": {"/a": {"get": {"x": [1, 2.50, -0, 1e9, true, false, null]}}}}`,
		`"\uD83D\uDE00 \uD83D \uDE00 \u0000 \u2028"`, "\xef\xbb\xbf[\r\n{}\r]", `{"a": 1, "a": 2}`, "[\"é\",\n\"\u0085\"]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkReader(t, text, source.ReadJSON) })
}

func FuzzReadYAML(f *testing.F) {
	for _, seed := range []string{
		"openapi: 3.1.0\npaths:\n  /a:\n    get: {x: [1, 0x1F, .5, +1, ~, yes, !!str 5]}\n", "a: &a {x: 1}\nb: {<<: *a, y: *a}\n",
		"a: 'x\u2028y\u0085z'\nb: |\n  text\n  more\nc: >-\n  folded\n\n  text\n", "? a\n: b\n? *x\n: c\n", "- - 1\n  - {a: b}\n-\n", "a: \"\\ud83d\"",
		"%YAML 1.2\n---\na: 1\n...\n", "\xef\xbb\xbfé: ü\r\nb: 2\rc: 3", "'200': a\n200: b\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkReader(t, text, source.ReadYAML) })
}

// checkReader holds for every text: no panic, every position is inside of the text, and what is printed reads back as the same.
func checkReader(t *testing.T, text []byte, read func(string, []byte) (*source.Value, error)) {
	t.Helper()
	v, err := read("f", text)
	lines := editorLines(text)
	if err != nil {
		for _, e := range err.(source.Errors) { //nolint:errorlint // the readers promise exactly this type
			checkInside(t, lines, e.Span.Pos)
			if e.Related.IsValid() {
				checkInside(t, lines, e.Related.Pos)
			}
		}
		return
	}
	checkPositions(t, lines, v)
	printed, origin := source.JSON(v)
	if got := bytes.Count(printed, []byte("\n")); got != len(origin) {
		t.Fatalf("%d lines, and places for %d", got, len(origin))
	}
	for name, again := range map[string]func(string, []byte) (*source.Value, error){"JSON": source.ReadJSON, "YAML": source.ReadYAML} {
		w, err := again("f", printed)
		if err != nil {
			t.Fatalf("%s cannot read what was printed: %v\n%s", name, err, printed)
		}
		if !w.Equal(v) {
			t.Fatalf("%s reads another tree than was printed:\n%s", name, printed)
		}
	}
}

// editorLines splits a text as editors do, by a way of its own.
func editorLines(text []byte) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(text), "\ufeff")), "\n")
}

func checkPositions(t *testing.T, lines []string, v *source.Value) {
	t.Helper()
	checkInside(t, lines, v.Pos)
	for i := range v.Map {
		checkInside(t, lines, v.Map[i].KeyPos)
		checkPositions(t, lines, &v.Map[i].Value)
	}
	for i := range v.List {
		checkPositions(t, lines, &v.List[i])
	}
}

// checkInside allows one column after a line's last byte (and its line feed, for \r\n): there stands what is missing.
func checkInside(t *testing.T, lines []string, p source.Pos) {
	t.Helper()
	const lineBreak = 2
	if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1])+lineBreak {
		t.Fatalf("%v is outside of the text of %d lines", p, len(lines))
	}
}
