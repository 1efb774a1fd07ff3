package source_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/source"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	text := "a: [1, {}]\nb:\n  \"c\\\"\": \"x\\ty\"\n"
	v, err := source.ReadYAML("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, lines := source.JSON(v)
	want := []struct {
		token string
		pos   source.Pos
	}{
		{`{`, at(1, 1)},
		{`"a":`, at(1, 1)},
		{`[`, at(1, 4)},
		{`1,`, at(1, 5)},
		{`{`, at(1, 8)},
		{`}`, at(1, 8)},
		{`],`, at(1, 4)},
		{`"b":`, at(2, 1)},
		{`{`, at(3, 3)},
		{`"c\"":`, at(3, 3)},
		{`"x\u0009y"`, at(3, 10)},
		{`}`, at(3, 3)},
		{`}`, at(1, 1)},
	}
	var b strings.Builder
	var positions source.LineMap
	for _, w := range want {
		b.WriteString(w.token + "\n")
		positions = append(positions, w.pos)
	}
	if diff := cmp.Diff(b.String(), string(got)); diff != "" {
		t.Errorf("text (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(positions, lines); diff != "" {
		t.Errorf("lines (-want +got)\n%s", diff)
	}
	if p := lines.Pos(4); p != at(1, 5) {
		t.Errorf("line 4 is from %v, want f:1:5", p)
	}
	for _, line := range []int{0, -1, len(lines) + 1} {
		if p := lines.Pos(line); p.IsValid() {
			t.Errorf("line %d, which does not exist, is from %v", line, p)
		}
	}
}

// TestJSONIsYAMLToo holds every character that some reader treats in its own way: both readers must give back what was printed.
func TestJSONIsYAMLToo(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for c := rune(0); c <= 0x2100; c++ {
		b.WriteRune(c)
	}
	b.WriteString("\uD7FF\uE000\uFEFF\uFFFD\uFFFE\uFFFF\U00010000😀\U0010FFFF # : - ' \" \\ /  ")
	want := source.Value{Kind: source.Map, Map: []source.Field{{Key: b.String(), Value: source.Value{Kind: source.String, Text: b.String()}}}}
	printed, _ := source.JSON(&want)
	if strings.Contains(string(printed), `\ud8`) || !strings.Contains(string(printed), "😀") {
		t.Error("characters outside the basic plane are not raw")
	}
	for name, read := range map[string]func(string, []byte) (*source.Value, error){"JSON": source.ReadJSON, "YAML": source.ReadYAML} {
		got, err := read("f", printed)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !got.Equal(&want) {
			t.Errorf("%s reads another text than was printed", name)
		}
	}
}
