package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// TestOneExampleInTwoForms: two streams that say the same example in items of different types each have items of their own, and streams of one
// type share them.
func TestOneExampleInTwoForms(t *testing.T) {
	t.Parallel()
	sorry, err := source.Read("spec.yaml", []byte("{choices: [{message: {role: assistant, content: sorry}, finish_reason: stop}]}"))
	if err != nil {
		t.Fatal(err)
	}
	text := prim(model.String)
	choices := func(name, said string, more ...model.Field) model.TypeDecl {
		choice := object(optional(said, object(append(more, optional("content", text))...)), optional("finish_reason", text))
		return schema(name, object(required("choices", model.Array{Elem: of(choice)})))
	}
	op := func(id, item string) model.Operation {
		return annotated(t, model.Operation{ID: id, Bind: &model.HTTPBinding{
			Method: "POST", Path: "/" + id, Body: &model.Body{Required: true, Contents: jsonOf(ref("Asked"))},
			Responses: []model.Response{answers("200", content("application/json", ref("Answer")), content("text/event-stream", ref(item)))},
		}}, "{errors: openai, idempotency: safe, stream: {format: sse, when: {pointer: /stream, equals: true}}, "+
			"fallback: [{name: sorry, static: '#/components/examples/Sorry'}]}")
	}
	pkg, list := resolveTest(t, &model.API{
		Types: []model.TypeDecl{
			schema("Asked", object(optional("stream", prim(model.Bool)))),
			choices("Answer", "message", optional("role", text)), choices("Piece", "delta", optional("role", text)), choices("Short", "delta"),
		},
		Examples:   []model.Example{{Name: "Sorry", Value: *sorry}},
		Operations: []model.Operation{op("ask", "Piece"), op("askShort", "Short"), op("askAgain", "Piece")},
	})
	wantDiags(t, list)
	says, got := map[string]string{}, map[string]string{}
	for _, e := range pkg.Client.Examples {
		says[e.Const] = e.JSON
	}
	for _, o := range pkg.Client.Operations {
		for _, step := range o.Steps {
			if fixed, ok := step.(StaticStep); ok && fixed.Items {
				got[o.GoName] = fixed.Example + " = " + says[fixed.Example]
			}
		}
	}
	const whole = `[{"choices":[{"finish_reason":"stop","delta":{"role":"assistant","content":"sorry"}}]}]`
	want := map[string]string{
		"AskStream": "sorryItems = " + whole, "AskAgainStream": "sorryItems = " + whole,
		"AskShortStream": `sorryAskShortItems = [{"choices":[{"finish_reason":"stop","delta":{"content":"sorry"}}]}]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the streams answer with (-want +got):\n%s", diff)
	}
}
