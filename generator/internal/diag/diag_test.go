package diag_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

func TestSortedOrdersAndDropsDuplicates(t *testing.T) {
	t.Parallel()
	var l diag.List
	for _, d := range []diag.Diagnostic{
		{Code: "RG2001", Span: span(3, 1, 0), What: "c"},
		{Code: "RG2002", Span: span(1, 2, 0), What: "b"},
		{Code: "RG2001", Span: span(1, 2, 0), What: "a", Severity: diag.Warning},
		{Code: "RG2002", Span: span(1, 2, 0), What: "b"},
	} {
		l.Add(d)
	}
	var got []string
	for _, d := range l.Sorted() {
		got = append(got, string(d.Code)+d.What)
	}
	if diff := cmp.Diff([]string{"RG2001a", "RG2002b", "RG2001c"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !l.HasErrors() {
		t.Error("the list says that it has no errors")
	}
}

func TestWarningsAreNoErrors(t *testing.T) {
	t.Parallel()
	var l diag.List
	l.Add(diag.Diagnostic{Severity: diag.Warning})
	if l.HasErrors() {
		t.Error("a list with a warning says that it has errors")
	}
}

func TestFromSource(t *testing.T) {
	t.Parallel()
	at := source.Pos{File: "f", Line: 7, Column: 1}
	for text, want := range map[string]diag.Code{"{": diag.BadSyntax, `{"a": 1, "a": 2}`: diag.DuplicateKey} {
		_, err := source.ReadJSON("f", []byte(text))
		got := diag.FromSource(err, at)
		if len(got) != 1 || got[0].Code != want || got[0].Span.Line != 1 || got[0].What == "" || got[0].Why == "" || got[0].Fix == "" {
			t.Errorf("FromSource(%v) = %+v, want %s", err, got, want)
		}
		if related := len(got[0].Related); (related == 1) != (want == diag.DuplicateKey) {
			t.Errorf("%s has %d related places", want, related)
		}
	}
	var l diag.List
	l.AddSource(source.Errors{{Fault: source.Limit, What: "w"}}, at)
	l.AddSource(errors.Join(fs.ErrNotExist), at)
	l.AddSource(nil, at)
	got := l.Sorted()
	if len(got) != 2 || got[0].Code != diag.LimitExceeded || got[1].Code != diag.UnreadableFile || got[1].Span.Pos != at {
		t.Errorf("got %+v", got)
	}
}
