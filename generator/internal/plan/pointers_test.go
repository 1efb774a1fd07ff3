package plan

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
)

// TestPointers follows pointers into requests and answers: what the document leaves open may be anything, and of several types one is
// enough. An empty problem is a pointer that fits.
func TestPointers(t *testing.T) {
	t.Parallel()
	const schemas = `components:
  schemas:
    Question:
      type: object
      properties:
        model: {type: string}
        most: {type: integer}
        share: {type: number}
        level: {type: integer, enum: [1, 2]}
        options: {type: object, additionalProperties: {type: integer}}
        open: {type: object, additionalProperties: true, properties: {known: {type: string}}}
        any: {}
        list: {type: array, items: {type: object, properties: {n: {type: integer}}}}
        loop: {$ref: '#/components/schemas/Loop'}
    Loop: {oneOf: [{$ref: '#/components/schemas/Branch'}, {$ref: '#/components/schemas/Leaf'}]}
    Branch: {type: object, required: [more], properties: {more: {$ref: '#/components/schemas/Loop'}}}
    Leaf: {type: object, required: [n], properties: {n: {type: integer}, more: {$ref: '#/components/schemas/Loop'}}}
    Event: {oneOf: [{$ref: '#/components/schemas/Begin'}, {$ref: '#/components/schemas/End'}]}
    Begin: {type: object, required: [type], properties: {type: {type: string, const: begin}}}
    End: {type: object, required: [type], properties: {type: {type: string, const: end}, usage: {anyOf: [{type: object, properties: {out: {type: integer}}}, {type: 'null'}]}}}
    Answer: {type: object, properties: {text: {type: string}, tokens: {type: [integer, 'null']}}}
`
	const body = "      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Question'}}}}\n" +
		"      responses: {'200': {description: done, content: {application/json: {schema: {$ref: '#/components/schemas/Answer'}}, " +
		"text/event-stream: {schema: {$ref: '#/components/schemas/Event'}}}}}\n"
	for annotation, problem := range map[string]string{
		"tokens: {max: /most}":                     "",
		"tokens: {max: /share}":                    "",
		"tokens: {max: /level}":                    "",
		"tokens: {max: /options/deep}":             "",
		"tokens: {max: /open/known}":               "leads to what is no number",
		"tokens: {max: /open/unknown}":             "",
		"tokens: {max: /any/thing/there}":          "",
		"tokens: {max: /list/0/n}":                 "",
		"tokens: {max: /list/00/n}":                `leads into a list, where "00" is no field`,
		"tokens: {max: /list/n}":                   `leads into a list, where "n" is no field`,
		"tokens: {max: /list}":                     "leads to what is no number",
		"tokens: {max: /loop/n}":                   "",
		"tokens: {max: /loop/more/more/n}":         "",
		"tokens: {max: /loop/more/none}":           `has no field "none"`,
		"tokens: {max: /model}":                    "leads to what is no number",
		"tokens: {max: /model/deeper}":             `leads into a scalar, where "deeper" is no field`,
		"tokens: {max: /mots}":                     `Question has no field "mots": did you mean "most"?`,
		"tokens: {usage: {output: /usage/out}}":    "", // in some items of the stream
		"tokens: {usage: {output: /tokens}}":       "", // in the whole answer alone
		"tokens: {usage: {output: /usage}}":        `Answer has no field "usage"`,
		"tokens: {usage: {output: /text}}":         "leads to what is no number",
		"cache: {ttl: 5m, key: [/model, /list/0]}": "",
		"cache: {ttl: 5m, key: [/model, /lists]}":  `Question has no field "lists"`,
	} {
		t.Run(annotation, func(t *testing.T) {
			t.Parallel()
			doc := head + "paths:\n" + operation("/a", "post", "askA", "{idempotency: safe, "+annotation+"}", body) + schemas
			var list diag.List
			resolveText(t, file{"doc.yaml", doc}, file{"file.yaml", ""}, &list)
			var got []string
			for _, d := range list.Sorted() {
				if d.Code != diag.PointerDoesNotFit {
					t.Errorf("said %s: %s", d.Code, d.What)
				}
				got = append(got, d.What)
			}
			switch {
			case problem == "" && len(got) > 0:
				t.Errorf("refused: %q", got)
			case problem != "" && (len(got) != 1 || !strings.Contains(got[0], problem)):
				t.Errorf("said %q, want one with %q", got, problem)
			}
		})
	}
}

// TestPointerPlaces points at the item of a list that is wrong, not at the list.
func TestPointerPlaces(t *testing.T) {
	t.Parallel()
	const body = "      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {a: {type: string}, b: {type: string}}}}}}\n"
	const key = "{idempotency: safe, cache: {ttl: 5m, key: [/a, /c]}}"
	doc := head + "paths:\n" + operation("/a", "post", "ask", key, body+wholeAnswer)
	var list diag.List
	resolveText(t, file{"doc.yaml", doc}, file{"file.yaml", ""}, &list)
	diags := list.Sorted()
	if len(diags) != 1 || diags[0].Code != diag.PointerDoesNotFit {
		t.Fatalf("got %v, want one pointer that does not fit", diags)
	}
	line := strings.Split(doc, "\n")[diags[0].Span.Line-1]
	if got := line[diags[0].Span.Column-1:]; !strings.HasPrefix(got, "/c]") {
		t.Errorf("it points at %q", got)
	}
}
