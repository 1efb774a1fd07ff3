package jsontext_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

func TestPointersEach(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		pointers []string
		want     []string // "pointer value"; nil where the text is broken
	}{
		"items":                  {`{"a":[{"b":1},{"c":2},{"b":3}]}`, []string{"/a/*/b"}, []string{"0 1", "0 3"}},
		"members":                {`{"a":{"x":{"b":1},"y":{"b":2}}}`, []string{"/a/*/b"}, []string{"0 1", "0 2"}},
		"an item and all":        {`[[1,2],[3]]`, []string{"/0/1", "/*/0", "/*/*"}, []string{"0 2", "1 1", "2 1", "2 2", "1 3", "2 3"}},
		"the star last":          {`{"a":[1,null]}`, []string{"/a/*", "/a"}, []string{"0 1", "0 null", "1 [1,null]"}},
		"the star first":         {`{"a":{"e":1},"b":{"e":2},"c":3}`, []string{"/*/e"}, []string{"0 1", "0 2"}},
		"a star is a segment":    {`{"a*":1,"*":2}`, []string{"/a*", "/*"}, []string{"0 1", "1 1", "1 2"}},
		"nothing":                {`{"a":1}`, []string{"/a/*", "/b"}, []string{}},
		"keys that come again":   {`{"a":1,"a":2}`, []string{"/a"}, []string{"0 1", "0 2"}},
		"broken":                 {`{"a":[{"b":1},`, []string{"/a/*/b"}, nil},
		"broken where nobody is": {`{"a":[{"b":1}]`, []string{"/a/*/b"}, nil},
	} {
		p := jsontext.Compile(c.pointers...)
		got := []string{}
		if !p.Each([]byte(c.text), func(i int, value []byte) { got = append(got, fmt.Sprintf("%d %s", i, value)) }) {
			got = nil
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Of several values, Find has the last.
func TestPointersFindLast(t *testing.T) {
	t.Parallel()
	p := jsontext.Compile("/a/*/b", "/c")
	found := make([][]byte, p.Len())
	p.Find([]byte(`{"a":[{"b":1},{"b":2},{}],"c":0}`), found)
	if got := fmt.Sprintf("%s", found); got != "[2 0]" {
		t.Errorf("found %s", got)
	}
	deep := jsontext.Compile("/a/*/b/c")
	last := make([][]byte, 1)
	if deep.Find([]byte(`{"a":[{"b":{"c":1}},{"b":{}}]}`), last); string(last[0]) != "1" {
		t.Errorf("found %q: an item that lacks it does not take back what another has", last)
	}
	if deep.Find([]byte(`{"a":[{"b":{"c":1},"b":{}}]}`), last); last[0] != nil {
		t.Errorf("found %q in a member that came again", last)
	}
	roots, ok := p.Roots()
	if diff := cmp.Diff([]string{"a", "c"}, roots); diff != "" || !ok {
		t.Errorf("roots, %t (-want +got):\n%s", ok, diff)
	}
	if !p.FindIn([][]byte{[]byte(`[{"b":5}]`), nil}, found) || string(found[0]) != "5" || found[1] != nil {
		t.Errorf("found %s in the members", found)
	}
	sum := 0
	if !p.EachIn([][]byte{[]byte(`[{"b":5},{"b":6}]`), []byte("1")}, func(int, []byte) { sum++ }) || sum != 3 {
		t.Errorf("%d values in the members", sum)
	}
	every := jsontext.Compile("/*/b")
	if _, ok := every.Roots(); ok {
		t.Error("what begins in every member has roots")
	}
}

func TestEachAllocatesNothing(t *testing.T) {
	text := []byte(`{"choices":[{"index":0,"finish_reason":"stop"},{"index":1,"finish_reason":"length"}]}`)
	p := jsontext.Compile("/choices/*/finish_reason", "/error")
	stops := 0
	if n := testing.AllocsPerRun(100, func() {
		p.Each(text, func(i int, value []byte) {
			if i == 0 && string(value) == `"stop"` {
				stops++
			}
		})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if stops == 0 {
		t.Error("nothing was told")
	}
}
