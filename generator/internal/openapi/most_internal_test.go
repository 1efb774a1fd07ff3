package openapi

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestMostOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		`{"type":"integer"}`:                                                                    0,
		`{"type":"integer","maximum":4096}`:                                                     4096,
		`{"type":"integer","maximum":4096.9}`:                                                   4096,
		`{"type":"integer","maximum":4096,"exclusiveMaximum":true}`:                             4095,
		`{"type":"integer","exclusiveMaximum":4096}`:                                            4095,
		`{"type":"integer","exclusiveMaximum":10.5,"maximum":20}`:                               10,
		`{"type":"integer","maximum":0}`:                                                        0,
		`{"type":"integer","maximum":-1}`:                                                       0,
		`{"type":"integer","maximum":1e300}`:                                                    0,
		`{"type":["integer","null"],"maximum":8}`:                                               8,
		`{"allOf":[{"type":"integer","maximum":9},{"maximum":7}],"maximum":8}`:                  7,
		`{"anyOf":[{"type":"integer","maximum":9},{"type":"null"}]}`:                            9,
		`{"anyOf":[{"type":"integer","maximum":9},{"type":"integer","maximum":12}]}`:            12,
		`{"anyOf":[{"type":"integer","maximum":9},{"type":"string"}]}`:                          0,
		`{"oneOf":[{"type":"integer","maximum":9},{"type":"string","enum":["inf"]}],"title":1}`: 0,
	} {
		var s openapi3.Schema
		if err := json.Unmarshal([]byte(text), &s); err != nil && want > 0 {
			t.Fatalf("%s: %v", text, err)
		}
		if got := mostOf(&s); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	loop := &openapi3.Schema{}
	loop.AllOf = slices.Repeat(openapi3.SchemaRefs{{Value: loop}}, 50)
	if got := mostOf(loop); got != 0 {
		t.Errorf("a circle: %d", got)
	}
}
