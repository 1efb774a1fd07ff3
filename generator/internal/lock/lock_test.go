package lock_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/lock"
)

const hash = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	hostile := "type a: b #\"\\\u2028\u0085\ufeff\U000e0001😀\n- x"
	c := &lock.Client{}
	c.Rename(hostile, "FooUnderscoreBar")
	c.Rename("type #/b", "B2")
	for i := range 500 {
		c.Keep(fmt.Sprint("field ", i), "F")
	}
	f := &lock.File{Clients: map[string]*lock.Client{"pets": c, "gone": {}}, Refs: map[string]lock.Hash{"https://x.example/a?b=c#": {Text: hash}}}
	text := f.Bytes()
	var list diag.List
	got := lock.Read("resgen.lock", text, &list)
	if ds := list.Sorted(); len(ds) > 0 {
		t.Fatalf("%+v in\n%s", ds, text)
	}
	if diff := cmp.Diff(string(text), string(got.Bytes())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if name := got.Clients["pets"].Names[hostile]; name.Text != "FooUnderscoreBar" || name.Pos.Line != 6 {
		t.Errorf("got %+v", name)
	}
	for i := range 500 {
		if !got.Clients["pets"].Kept(fmt.Sprint("field ", i), "F") {
			t.Errorf("field %d is forgotten", i)
		}
	}
	if got.Clients["pets"].Kept("field 1", "G") || got.Clients["pets"].Kept("field", "F") || got.Clients["gone"].Kept("field 1", "F") {
		t.Error("what was never there is remembered")
	}
	if lines := strings.Count(string(text), "\n      - "); lines != 16 {
		t.Errorf("%d lines of fingerprints, want 16", lines)
	}
}

func TestNothingToRemember(t *testing.T) {
	t.Parallel()
	f := &lock.File{Clients: map[string]*lock.Client{"pets": {}}}
	if got := f.Bytes(); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	if got := lock.HashOf(nil); got != hash {
		t.Errorf("got %s, want %s", got, hash)
	}
}

func TestBrokenFilesHavePositions(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"merge", "version: 1\n<<<<<<< HEAD\nclients: {}\n=======\nclients: {}\n>>>>>>> theirs\n", "2:1 RG1016"},
		{"syntax", "version: [", "1:1 RG1002"},
		{"list", "- 1", "1:1 RG1016"},
		{"no version", "clients: {}", "1:1 RG1016"},
		{"version", "version: 2", "1:10 RG1016"},
		{"unknown key", "version: 1\nclient: {}", "2:1 RG1016"},
		{"clients", "version: 1\nclients: []", "2:10 RG1016"},
		{"client", "version: 1\nclients: {a: 1}", "2:14 RG1016"},
		{"key of a client", "version: 1\nclients: {a: {b: 1}}", "2:15 RG1016"},
		{"name", "version: 1\nclients: {a: {names: {b: 1}}}", "2:26 RG1016"},
		{"kept", "version: 1\nclients: {a: {kept: abcd}}", "2:21 RG1016"},
		{"line", "version: 1\nclients: {a: {kept: [abc]}}", "2:22 RG1016"},
		{"character", "version: 1\nclients: {a: {kept: ['ab.d']}}", "2:22 RG1016"},
		{"hash", "version: 1\nrefs: {a: sha256:12}", "2:11 RG1016"},
		{"no hash", "version: 1\nrefs: {a: 12}", "2:11 RG1016"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var list diag.List
			lock.Read("resgen.lock", []byte(tt.text), &list)
			var got []string
			for _, d := range list.Sorted() {
				got = append(got, fmt.Sprintf("%d:%d %s", d.Span.Line, d.Span.Column, d.Code))
			}
			if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzRead reads whatever text is a lock; what it takes without a word it prints and reads again as the same.
func FuzzRead(f *testing.F) {
	f.Add("version: 1\nclients: {a: {names: {'type b': B}, kept: ['abcd0123']}}\nrefs: {'https://x.example': '" + hash + "'}\n")
	f.Fuzz(func(t *testing.T, text string) {
		var list diag.List
		first := lock.Read("resgen.lock", []byte(text), &list).Bytes()
		if list.HasErrors() || first == nil {
			return
		}
		var again diag.List
		if second := lock.Read("resgen.lock", first, &again).Bytes(); again.HasErrors() || string(first) != string(second) {
			t.Errorf("%v\n%s\n%s", again.Sorted(), first, second)
		}
	})
}
