package fuzz

import (
	"reflect"
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
		"whole numbers may have a fraction or an exponent":          {reflect.TypeFor[uint8](), `-0.0e9`},
		"vectors may be base64 of float32":                          {reflect.TypeFor[lists](), `{"v":"AACAPwAAAEA="}`},
		"times may be near RFC 3339":                                {reflect.TypeFor[raws](), `{"t":" 2024-02-29 "}`},
		"bytes may be a list":                                       {reflect.TypeFor[[]byte](), `[1,2.0,null]`},
		"base64 may have line ends":                                 {reflect.TypeFor[[]byte](), `"aG\nk="`},
		"arrays may be shorter or longer than the type":             {reflect.TypeFor[lists](), `{"a":[1,2,{"x":[]}]}`},
		"keys of maps may be written otherwise than Go writes them": {reflect.TypeFor[maps](), `{"i":{"01":true}}`},
		"surrogates that are alone are U+FFFD":                      {reflect.TypeFor[any](), `["\ud83d\ude00 \\ud83d \ud83dx"]`},
		"members that nobody reads may come twice":                  {reflect.TypeFor[scalars](), `{"z":1,"s":"x","z":{"y":2}}`},
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			c, ok := texts[r.name]
			if !ok {
				t.Fatal("no text needs it")
			}
			err := jsonv2.Unmarshal([]byte(c.text), reflect.New(c.kind).Interface())
			if err == nil {
				t.Fatalf("json/v2 takes %s", c.text)
			}
			if name, _ := apply([]byte(c.text), err); name != r.name {
				t.Errorf("%s is rewritten by %q, not by %q; %v", c.text, name, r.name, err)
			}
			compareReading(t, c.kind, []byte(c.text))
		})
	}
}
