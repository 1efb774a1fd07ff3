package plan

import (
	"testing"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// requestsIn is an operation whose body is offered in several media types.
func requestsIn(all ...model.Content) model.HTTPBinding {
	return model.HTTPBinding{
		Method: "POST", Path: "/op", Body: &model.Body{Required: true, Contents: all}, Responses: []model.Response{answers("204")},
	}
}

// answersIn is one whose answer is.
func answersIn(all ...model.Content) model.HTTPBinding {
	return model.HTTPBinding{Method: "GET", Path: "/op", Responses: []model.Response{answers("200", all...)}}
}

func TestMediaTwins(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		bind model.HTTPBinding
		want []string // the methods
	}{
		"what has no codec says the same": {requestsIn(content("application/json", ref("Pet")), content("application/xml", ref("Pet"))), []string{"Op"}},
		"what has no codec says more": {
			requestsIn(content("application/json", ref("Pet")), content("application/xml", prim(model.Binary))), []string{"Op", "OpWithBytes"},
		},
		"another codec": {
			requestsIn(content("application/json", ref("Pet")), content("multipart/form-data", ref("Photo")), content("text/csv", prim(model.String)),
				content("application/x-www-form-urlencoded", ref("Pet")), content("application/x-ndjson", ref("Pet"))),
			[]string{"Op", "OpWithMultipart", "OpWithCSV", "OpWithForm", "OpWithJSONLines"},
		},
		"another schema": {
			requestsIn(content("application/json", ref("Pet")), content("application/vnd.b-c.v2+json", ref("Photo")), content("text/json", ref("Pet"))),
			[]string{"Op", "OpWithBCV2JSON"},
		},
		"a version in a parameter": {
			requestsIn(content("application/json", ref("Pet")), content("application/json; version=2", ref("Problem")),
				content("application/json; version=3", ref("Photo"))),
			[]string{"Op", "OpWithJSON", "OpWithJSONVersion3"},
		},
		"patches are told apart": {
			requestsIn(content("application/json-patch+json", ref("Pet")), content("application/merge-patch+json", ref("Pet"))),
			[]string{"Op", "OpWithMergePatchJSON"},
		},
		"but not beside plain JSON": {
			requestsIn(content("application/json-patch+json", ref("Pet")), content("application/json", ref("Pet"))), []string{"Op"},
		},
		"two ways to fill in a form": {
			requestsIn(content("application/x-www-form-urlencoded", ref("Photo")), content("multipart/form-data", ref("Photo"))), []string{"Op"},
		},
		"a form has no room for files": {
			requestsIn(content("application/json", ref("Pet")), content("application/x-www-form-urlencoded", ref("Photo")),
				content("multipart/form-data", ref("Photo"))),
			[]string{"Op", "OpWithForm", "OpWithMultipart"},
		},
		"answers of other kinds": {
			answersIn(content("application/json", ref("Pet")), content("text/csv", prim(model.String)), content("text/plain", prim(model.String)),
				content("image/png", prim(model.Binary)), content("image/webp", prim(model.Binary)), content("application/vnd.b+json", ref("Problem"))),
			[]string{"Op", "OpAsCSV", "OpAsText", "OpAsBytes", "OpAsBJSON"},
		},
		"answers that say the same": {
			answersIn(content("text/plain", ref("Pet")), content("application/json", ref("Pet")), content("text/json", ref("Pet"))), []string{"Op"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet, photo, problem}, Operations: []model.Operation{{ID: "op", Bind: &test.bind}}})
			wantDiags(t, list)
			var got []string
			for _, op := range pkg.Client.Operations {
				got = append(got, op.GoName)
				if isTwin := op.GoName != "Op"; isTwin != (op.PolicyOf == "Op") || op.Field != "op" {
					t.Errorf("%s has the policy of %q and the field %q", op.GoName, op.PolicyOf, op.Field)
				}
			}
			wantText(t, joined(got), joined(test.want))
		})
	}
}

func joined(lines []string) string {
	out := ""
	for _, line := range lines {
		out += line + "\n"
	}
	return out
}

func TestMediaTwinsOfOneOperation(t *testing.T) {
	t.Parallel()
	pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet, photo}, Operations: []model.Operation{{ID: "op", Bind: &model.HTTPBinding{
		Method: "POST", Path: "/op", Params: []model.Param{query("q", prim(model.String))},
		Body: &model.Body{Contents: []model.Content{content("application/json", ref("Pet")), content("multipart/form-data", ref("Photo"))}},
		Responses: []model.Response{
			answers("200", content("application/json", ref("Pet")), content("text/csv", prim(model.String))), answers("201", jsonOf(ref("Pet"))...),
		},
	}}}})
	wantDiags(t, list)
	wantText(t, methodsText(pkg), `
Op(*OpRequest) *Pet optional
  POST /op accept=["application/json"]
  Q query "q"
  body "Body" application/json codec=1 *Pet
  200-200 failure=false codec=1 application/json Pet 
  201-201 failure=false codec=1 application/json Pet 
OpWithMultipart(*OpWithMultipartRequest) *Pet optional
  POST /op accept=["application/json"]
  Q query "q"
  body "Body" multipart/form-data codec=3 *Photo
  200-200 failure=false codec=1 application/json Pet 
  201-201 failure=false codec=1 application/json Pet 
OpAsCSV(*OpRequest) OpAsCSVResponse optional
  POST /op accept=["text/csv" "application/json;q=0.5"]
  Q query "q"
  body "Body" application/json codec=1 *Pet
  200-200 failure=false codec=4 text/csv string OpAsCSVOK
  201-201 failure=false codec=1 application/json Pet OpAsCSVCreated
OpRequest struct
  Q wire.Opt[string] omitzero
  Body *Pet omitzero
OpWithMultipartRequest struct
  Q wire.Opt[string] omitzero
  Body *Photo omitzero
OpAsCSVResponse interface
  OpAsCSVOK string
  OpAsCSVCreated Pet`)
}

func TestTwoStreams(t *testing.T) {
	t.Parallel()
	bind := answersIn(content("text/event-stream", ref("Pet")), content("application/jsonl", ref("Pet")))
	_, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet}, Operations: []model.Operation{{ID: "op", Bind: &bind}}})
	wantDiags(t, list, `warning RG1192: the stream of operation "op" is read as sse; no method has it in "application/jsonl"`)
}
