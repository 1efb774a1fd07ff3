package plan

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

func TestServers(t *testing.T) {
	t.Parallel()
	variables := []model.ServerVariable{{Name: "region", Default: "eu", Enum: []string{"eu", "us"}}, {Name: "port", Enum: []string{"8443"}}, {Name: "base", Default: "v1"}, {Name: "nothing"}}
	tests := map[string]struct{ url, base, path, problem string }{
		"plain":             {url: "https://api.example.test/v1", base: "https://api.example.test/v1"},
		"variables":         {url: "https://{region}.example.test:{port}/gw/{base}/", base: "https://eu.example.test:8443/gw/v1/"},
		"unknown variable":  {url: "https://{tenant}.example.test", problem: `its variable "tenant" has no default`},
		"an open brace":     {url: "https://{region", problem: `its variable "region" has no default`},
		"relative":          {url: "/relative/v2/", path: "/relative/v2"},
		"the root":          {url: "/"},
		"empty":             {url: ""},
		"without a scheme":  {url: "//h.example.test/x/", base: "https://h.example.test/x/"},
		"another scheme":    {url: "ftp://h.example.test", problem: "it is neither http nor https"},
		"a query":           {url: "https://h.example.test?x=1", problem: "it has a query or a fragment"},
		"a fragment":        {url: "https://h.example.test#x", problem: "it has a query or a fragment"},
		"no host":           {url: "https:///x", problem: "it has no host"},
		"an empty label":    {url: "https://{nothing}.example.test", problem: "a part of its host is empty"},
		"no URL":            {url: "https://h.example.test:port\n", problem: "it is no URL"},
		"a host as a path":  {url: "api.example.test/v1", path: "api.example.test/v1"},
		"localhost, opaque": {url: "localhost:8080", problem: "it is neither http nor https"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pos := source.Pos{File: "spec.yaml", Line: 3, Column: 5}
			pkg, list := resolveTest(t, &model.API{Servers: []model.Server{{URL: test.url, Variables: variables, Pos: pos}, {URL: "https://second.example.test"}}})
			got := [2]string{pkg.Client.BaseURL, pkg.Client.BasePath}
			if want := [2]string{test.base, test.path}; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if test.problem == "" {
				wantDiags(t, list)
				return
			}
			wantDiags(t, list, fmt.Sprintf("warning RG1191: the server %q is no base address: %s", test.url, test.problem))
			if d := list.Sorted()[0]; d.Span.Pos != pos || d.Fix == "" || d.Why == "" {
				t.Errorf("incomplete: %+v", d)
			}
		})
	}
}

func TestOperationServers(t *testing.T) {
	t.Parallel()
	op := get("up", prim(model.String))
	bind, _ := op.Bind.(*model.HTTPBinding)
	bind.Servers = []model.Server{{URL: "https://upload.example.test/"}}
	other := get("down", prim(model.String))
	bind, _ = other.Bind.(*model.HTTPBinding)
	bind.Servers = []model.Server{{URL: "/elsewhere"}}
	next := get("next", prim(model.String))
	bind, _ = next.Bind.(*model.HTTPBinding)
	bind.Servers = []model.Server{{URL: "ftp://files.example.test"}, {URL: "https://files.example.test"}}
	pkg, list := resolveTest(t, &model.API{
		Servers: []model.Server{{URL: "https://api.example.test"}}, Operations: []model.Operation{op, other, next, get("plain", prim(model.String))},
	})
	wantDiags(t, list, `warning RG1191: the server "/elsewhere" is no base address: it is relative`,
		`warning RG1191: the server "ftp://files.example.test" is no base address: it is neither http nor https`)
	var got []string
	for i := range pkg.Client.Operations {
		got = append(got, pkg.Client.Operations[i].Request.BaseURL)
	}
	if diff := cmp.Diff([]string{"https://upload.example.test/", "", "https://files.example.test", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnnotatedAddressWins(t *testing.T) {
	t.Parallel()
	tree, err := source.Read("spec.yaml", []byte("{version: 1, targets: {primary: {base-url: 'https://chosen.example.test'}}}"))
	if err != nil {
		t.Fatal(err)
	}
	pkg, list := resolveTest(t, &model.API{
		Raw: tree, Servers: []model.Server{{URL: "ftp://unusable.example.test"}}, Operations: []model.Operation{get("op", prim(model.String))},
	})
	wantDiags(t, list)
	if pkg.Client.BaseURL != "https://chosen.example.test" {
		t.Errorf("got %q", pkg.Client.BaseURL)
	}
}

func TestCredentialOptions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		schemes []model.Scheme
		want    []string
	}{
		"one of each kind": {
			[]model.Scheme{{Name: "oauth", Kind: model.Bearer}, {Name: "login", Kind: model.Basic}, {Name: "key", Kind: model.APIKey}},
			[]string{"oauth WithBearer", "login WithBasicAuth", "key WithAPIKey"},
		},
		"several of a kind": {
			[]model.Scheme{{Name: "user_token", Kind: model.Bearer}, {Name: "login", Kind: model.Basic}, {Name: "admin-token", Kind: model.Bearer}},
			[]string{"user_token WithBearer", "login WithBasicAuth", "admin-token WithAdminToken"},
		},
		"names that options have": {
			[]model.Scheme{
				{Name: "first", Kind: model.APIKey},
				{Name: "base_url", Kind: model.APIKey},
				{Name: "target", Kind: model.APIKey},
				{Name: "API_KEY", Kind: model.APIKey},
				{Name: "app key", Kind: model.APIKey},
				{Name: "app-key", Kind: model.APIKey},
				{Name: "\u65e5\u672c", Kind: model.APIKey},
				{Name: "", Kind: model.APIKey},
			},
			[]string{
				"first WithAPIKey", "base_url WithBaseURLCredential", "target WithTargetCredential", "API_KEY WithAPIKeyCredential", "app key WithAppKey",
				"app-key WithAppKeyCredential", "\u65e5\u672c With\u65e5\u672c", " WithEmpty",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, &model.API{Schemes: test.schemes})
			wantDiags(t, list)
			checkPackage(t, pkg)
			var got []string
			for _, s := range pkg.Client.Schemes {
				got = append(got, s.Model.Name+" "+s.Option)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWiringsAvoidOptions(t *testing.T) {
	t.Parallel()
	pkg, list := resolveTest(t, &model.API{
		Types: []model.TypeDecl{pet}, Schemes: []model.Scheme{{Name: "first", Kind: model.Bearer}, {Name: "lookup", Kind: model.Bearer}, {Name: "other", Kind: model.Bearer}},
		Operations: []model.Operation{annotated(t, get("http", ref("Pet")), ladderOf(
			"{name: a, func: lookup, when: [any]}", "{name: b, func: otherFunc, when: [any]}", "{name: c, func: target, when: [any]}", "{name: d, func: httpOp, when: [any]}",
		))},
	})
	wantDiags(t, list)
	checkPackage(t, pkg)
	var got []string
	for _, w := range pkg.Client.Wirings {
		got = append(got, w.Name+" "+w.Option+" "+w.Field)
	}
	want := []string{
		"lookup WithLookupRung lookupRung", "otherFunc WithOtherFuncRung otherFuncRung", "target WithTargetRung targetRung",
		"httpOp WithHTTPOp httpOpRung",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server is called by what is fixed of its address, and by its name.
func TestServerNames(t *testing.T) {
	t.Parallel()
	variables := []model.ServerVariable{{Name: "scheme", Default: "http"}, {Name: "host", Default: "localhost"}, {Name: "port", Default: "80"}}
	pkg, list := resolveTest(t, &model.API{Servers: []model.Server{
		{URL: "{scheme}://{host}:{port}", Variables: variables},
		{URL: "https://{host}.example.test/v1", Variables: variables},
		{URL: "https://example.test", Name: "by hand"},
	}})
	wantDiags(t, list)
	var got []string
	for _, s := range pkg.Client.Servers {
		got = append(got, s.Name)
	}
	if diff := cmp.Diff([]string{"ServerURL", "ServerExampleTestV1", "ServerByHand"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A key that comes from a function has an option and no field: the runtime asks for it.
func TestKeyFunction(t *testing.T) {
	t.Parallel()
	keyed := "{idempotency: keyed, key: {in: header, name: Idempotency-Key, source: func, func: mint}"
	pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet}, Operations: []model.Operation{
		annotated(t, get("a", ref("Pet")), keyed+"}"), annotated(t, get("b", ref("Pet")), keyed+"}"),
		annotated(t, get("c", ref("Pet")), ladderOf("{name: x, func: mint, when: [any]}")),
	}})
	wantDiags(t, list, `error RG4002: "mint" of operation "c" has another signature than the "mint" before it`)
	if len(pkg.Client.Wirings) != 1 {
		t.Fatalf("got %d wirings, want one", len(pkg.Client.Wirings))
	}
	w := pkg.Client.Wirings[0]
	if w.Option != "WithMint" || goText(w.Result) != "string" || w.Request != nil || w.Value != nil {
		t.Errorf("got %+v", w)
	}
}

// Everything that a reader of the package sees first is safe whatever the document says.
func TestHostileText(t *testing.T) {
	t.Parallel()
	const hostile = "*/ func init() { panic(1) }\n//go:embed /etc/passwd\n\n`+build ignore`\r\u2028Deprecated: x\x00\u202e"
	op := get("op", ref("Pet"), query("q", prim(model.String)))
	op.Summary, op.Doc = hostile, hostile
	bind, _ := op.Bind.(*model.HTTPBinding)
	bind.Params[0].Doc, bind.Responses[0].Doc, bind.Path = hostile, hostile, "/"+hostile
	bind.Responses = append(bind.Responses, model.Response{Code: "202", Doc: hostile})
	bind.Body = &model.Body{Doc: hostile, Contents: jsonOf(ref("Color"))}
	kind := schema("Color", model.Enum{Base: model.String, Values: []model.EnumValue{{Text: hostile, Doc: hostile}}})
	kind.Doc, kind.Deprecated = hostile, true
	field := model.Field{Name: hostile, Doc: hostile, Elem: of(prim(model.String)), Deprecated: true}
	pkg, _ := resolveTest(t, &model.API{
		Title: hostile, Doc: hostile, Operations: []model.Operation{op}, Types: []model.TypeDecl{kind, schema("Pet", object(field))},
	})
	checkPackage(t, pkg)
	if got := pkg.Doc[0]; len(got) < 20 || got[:20] != "Package test calls */"[:20] {
		t.Errorf("got package comment %q", pkg.Doc)
	}
}
