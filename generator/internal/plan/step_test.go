package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// annotated is an operation with an x-resilience object, written as YAML.
func annotated(t *testing.T, op model.Operation, yaml string) model.Operation {
	t.Helper()
	tree, err := source.Read("spec.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	op.Raw = []model.Annotation{{Layer: "operation", Value: *tree}}
	return op
}

// chatAPI is an API with one operation that has a rich request body and streams too.
func chatAPI(t *testing.T, resilience string, params ...model.Param) *model.API {
	t.Helper()
	example, err := source.Read("spec.yaml", []byte("{text: canned, role: assistant}"))
	if err != nil {
		t.Fatal(err)
	}
	incomplete, err := source.Read("spec.yaml", []byte("{role: robot, extra: 1}"))
	if err != nil {
		t.Fatal(err)
	}
	words, err := source.Read("spec.yaml", []byte("[{delta: canned}, {delta: words}]"))
	if err != nil {
		t.Fatal(err)
	}
	return &model.API{
		Types: []model.TypeDecl{
			schema("Role", model.Enum{Base: model.String, Values: []model.EnumValue{{Text: "user"}, {Text: "assistant"}}}),
			schema("Options", object(optional("depth", prim(model.Int32)), required("mode", prim(model.String)))),
			schema("Stop", model.Union{Variants: []model.Variant{{Hint: "string", Type: prim(model.String)}, {Hint: "list", Type: model.Array{Elem: of(prim(model.String))}}}}),
			schema("Request", object(
				required("model", prim(model.String)), optional("temperature", prim(model.Float64)), optional("stream", prim(model.Bool)),
				optional("role", ref("Role")), optional("options", ref("Options")), required("fixed", ref("Options")), optional("stop", ref("Stop")),
				model.Field{Name: "maybe", Elem: nullOf(ref("Options"))}, optional("tags", model.Array{Elem: of(prim(model.String))}),
				optional("labels", model.Map{Elem: of(prim(model.String))}), required("when", prim(model.Time)), optional("any", model.Any{}),
				optional("a/b~c", prim(model.Uint64)),
			)),
			schema("Answer", object(required("text", prim(model.String)), optional("role", ref("Role")))),
			event,
		},
		Examples: []model.Example{{Name: "Sorry", Value: *example}, {Name: "Incomplete", Value: *incomplete}, {Name: "Words", Value: *words}},
		Operations: []model.Operation{annotated(t, model.Operation{ID: "chat", Bind: &model.HTTPBinding{
			Method: "POST", Path: "/chat", Params: params, Body: &model.Body{Required: true, Contents: jsonOf(ref("Request"))},
			Responses: []model.Response{answers("200", content("application/json", ref("Answer")), content("text/event-stream", ref("Event")))},
		}}, resilience)},
	}
}

// ladder wraps rungs.
func ladderOf(rungs ...string) string {
	return "{idempotency: safe, hedgeable: false, fallback: [" + strings.Join(rungs, ", ") + "]}"
}

func patchOf(ops string) string { return ladderOf("{name: small, patch: [" + ops + "], when: [any]}") }

func TestPatches(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		patch  string
		params []model.Param
		want   string
	}{
		"a field":           {"{op: replace, path: /model, value: small}", nil, `Model = "small" of string`},
		"an optional field": {"{op: add, path: /temperature, value: 0.5}", nil, "Temperature = 0.5 of wire.Opt[float64]"},
		"removal":           {"{op: remove, path: /temperature}", nil, "Temperature = zero of wire.Opt[float64]"},
		"an enum":           {"{op: replace, path: /role, value: user}", nil, `Role = "user" of wire.Opt[Role]`},
		"an object":         {"{op: replace, path: /options, value: {mode: x, depth: 3}}", nil, `Options = {"mode":"x","depth":3} of *Options`},
		"through an optional object": {
			"{op: replace, path: /options/depth, value: 1}", nil, "Options.Depth = 1 of *Options > wire.Opt[int32]",
		},
		"through a required object":       {"{op: replace, path: /fixed/mode, value: y}", nil, `Fixed.Mode = "y" of Options > string`},
		"through a nullable object":       {"{op: remove, path: /maybe/depth}", nil, "Maybe.Depth = zero of wire.OptNull[*Options] > wire.Opt[int32]"},
		"null":                            {"{op: replace, path: /maybe, value: null}", nil, "Maybe = null of wire.OptNull[*Options]"},
		"a union":                         {"{op: replace, path: /stop, value: [a, b]}", nil, `Stop = ["a","b"] of Stop`},
		"a list":                          {"{op: replace, path: /tags, value: [a]}", nil, `Tags = ["a"] of []string`},
		"any value":                       {"{op: replace, path: /any, value: {x: [1, 2.50, null]}}", nil, `Any = {"x":[1,2.50,null]} of json.RawMessage`},
		"a pointer with escapes":          {"{op: replace, path: /a~1b~0c, value: 18446744073709551615}", nil, "ABC = 18446744073709551615 of wire.Opt[uint64]"},
		"the body of a request struct":    {"{op: replace, path: /model, value: small}", []model.Param{query("q", prim(model.Int))}, `Body.Model = "small" of Request > string`},
		"a time":                          {"{op: replace, path: /when, value: '2026-01-02T03:04:05Z'}", nil, `When = "2026-01-02T03:04:05Z" of time.Time`},
		"a text that looks like a number": {"{op: replace, path: /model, value: '1'}", nil, `Model = "1" of string`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, chatAPI(t, patchOf(test.patch), test.params...))
			wantDiags(t, list)
			for i := range pkg.Client.Operations {
				step, isPatch := pkg.Client.Operations[i].Steps[0].(PatchStep)
				if !isPatch || step.Rung != 1 || step.Var != "small" || len(step.Assign) != 1 {
					t.Fatalf("got step %+v", pkg.Client.Operations[i].Steps[0])
				}
				if got := assignText(step.Assign[0]); got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			}
		})
	}
}

func TestPatchesThatDoNotFit(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ patch, want string }{
		"no such field":     {"{op: replace, path: /modell, value: x}", `"/modell" leads nowhere: Request has no field "modell": did you mean "model"?`},
		"another type":      {"{op: replace, path: /model, value: 1}", `"/model" is a number, and not a text`},
		"null":              {"{op: replace, path: /model, value: null}", `"/model" is null, and not a text`},
		"required":          {"{op: remove, path: /model}", `"/model" is required and cannot be removed`},
		"out of range":      {"{op: replace, path: /options/depth, value: 2147483648}", `"/options/depth" 2147483648 is no integer of the type's range`},
		"a fraction":        {"{op: replace, path: /options/depth, value: 1.5}", `"/options/depth" 1.5 is no integer of the type's range`},
		"into a list":       {"{op: replace, path: /tags/0, value: x}", `"/tags/0" leads into a list, where "0" is no field`},
		"into a map":        {"{op: add, path: /labels/x, value: x}", `"/labels/x" leads into a map, where "x" is no field`},
		"into a union":      {"{op: add, path: /stop/0, value: x}", `"/stop/0" leads into one of several types, where "0" is no field`},
		"into any value":    {"{op: add, path: /any/x, value: x}", `"/any/x" leads into any value, where "x" is no field`},
		"into a scalar":     {"{op: add, path: /model/x, value: x}", `"/model/x" leads into a scalar, where "x" is no field`},
		"a missing member":  {"{op: replace, path: /options, value: {depth: 1}}", `"/options" has no "mode", which is required`},
		"an unknown member": {"{op: replace, path: /options, value: {mode: a, deep: 1}}", `"/options" has "deep", which the type does not have`},
		"no variant":        {"{op: replace, path: /stop, value: 1}", `"/stop" is none of the types that may stand there`},
		"no time":           {"{op: replace, path: /when, value: tomorrow}", `"/when" "tomorrow" is not an RFC 3339 time`},
		"a list's item":     {"{op: replace, path: /tags, value: [a, 1]}", `"/tags" is a number, and not a text`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, chatAPI(t, patchOf(test.patch)))
			wantDiags(t, list, `error RG3130: the patch of rung "small" of operation "chat" does not fit the request: `+test.want)
			for _, d := range list.Sorted() {
				if !d.Span.IsValid() || d.Why == "" || d.Fix == "" {
					t.Errorf("incomplete: %+v", d)
				}
			}
			if len(pkg.Client.Operations) != 2 {
				t.Errorf("got %d operations, want both", len(pkg.Client.Operations))
			}
		})
	}
}

func TestPatchWithoutABody(t *testing.T) {
	t.Parallel()
	pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet}, Operations: []model.Operation{
		annotated(t, get("getPet", ref("Pet")), patchOf("{op: replace, path: /model, value: x}")),
	}})
	wantDiags(t, list, `error RG3130: the patch of rung "small" of operation "getPet" does not fit the request: "/model" leads nowhere: the operation has no request body`)
	if steps := pkg.Client.Operations[0].Steps; len(steps) != 0 {
		t.Errorf("got steps %v, want none", steps)
	}
}

func TestUnknownEnumValueIsAWarning(t *testing.T) {
	t.Parallel()
	pkg, list := resolveTest(t, chatAPI(t, patchOf("{op: replace, path: /role, value: robot}")))
	wantDiags(t, list, `warning RG3133: the patch of rung "small" of operation "chat" does not fit the request: "/role" "robot" is none of the known values (user, assistant)`)
	if len(pkg.Client.Operations[0].Steps) != 1 {
		t.Errorf("got steps %v, want the patch all the same", pkg.Client.Operations[0].Steps)
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()
	pkg, list := resolveTest(t, chatAPI(t, ladderOf(
		"{name: eu, patch: [{op: replace, path: /model, value: eu}], when: [any]}", "{name: req, patch: [{op: remove, path: /role}], when: [any]}",
		"{name: local, func: searchLocal, when: [any]}", "{name: wired, static: lastWords, when: [any]}",
		"{name: sorry, static: '#/components/examples/Sorry', items: '#/components/examples/Words', when: [any]}",
	)))
	wantDiags(t, list)
	checkPackage(t, pkg)
	var b strings.Builder
	for i := range pkg.Client.Operations {
		text := opText(&pkg.Client.Operations[i])
		_, steps, _ := strings.Cut(text, "  rung")
		fmt.Fprintf(&b, "%s\n  rung%s", pkg.Client.Operations[i].GoName, steps)
	}
	for _, w := range pkg.Client.Wirings {
		fmt.Fprintf(&b, "%s %s %s (%s) (%s) %s\n", w.Name, w.Option, w.Field, goText(w.Request), goText(w.Result), goText(w.Value))
	}
	for _, e := range pkg.Client.Examples {
		fmt.Fprintf(&b, "%s = %s of %s\n", e.Const, e.JSON, goText(e.Type))
	}
	wantText(t, b.String(), `
Chat
  rung 1 eu patch eu
    Model = "eu" of string
  rung 2 req patch reqRequest
    Role = zero of wire.Opt[Role]
  rung 3 local func searchLocal
  rung 4 wired static lastWords
  rung 5 sorry static sorryExample
ChatStream
  rung 1 eu patch eu
    Model = "eu" of string
  rung 2 req patch reqRequest
    Role = zero of wire.Opt[Role]
  rung 3 local func searchLocalStream
  rung 4 wired static lastWordsStream
  rung 5 sorry static wordsItems
searchLocal WithSearchLocal searchLocal (*Request) (*Answer) -
lastWords WithLastWords lastWords (-) (-) *Answer
searchLocalStream WithSearchLocalStream searchLocalStream (*Request) (*runtime.Stream[Event]) -
lastWordsStream WithLastWordsStream lastWordsStream (-) (-) []Event
sorryExample = {"text":"canned","role":"assistant"} of *Answer
wordsItems = [{"delta":"canned"},{"delta":"words"}] of []Event
`)
}

func TestStaticAnswersThatDoNotFit(t *testing.T) {
	t.Parallel()
	static := func(ref string) string { return ladderOf("{name: sorry, static: " + ref + ", when: [any]}") }
	tests := map[string]struct {
		api  *model.API
		want string
	}{
		"unknown": {
			chatAPI(t, static("'#/components/examples/Sory'")),
			`error RG2010: the answer "#/components/examples/Sory" of operation "chat" is no example of the document that has a value`,
		},
		"incomplete": {
			chatAPI(t, static("'#/components/examples/Incomplete', items: lastWords")),
			`error RG3131: the static rung "sorry" is no answer of operation "chat": the example "Incomplete" has no "text", which is required`,
		},
		"no items": {
			chatAPI(t, static("'#/components/examples/Sorry'")),
			`error RG3131: the static rung "sorry" is no stream of operation "chat": in what form its stream says the same is not known`,
		},
		"items that are none": {
			chatAPI(t, static("'#/components/examples/Sorry', items: '#/components/examples/Sorry'")),
			`error RG3131: the static rung "sorry" is no stream of operation "chat": an item of the example "Sorry" has no "delta", which is required`,
		},
		"unknown items": {
			chatAPI(t, static("'#/components/examples/Sorry', items: '#/components/examples/Sory'")),
			`error RG2010: the answer "#/components/examples/Sory" of operation "chat" is no example of the document that has a value`,
		},
		"nothing to answer with": {
			&model.API{Operations: []model.Operation{annotated(t, model.Operation{ID: "op", Bind: &model.HTTPBinding{
				Method: "GET", Path: "/", Responses: []model.Response{answers("204")},
			}}, static("x"))}},
			`error RG3131: the static rung "sorry" is no answer of operation "op": it answers with nothing`,
		},
		"a file": {
			&model.API{Operations: []model.Operation{annotated(t, model.Operation{ID: "op", Bind: &model.HTTPBinding{
				Method: "GET", Path: "/", Responses: []model.Response{answers("200", content("image/png", prim(model.Binary)))},
			}}, static("x"))}},
			`error RG3131: the static rung "sorry" is no answer of operation "op": it answers with a file`,
		},
		"several": {
			&model.API{Types: []model.TypeDecl{pet, event}, Operations: []model.Operation{annotated(t, model.Operation{ID: "op", Bind: &model.HTTPBinding{
				Method: "GET", Path: "/", Responses: []model.Response{answers("200", jsonOf(ref("Pet"))...), answers("202", jsonOf(ref("Event"))...)},
			}}, static("x"))}},
			`error RG3131: the static rung "sorry" is no answer of operation "op": it answers with one of several types`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, list := resolveTest(t, test.api)
			wantDiags(t, list, test.want)
		})
	}
}

func TestWiringClash(t *testing.T) {
	t.Parallel()
	rung := ladderOf("{name: local, func: remembered, when: [any]}")
	pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet, event}, Operations: []model.Operation{
		annotated(t, get("a", ref("Pet")), rung), annotated(t, get("b", ref("Pet")), rung), annotated(t, get("c", ref("Event")), rung),
	}})
	wantDiags(t, list, `error RG4002: "remembered" of operation "c" has another signature than the "remembered" before it`)
	if len(pkg.Client.Wirings) != 1 {
		t.Errorf("got wirings %v, want one", pkg.Client.Wirings)
	}
}

// TestWiringClashOfAStream: a method and the one that streams beside it tell of one clash once.
func TestWiringClashOfAStream(t *testing.T) {
	t.Parallel()
	_, list := resolveTest(t, chatAPI(t, ladderOf("{name: a, static: said, when: [any]}", "{name: b, func: said, when: [any]}")))
	wantDiags(t, list, `error RG4002: "said" of operation "chat" has another signature than the "said" before it`)
}

func TestStreamField(t *testing.T) {
	t.Parallel()
	stream := func(rest string) string {
		return "{idempotency: safe, stream: {format: sse, when: {pointer: /stream, equals: true}" + rest + "}}"
	}
	pkg, list := resolveTest(t, chatAPI(t, stream(""), query("q", prim(model.Int))))
	wantDiags(t, list)
	got := map[string]string{}
	for i := range pkg.Client.Operations {
		o := &pkg.Client.Operations[i]
		for _, s := range o.Request.Body.Set {
			got[o.GoName] = assignText(s)
		}
	}
	want := map[string]string{
		"Chat":       "Body.Stream = zero of Request > wire.Opt[bool]",
		"ChatStream": "Body.Stream = true of Request > wire.Opt[bool]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	pkg, list = resolveTest(t, chatAPI(t, stream(", item: '#/components/schemas/Answer'")))
	wantDiags(t, list)
	if item := goText(pkg.Client.Operations[1].Response.Stream.Item); item != "Answer" {
		t.Errorf("got item %s, want Answer", item)
	}
	_, list = resolveTest(t, chatAPI(t, stream(", item: '#/components/schemas/Anwser'")))
	wantDiags(t, list, `error RG2010: the item "#/components/schemas/Anwser" of operation "chat" is no schema of the document`)
	if fix := list.Sorted()[0].Fix; !strings.Contains(fix, "#/components/schemas/Answer") {
		t.Errorf("got fix %q, want it to name the near schema", fix)
	}
	_, list = resolveTest(t, chatAPI(t, "{idempotency: safe, stream: {format: sse, when: {pointer: /stream, equals: yes please}}}"))
	wantDiags(t, list, `error RG3132: stream.when of operation "chat" does not fit the request: "/stream" is a text, and not a boolean`)
}

// An operation that is annotated as streaming has a stream twin though its document does not say so.
func TestStreamByAnnotation(t *testing.T) {
	t.Parallel()
	pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet}, Operations: []model.Operation{
		annotated(t, get("op", ref("Pet")), "{stream: {format: jsonl}}"),
	}})
	wantDiags(t, list)
	wantText(t, methodsText(pkg), `
Op(-) *Pet optional
  GET /op accept=["application/json"]
  200-200 failure=false codec=1 application/json Pet 
OpStream(-) - stream of json.RawMessage text=false optional
  GET /op accept=["application/jsonl"]
  200-200 failure=false codec=1 application/jsonl - `)
}

// An API without anything in it is a package all the same.
func TestNothingToSay(t *testing.T) {
	t.Parallel()
	var list diag.List
	Resolve(&model.API{}, Layers{Package: "p"}, &list)
	wantDiags(t, &list)
}
