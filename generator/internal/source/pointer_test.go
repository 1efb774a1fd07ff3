package source_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// rfc6901 is the example document of RFC 6901 section 5, with a nested list.
const rfc6901 = `{"foo": ["bar", "baz", [7]], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}`

func TestLookup(t *testing.T) {
	t.Parallel()
	doc := mustRead(t, rfc6901)
	tests := []struct {
		pointer, fragment string
		want              string
	}{
		{"/foo/0", "#/foo/0", "bar"},
		{"/foo/2/0", "#/foo/2/0", "7"},
		{"/", "#/", "0"},
		{"/a~1b", "#/a~1b", "1"},
		{"/c%d", "#/c%25d", "2"},
		{"/e^f", "#/e%5Ef", "3"},
		{"/g|h", "#/g%7Ch", "4"},
		{`/i\j`, "#/i%5Cj", "5"},
		{`/k"l`, "#/k%22l", "6"},
		{"/ ", "#/%20", "7"},
		{"/m~0n", "#/m~0n", "8"},
	}
	for _, tt := range tests {
		got, err := doc.Lookup(tt.pointer)
		if err != nil || got.Text != tt.want {
			t.Errorf("Lookup(%q) = %+v, %v; want %s", tt.pointer, got, err, tt.want)
		}
		got, err = doc.LookupFragment(tt.fragment)
		if err != nil || got.Text != tt.want {
			t.Errorf("LookupFragment(%q) = %+v, %v; want %s", tt.fragment, got, err, tt.want)
		}
	}
	if got, err := doc.Lookup(""); err != nil || got != doc {
		t.Errorf("the empty pointer is %v, %v; want the document", got, err)
	}
}

func TestLookupFails(t *testing.T) {
	t.Parallel()
	doc := mustRead(t, rfc6901)
	for pointer, want := range map[string]error{
		"foo":                       source.ErrPointer,
		"/m~n":                      source.ErrPointer,
		"/m~2n":                     source.ErrPointer,
		"/foo/9":                    source.ErrNotFound,
		"/foo/00":                   source.ErrNotFound,
		"/foo/-":                    source.ErrNotFound,
		"/foo/+0":                   source.ErrNotFound,
		"/nope":                     source.ErrNotFound,
		"/foo/0/x":                  source.ErrNotFound,
		"/foo/99999999999999999999": source.ErrNotFound,
	} {
		if _, err := doc.Lookup(pointer); !errors.Is(err, want) {
			t.Errorf("Lookup(%q) fails with %v, want %v", pointer, err, want)
		}
	}
	if _, err := doc.LookupFragment("#/%zz"); !errors.Is(err, source.ErrPointer) {
		t.Errorf("a broken percent escape fails with %v", err)
	}
	if _, err := doc.LookupFragment("#/nope"); !errors.Is(err, source.ErrNotFound) {
		t.Errorf("a fragment to nothing fails with %v", err)
	}
}

func TestPointerIsTheInverseOfParsePointer(t *testing.T) {
	t.Parallel()
	want := []string{"", "a/b", "m~n", "~1", "/~0/", "é"}
	got, err := source.ParsePointer(source.Pointer(want...))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func mustRead(t *testing.T, text string) *source.Value {
	t.Helper()
	v, err := source.Read("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSetAndDelete(t *testing.T) {
	t.Parallel()
	doc := mustRead(t, `{"a": [1, 2, 3], "b": {"c": 1}, "d": 4}`)
	before := doc.Clone()
	doc.Set(source.Field{Key: "b", KeyPos: at(9, 9), Value: num(at(9, 10), "5")})
	doc.Set(source.Field{Key: "e", Value: str(at(9, 11), "new")})
	doc.At("a").Set(source.Field{Key: "x"}) // a list has no fields
	for _, tt := range []struct {
		steps []string
		want  bool
	}{
		{[]string{"a", "1"}, true},
		{[]string{"a", "9"}, false},
		{[]string{"d"}, true},
		{[]string{"d"}, false},
		{[]string{"nope", "x"}, false},
		{nil, false},
	} {
		if got := doc.Delete(tt.steps...); got != tt.want {
			t.Errorf("Delete(%q) = %t, want %t", tt.steps, got, tt.want)
		}
	}
	if want := mustRead(t, `{"e": "new", "b": 5, "a": [1, 3]}`); !doc.Equal(want) {
		got, _ := source.JSON(doc)
		t.Errorf("got %s", got)
	}
	if doc.Map[1].KeyPos != at(9, 9) {
		t.Errorf("the replaced key stands at %v, want f:9:9", doc.Map[1].KeyPos)
	}
	if !before.Equal(mustRead(t, `{"a": [1, 2, 3], "b": {"c": 1}, "d": 4}`)) {
		t.Error("the clone has changed with the original")
	}
}

func TestEqualTellsKindsApart(t *testing.T) {
	t.Parallel()
	all := []string{`null`, `"null"`, `1`, `"1"`, `1.0`, `true`, `"true"`, `[]`, `{}`, `[1]`, `{"a":1}`, `{"a":2}`, `{"b":1}`, `[1,1]`, `{"a":1,"b":1}`}
	for i, a := range all {
		for j, b := range all {
			if got := mustRead(t, a).Equal(mustRead(t, b)); got != (i == j) {
				t.Errorf("Equal(%s, %s) = %t", a, b, got)
			}
		}
	}
}
