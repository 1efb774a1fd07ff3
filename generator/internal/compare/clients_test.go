package compare

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/generator/internal/emit"
)

// madeOf is the client of a document.
func madeOf(t *testing.T, doc string) *Client {
	t.Helper()
	pkg := resolved(t, doc, "")
	files, err := emit.Files(pkg)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := emit.Load(files, "example.com/shop")
	if err != nil {
		t.Fatal(err)
	}
	return &Client{Plan: pkg, Objects: loaded.Objects}
}

// edit is one change of a document's text.
type edit struct{ from, to []string }

// edited is a document with edits applied; each must fit once.
func edited(t *testing.T, doc string, edits []edit) string {
	t.Helper()
	for _, e := range edits {
		from := strings.Join(e.from, "\n")
		if strings.Count(doc, from) != 1 {
			t.Fatalf("%q stands %d times in the document", from, strings.Count(doc, from))
		}
		doc = strings.Replace(doc, from, strings.Join(e.to, "\n"), 1)
	}
	return doc
}

// clientRow is one document, and what it is changed to.
type clientRow struct {
	name  string
	edits []edit
	want  []string
}

// clientCases reads testdata/clients.txt: blocks that begin with a line "# NAME", then edits of client.yaml, lines with "- " that are replaced
// by those with "+ ", then the wanted changes, each on a line that begins with "= ".
func clientCases(t *testing.T) []clientRow {
	t.Helper()
	var out []clientRow
	for n, line := range strings.Split(readText(t, "clients.txt"), "\n") {
		if mark, text, _ := strings.Cut(line, " "); mark == "#" {
			out = append(out, clientRow{name: text})
			continue
		}
		if line == "" {
			continue
		}
		c, text := &out[len(out)-1], strings.TrimPrefix(line[1:], " ")
		last := len(c.edits) - 1
		switch line[0] {
		case '-':
			if last < 0 || len(c.edits[last].to) > 0 {
				c.edits = append(c.edits, edit{})
				last++
			}
			c.edits[last].from = append(c.edits[last].from, text)
		case '+':
			c.edits[last].to = append(c.edits[last].to, text)
		case '=':
			c.want = append(c.want, text)
		default:
			t.Fatalf("line %d: %q", n+1, line)
		}
	}
	return out
}

// TestClients compares the clients of two documents, both ways.
func TestClients(t *testing.T) {
	t.Parallel()
	doc := readText(t, "client.yaml")
	base := madeOf(t, doc)
	if same := Clients(base, madeOf(t, doc)); len(same) > 0 {
		t.Errorf("a client differs from itself: %v", lines(same))
	}
	for _, c := range clientCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			other := madeOf(t, edited(t, doc, c.edits))
			there, back := Clients(base, other), Clients(other, base)
			if diff := cmp.Diff(c.want, lines(there), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			mirror(t, there, back)
			mirror(t, back, there)
		})
	}
}

// mirror wants what was added to be removed the other way round, what was loosened to be tightened, and what changed to change back.
func mirror(t *testing.T, there, back []Change) {
	t.Helper()
	opposite := map[Class][]Class{
		Breaking: {Breaking, Added, Changed}, Loosened: {Tightened}, Tightened: {Loosened}, Changed: {Changed, Breaking}, Added: {Breaking},
	}
	for _, c := range there {
		found := false
		for _, b := range back {
			values := b.Old.Value == c.New.Value && b.New.Value == c.Old.Value || strings.HasPrefix(c.Note, "renamed") && b.Note == c.Note
			for _, class := range opposite[c.Class] {
				found = found || b.Class == class && values && (b.Key == c.Key || c.Note == b.Note)
			}
		}
		if !found {
			t.Errorf("%v has no opposite among %q", c, lines(back))
		}
	}
}
