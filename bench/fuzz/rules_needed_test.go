package fuzz

import (
	"os"
	"reflect"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
)

// A rule that nothing needs, or that rewrites what both take, would hide faults.
func TestEachRuleIsNeeded(t *testing.T) {
	t.Parallel()
	texts := map[string]struct {
		kind reflect.Type
		text string
	}{
		"an integer written `1.0` or `1e3`":                  {reflect.TypeFor[uint8](), `-0.0e9`},
		"`-0` for an unsigned integer":                       {reflect.TypeFor[scalars](), `{"u64":-0}`},
		"a base64 string for `[]float32`, `[]float64`":       {reflect.TypeFor[lists](), `{"v":"AACAPwAAAEA="}`},
		"a time near RFC 3339":                               {reflect.TypeFor[raws](), `{"t":" 2024-02-29 "}`},
		"an array of numbers for `[]byte`":                   {reflect.TypeFor[[]byte](), `[1,2.0,null]`},
		"ends of lines in base64":                            {reflect.TypeFor[[]byte](), `"aG\nk="`},
		"an array that is longer or shorter than Go's array": {reflect.TypeFor[lists](), `{"a":[1,2,{"x":[]}]}`},
		"a key that is not written as Go writes it":          {reflect.TypeFor[maps](), `{"i":{"01":true}}`},
		"half of a surrogate pair":                           {reflect.TypeFor[any](), `["\ud83d\ude00 \\ud83d \ud83dx"]`},
		"the same inside of a value that is kept as it came": {reflect.TypeFor[scalars](), `{"z":1,"s":"x","z":{"y":2}}`},
	}
	for _, r := range rules {
		t.Run(r.row, func(t *testing.T) {
			t.Parallel()
			c, ok := texts[r.row]
			if !ok {
				t.Fatal("no text needs it")
			}
			err := jsonv2.Unmarshal([]byte(c.text), reflect.New(c.kind).Interface())
			if err == nil {
				t.Fatalf("json/v2 takes %s", c.text)
			}
			if name, _ := apply([]byte(c.text), err); name != r.row {
				t.Errorf("%s is rewritten by %q, not by %q; %v", c.text, name, r.row, err)
			}
			compareReading(t, c.kind, []byte(c.text))
		})
	}
}

// What the rules excuse is what the docs state.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/reference/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if n := strings.Count(string(page), "\n| "+r.row); n != 1 {
			t.Errorf("docs/reference/json.md has %d lines that begin with %q, not 1", n, r.row)
		}
	}
}
