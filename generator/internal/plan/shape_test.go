package plan

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// methodsText are the methods of a package, and its request structs and interfaces of answers.
func methodsText(p *Package) string {
	var b strings.Builder
	for i := range p.Client.Operations {
		b.WriteString(opText(&p.Client.Operations[i]))
	}
	for _, d := range p.Types {
		switch d := d.(type) {
		case *StructDecl:
			if d.IsRequest {
				b.WriteString(declText(d))
			}
		case *ResponseDecl:
			b.WriteString(declText(d))
		}
	}
	return b.String()
}

var (
	pet     = schema("Pet", object(required("name", prim(model.String))))
	problem = schema("Problem", object(required("text", prim(model.String))))
	photo   = schema("Photo", object(required("file", prim(model.Binary)), optional("name", prim(model.String))))
	event   = schema("Event", object(required("delta", prim(model.String))))
)

func query(name string, t model.Type) model.Param {
	return model.Param{Name: name, In: model.InQuery, Elem: of(t), Style: "form", Explode: true}
}

func content(media string, t model.Type) model.Content {
	return model.Content{MediaType: media, Elem: of(t)}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		bind model.HTTPBinding
		want string
	}{
		"nothing": {model.HTTPBinding{}, "Op(-) - optional\n  POST /op accept=[]\n  200-200 failure=false codec=6  - "},
		"a JSON object alone": {
			model.HTTPBinding{Body: &model.Body{Required: true, Contents: jsonOf(ref("Pet"))}}, `
Op(*Pet) -
  POST /op accept=[]
  body "" application/json codec=1 *Pet
  200-200 failure=false codec=6  - `,
		},
		"an optional JSON object alone": {
			model.HTTPBinding{Body: &model.Body{Contents: jsonOf(ref("Pet"))}}, `
Op(*Pet) - optional
  POST /op accept=[]
  body "" application/json codec=1 *Pet
  200-200 failure=false codec=6  - `,
		},
		"a JSON list alone": {
			model.HTTPBinding{Body: &model.Body{Required: true, Contents: jsonOf(model.Array{Elem: of(ref("Pet"))})}}, `
Op([]Pet) -
  POST /op accept=[]
  body "" application/json codec=1 []Pet
  200-200 failure=false codec=6  - `,
		},
		"an optional scalar alone": {
			model.HTTPBinding{Body: &model.Body{Contents: jsonOf(prim(model.Int))}}, `
Op(wire.Opt[int64]) - optional
  POST /op accept=[]
  body "" application/json codec=1 wire.Opt[int64]
  200-200 failure=false codec=6  - `,
		},
		"parameters of all places and a body": {
			model.HTTPBinding{
				Params: []model.Param{
					{Name: "pet_id", In: model.InPath, Elem: of(prim(model.Int))},
					query("tags", model.Array{Elem: of(prim(model.String))}),
					{Name: "X-Trace", In: model.InHeader, Elem: of(prim(model.String))},
					{Name: "session", In: model.InCookie, Elem: of(prim(model.String)), Required: true},
				},
				Body: &model.Body{Contents: jsonOf(ref("Pet"))},
			}, `
Op(*OpRequest) -
  POST /op accept=[]
  PetID path "pet_id"
  Tags query "tags"
  XTrace header "X-Trace"
  Session cookie "session"
  body "Body" application/json codec=1 *Pet
  200-200 failure=false codec=6  - 
OpRequest struct
  PetID int64
  Tags []string omitzero
  XTrace wire.Opt[string] omitzero
  Session string
  Body *Pet omitzero`,
		},
		"one name in two places, and one that is the body's": {
			model.HTTPBinding{Params: []model.Param{
				{Name: "itemId", In: model.InHeader, Elem: of(prim(model.Int))},
				{Name: "itemId", In: model.InPath, Elem: of(prim(model.Int))},
				query("body", prim(model.Int)), query("a-b", prim(model.Int)), query("a_b", prim(model.Int)), query("aB", prim(model.Int)),
				query("$count", prim(model.Bool)), query("type", prim(model.Int)), query("url", prim(model.Int)), query("ctx", prim(model.Int)),
			}}, `
Op(*OpRequest) -
  POST /op accept=[]
  ItemIDHeader header "itemId"
  ItemID path "itemId"
  BodyParam query "body"
  ADashB query "a-b"
  AUnderscoreB query "a_b"
  AB query "aB"
  Count query "$count"
  Type query "type"
  URL query "url"
  Ctx query "ctx"
  200-200 failure=false codec=6  - 
OpRequest struct
  ItemIDHeader wire.Opt[int64] omitzero
  ItemID int64
  BodyParam wire.Opt[int64] omitzero
  ADashB wire.Opt[int64] omitzero
  AUnderscoreB wire.Opt[int64] omitzero
  AB wire.Opt[int64] omitzero
  Count wire.Opt[bool] omitzero
  Type wire.Opt[int64] omitzero
  URL wire.Opt[int64] omitzero
  Ctx wire.Opt[int64] omitzero`,
		},
		"JSON before forms, vendor JSON with its parameters": {
			model.HTTPBinding{Body: &model.Body{Required: true, Contents: []model.Content{
				content("application/x-www-form-urlencoded", ref("Pet")), content("application/vnd.a+json; v=2", ref("Pet")),
			}}}, `
Op(*Pet) -
  POST /op accept=[]
  body "" application/vnd.a+json; v=2 codec=1 *Pet
  200-200 failure=false codec=6  - 
OpWithForm(*OpWithFormRequest) -
  POST /op accept=[]
  body "Body" application/x-www-form-urlencoded codec=2 Pet
  200-200 failure=false codec=6  - 
OpWithFormRequest struct
  Body Pet`,
		},
		"a form": {
			model.HTTPBinding{Body: &model.Body{Required: true, Contents: []model.Content{
				content("multipart/form-data", ref("Pet")), content("application/x-www-form-urlencoded", ref("Pet")),
			}}}, `
Op(*OpRequest) -
  POST /op accept=[]
  body "Body" application/x-www-form-urlencoded codec=2 Pet
  200-200 failure=false codec=6  - 
OpRequest struct
  Body Pet`,
		},
		"parts before a form where there are files": {
			model.HTTPBinding{Body: &model.Body{Required: true, Contents: []model.Content{
				content("application/x-www-form-urlencoded", ref("Photo")), content("multipart/form-data", ref("Photo")),
			}}}, `
Op(*OpRequest) -
  POST /op accept=[]
  body "Body" multipart/form-data codec=3 Photo
  200-200 failure=false codec=6  - 
OpRequest struct
  Body Photo`,
		},
		"bytes": {
			model.HTTPBinding{Body: &model.Body{Contents: []model.Content{content("image/*", prim(model.Binary))}}}, `
Op(*OpRequest) - optional
  POST /op accept=[]
  body "Body" image/* codec=5 wire.Content
  200-200 failure=false codec=6  - 
OpRequest struct
  Body wire.Content omitzero`,
		},
		"text": {
			model.HTTPBinding{Body: &model.Body{Required: true, Contents: []model.Content{content("text/plain; charset=utf-8", prim(model.String))}}}, `
Op(*OpRequest) -
  POST /op accept=[]
  body "Body" text/plain; charset=utf-8 codec=4 string
  200-200 failure=false codec=6  - 
OpRequest struct
  Body string`,
		},
		"any media type with a schema": {
			model.HTTPBinding{Body: &model.Body{Required: true, Contents: []model.Content{content("*/*", ref("Pet"))}}}, `
Op(*Pet) -
  POST /op accept=[]
  body "" application/json codec=1 *Pet
  200-200 failure=false codec=6  - `,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bind := test.bind
			bind.Method, bind.Path, bind.Responses = "POST", "/op", []model.Response{answers("200")}
			pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet, photo}, Operations: []model.Operation{{ID: "op", Bind: &bind}}})
			wantDiags(t, list)
			wantText(t, methodsText(pkg), test.want)
		})
	}
}

func TestRawRequests(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		content model.Content
		want    string
	}{
		"a form that is no object": {content("application/x-www-form-urlencoded", prim(model.String)), "codec=5 wire.Content"},
		"lines of text":            {content("application/x-ndjson", prim(model.String)), "codec=5 wire.Content"},
		"events":                   {content("text/event-stream", ref("Pet")), "codec=5 wire.Content"},
		"a structure as text":      {content("text/plain", ref("Pet")), "codec=4 string"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet}, Operations: []model.Operation{{
				ID: "op", Bind: &model.HTTPBinding{Method: "POST", Path: "/op", Body: &model.Body{Required: true, Contents: []model.Content{test.content}}},
			}}})
			wantDiags(t, list, `warning RG1190: the request body of operation "op" in "`+test.content.MediaType+`" is sent as it is given`)
			if got := methodsText(pkg); !strings.Contains(got, test.want) {
				t.Errorf("got %s, want it to have %q", got, test.want)
			}
		})
	}
}

func TestResponses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		method    string
		responses []model.Response
		want      string
	}{
		"an object": {"GET", []model.Response{answers("200", jsonOf(ref("Pet"))...)}, `
Op(-) *Pet optional
  GET /op accept=["application/json"]
  200-200 failure=false codec=1 application/json Pet `},
		"a list, and two statuses with one type": {"GET", []model.Response{
			answers("200", jsonOf(model.Array{Elem: of(ref("Pet"))})...), answers("201", jsonOf(model.Array{Elem: of(ref("Pet"))})...),
		}, `
Op(-) []Pet optional
  GET /op accept=["application/json"]
  200-200 failure=false codec=1 application/json []Pet 
  201-201 failure=false codec=1 application/json []Pet `},
		"null": {"GET", []model.Response{answers("200", model.Content{MediaType: "application/json", Elem: nullOf(ref("Pet"))})}, `
Op(-) wire.Null[Pet] optional
  GET /op accept=["application/json"]
  200-200 failure=false codec=1 application/json wire.Null[Pet] `},
		"no schema": {"GET", []model.Response{answers("200", content("application/json", model.Any{}))}, `
Op(-) json.RawMessage optional
  GET /op accept=["application/json"]
  200-200 failure=false codec=1 application/json json.RawMessage `},
		"no body": {"DELETE", []model.Response{answers("204", jsonOf(ref("Pet"))...), answers("205")}, `
Op(-) - optional
  DELETE /op accept=[]
  204-204 failure=false codec=6  - 
  205-205 failure=false codec=6  - `},
		"HEAD": {"HEAD", []model.Response{answers("200", jsonOf(ref("Pet"))...)}, `
Op(-) - optional
  HEAD /op accept=[]
  200-200 failure=false codec=6  - `},
		"failures by status, range and default": {"GET", []model.Response{
			answers("200", jsonOf(ref("Pet"))...), answers("304"), answers("404"), answers("409", content("text/plain", prim(model.String))),
			answers("422", jsonOf(ref("Pet"))...), answers("4XX", jsonOf(ref("Problem"))...), answers("default", content("application/problem+json", ref("Problem"))),
		}, `
Op(-) *Pet optional
  GET /op accept=["application/json" "application/problem+json"]
  200-200 failure=false codec=1 application/json Pet 
  404-404 failure=true codec=6  - 
  409-409 failure=true codec=6  - 
  422-422 failure=true codec=1 application/json Pet 
  400-499 failure=true codec=1 application/json Problem 
  0-0 failure=true codec=1 application/problem+json Problem `},
		"failures without a body need no case": {"GET", []model.Response{answers("200", jsonOf(ref("Pet"))...), answers("404"), answers("5XX")}, `
Op(-) *Pet optional
  GET /op accept=["application/json"]
  200-200 failure=false codec=1 application/json Pet `},
		"only a default": {"GET", []model.Response{answers("404", jsonOf(ref("Problem"))...), answers("default", jsonOf(ref("Pet"))...)}, `
Op(-) *Pet optional
  GET /op accept=["application/json"]
  404-404 failure=true codec=1 application/json Problem 
  200-299 failure=false codec=1 application/json Pet `},
		"no success": {"GET", []model.Response{answers("302"), answers("4XX", jsonOf(ref("Problem"))...)}, `
Op(-) - optional
  GET /op accept=["application/json"]
  200-299 failure=false codec=6  - 
  302-302 failure=false codec=6  - 
  400-499 failure=true codec=1 application/json Problem `},
		"nothing listed": {"GET", nil, `
Op(-) - optional
  GET /op accept=[]
  200-299 failure=false codec=6  - `},
		"several bodies": {"GET", []model.Response{
			answers("200", jsonOf(ref("Pet"))...), answers("201", jsonOf(ref("Pet"))...), answers("202", content("text/plain", prim(model.String))), answers("204"),
			answers("2XX", jsonOf(ref("Problem"))...),
		}, `
Op(-) OpResponse optional
  GET /op accept=["application/json" "text/plain"]
  200-200 failure=false codec=1 application/json Pet OpOK
  201-201 failure=false codec=1 application/json Pet OpOK
  202-202 failure=false codec=4 text/plain string OpAccepted
  204-204 failure=false codec=6  - OpNoContent
  200-299 failure=false codec=1 application/json Problem Op2XX
OpResponse interface
  OpOK Pet
  OpAccepted string
  OpNoContent -
  Op2XX Problem`},
		"one body in several media types": {"GET", []model.Response{answers("200",
			content("text/plain", ref("Pet")), content("application/vnd.a+json", ref("Pet")), content("application/json;charset=UTF-8", ref("Pet")),
			content("text/json", ref("Pet")),
		)}, `
Op(-) *Pet optional
  GET /op accept=["application/json;charset=UTF-8" "application/vnd.a+json" "text/json"]
  200-200 failure=false codec=1 application/json;charset=UTF-8 Pet `},
		"text": {"GET", []model.Response{answers("200", content("text/csv", prim(model.String)))}, `
Op(-) string optional
  GET /op accept=["text/csv"]
  200-200 failure=false codec=4 text/csv string `},
		"files": {"GET", []model.Response{
			answers("200", content("application/octet-stream", prim(model.Binary)), content("application/pdf", prim(model.Binary))), answers("204"),
			answers("206", content("application/octet-stream", prim(model.Binary))), answers("404", jsonOf(ref("Problem"))...),
		}, `
Op(-) - download optional
  GET /op accept=["application/octet-stream" "application/pdf" "application/json"]
  200-200 failure=false codec=5 application/octet-stream - 
  204-204 failure=false codec=5  - 
  206-206 failure=false codec=5 application/octet-stream - 
  404-404 failure=true codec=1 application/json Problem `},
		"any media type": {"GET", []model.Response{answers("200", content("*/*", ref("Pet"))), answers("default", content("*/*", ref("Problem")))}, `
Op(-) *Pet optional
  GET /op accept=["*/*"]
  200-200 failure=false codec=1 */* Pet 
  0-0 failure=true codec=1 */* Problem `},
		"any media type, bytes": {"GET", []model.Response{answers("200", content("*/*", prim(model.Binary)))}, `
Op(-) - download optional
  GET /op accept=["*/*"]
  200-200 failure=false codec=5 */* - `},
		"a stream alone": {"POST", []model.Response{answers("200", content("text/event-stream", ref("Event"))), answers("4XX", jsonOf(ref("Problem"))...)}, `
Op(-) - stream of Event text=false optional
  POST /op accept=["text/event-stream" "application/json"]
  200-200 failure=false codec=1 text/event-stream - 
  400-499 failure=true codec=1 application/json Problem `},
		"a stream beside an answer": {"POST", []model.Response{
			answers("200", content("application/json", ref("Pet")), content("text/event-stream", prim(model.String))), answers("default", jsonOf(ref("Problem"))...),
		}, `
Op(-) *Pet optional
  POST /op accept=["application/json"]
  200-200 failure=false codec=1 application/json Pet 
  0-0 failure=true codec=1 application/json Problem 
OpStream(-) - stream of string text=true optional
  POST /op accept=["text/event-stream" "application/json"]
  200-200 failure=false codec=4 text/event-stream - 
  0-0 failure=true codec=1 application/json Problem `},
		"items of lines": {"GET", []model.Response{answers("200", model.Content{
			MediaType: "application/jsonl", Elem: of(model.Array{Elem: of(ref("Pet"))}),
		})}, `
Op(-) - stream of Pet text=false optional
  GET /op accept=["application/jsonl"]
  200-200 failure=false codec=1 application/jsonl - `},
		"an item schema": {"GET", []model.Response{answers("200", model.Content{
			MediaType: "application/json-seq", Elem: of(model.Any{}), Item: &model.Elem{Type: ref("Event")},
		})}, `
Op(-) - stream of Event text=false optional
  GET /op accept=["application/json-seq"]
  200-200 failure=false codec=1 application/json-seq - `},
		"a stream of which nothing is known": {"GET", []model.Response{answers("200", content("text/event-stream", model.Any{}))}, `
Op(-) - stream of json.RawMessage text=false optional
  GET /op accept=["text/event-stream"]
  200-200 failure=false codec=1 text/event-stream - `},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet, problem, event}, Operations: []model.Operation{
				{ID: "op", Bind: &model.HTTPBinding{Method: test.method, Path: "/op", Responses: test.responses}},
			}})
			wantDiags(t, list)
			wantText(t, methodsText(pkg), test.want)
		})
	}
}

func TestMixedDownload(t *testing.T) {
	t.Parallel()
	pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet}, Operations: []model.Operation{{ID: "op", Bind: &model.HTTPBinding{
		Method: "GET", Path: "/op", Responses: []model.Response{answers("200", content("audio/mpeg", prim(model.Binary))), answers("202", jsonOf(ref("Pet"))...)},
	}}}})
	wantDiags(t, list, `warning RG1190: operation "op" answers with a file or with a value, and the method returns both as a file`)
	wantText(t, methodsText(pkg), `
Op(-) - download optional
  GET /op accept=["audio/mpeg" "application/json"]
  200-200 failure=false codec=5 audio/mpeg - 
  202-202 failure=false codec=5 application/json - `)
}
