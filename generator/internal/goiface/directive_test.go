package goiface

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitArgs(t *testing.T) {
	t.Parallel()
	type want struct {
		Key, Text string
		Quoted    bool
		At        int
	}
	for text, wants := range map[string][]want{
		"":                    nil,
		"a  b=c":              {{"", "a", false, 0}, {"b", "c", false, 5}},
		`x="a b" y=2`:         {{"x", "a b", true, 2}, {"y", "2", false, 10}},
		"`raw \"x\"` \"\\n\"": {{"", `raw "x"`, true, 0}, {"", "\n", true, 10}},
		"a.b=c=d e=":          {{"a.b", "c=d", false, 4}, {"e", "", false, 10}},
		"=x":                  {{"", "=x", false, 0}},
		"k=v,\u00a0w":         {{"k", "v,", false, 2}, {"", "w", false, 6}},
	} {
		args, bad := splitArgs(text)
		var got []want
		for _, a := range args {
			got = append(got, want{a.Key, a.Text, a.Quoted, a.value})
		}
		if diff := cmp.Diff(wants, got); diff != "" || bad >= 0 {
			t.Errorf("%q: bad at %d\n%s", text, bad, diff)
		}
	}
	for text, at := range map[string]int{`a="b`: 2, `"a"b`: 0, "x `y": 2} {
		if _, bad := splitArgs(text); bad != at {
			t.Errorf("%q: bad at %d, want %d", text, bad, at)
		}
	}
}

// FuzzDirective splits any arguments: none is lost, none reaches over another, and none panics.
func FuzzDirective(f *testing.F) {
	for _, seed := range []string{"", "a b=c", `x="a b"`, "`", "a=\xff b", "é=ü \u2028 x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		args, bad := splitArgs(text)
		if bad > len(text) {
			t.Fatalf("bad at %d of %d", bad, len(text))
		}
		end := 0
		for _, a := range args {
			if a.key < end || a.value < a.key || a.value > len(text) {
				t.Fatalf("%q: argument %+v begins before %d", text, a, end)
			}
			if !a.Quoted && !strings.HasPrefix(text[a.value:], a.Text) {
				t.Fatalf("%q: %q does not stand at %d", text, a.Text, a.value)
			}
			end = a.value + len(a.Text)
			if a.Quoted {
				end = a.value
			}
		}
	})
}

func TestFilesOfPlatforms(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"a.go": nil, "a_linux.go": {"linux"}, "a_linux_amd64.go": {"linux", "amd64"}, "linux.go": nil, "a_amd64.go": {"amd64"}, "a_resilient.gen.go": nil,
	} {
		if diff := cmp.Diff(want, nameTags(name)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestInternalPackages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, path string
		want       bool
	}{
		{"a/b", "a/internal/x", true},
		{"a", "a/internal/x", true},
		{"b", "a/internal/x", false},
		{"a/bc", "a/b/internal", false},
		{"a/b/c", "a/b/internal", true},
		{"x", "internal/y", false},
		{"a", "net/http", true},
	} {
		if got := mayImport(c.from, c.path); got != c.want {
			t.Errorf("%s imports %s: %t, want %t", c.from, c.path, got, c.want)
		}
	}
}
