package plan

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/model"
)

func TestIdent(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"pet", "Pet"},
		{"petId", "PetID"},
		{"pet_id", "PetID"},
		{"PET_ID", "PetID"},
		{"userID", "UserID"},
		{"ID", "ID"},
		{"id", "ID"},
		{"file_ids", "FileIDs"},
		{"fileIds", "FileIDs"},
		{"fileIDs", "FileIDs"},
		{"IDsOfAll", "IDsOfAll"},
		{"baseUrl", "BaseURL"},
		{"urls", "URLs"},
		{"HTTPServer", "HTTPServer"},
		{"httpServer", "HTTPServer"},
		{"XMLHttpRequest", "XMLHTTPRequest"},
		{"https", "HTTPS"},
		{"getUUIDByApiKey", "GetUUIDByAPIKey"},
		{"createChatCompletion", "CreateChatCompletion"},
		{"gpt-4o-mini", "Gpt4oMini"},
		{"com.acme.Item", "ComAcmeItem"},
		{"list pets", "ListPets"},
		{"GET /pets/{id}", "GETPetsID"},
		{"PENDING", "Pending"},
		{"USD", "USD"},
		{"IN_PROGRESS", "InProgress"},
		{"aB", "AB"},
		{"", "Empty"},
		{" ", "Space"},
		{"***", "StarStarStar"},
		{"2fast", "Op2fast"},
		{"../../x", "X"},
		{"type", "Type"},
		{"len", "Len"},
		{"url", "URL"},
		{"Client", "Client"},
		{"größe", "Größe"},
		{"объект", "Объект"},
		{"\u65e5\u672c", "Op\u65e5\u672c"},
		{"e\u0301tat", "Etat"},
		{"\u202e", "U202E"},
		{"a\x00b", "AB"},
		{"+1", "Plus1"},
		{"-1", "Minus1"},
		{"c++", "CPlusPlus"},
		{"\xff", "UFFFD"},
		{"I18n", "I18n"},
		{"utf8", "UTF8"},
		{"is", "Is"},
		{"gas", "Gas"},
		{"OAuth2Token", "OAuth2Token"},
	}
	for _, test := range tests {
		got := ident(test.text, "Op")
		if got != test.want {
			t.Errorf("ident(%q) = %q, want %q", test.text, got, test.want)
		}
		if !token.IsExported(got) || !token.IsIdentifier(got) {
			t.Errorf("ident(%q) = %q is no exported identifier", test.text, got)
		}
	}
}

func TestUnexported(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ListModels": "listModels", "APIKey": "apiKey", "ID": "id", "IDsOfAll": "idsOfAll", "URL": "url", "HTTPServerList": "httpServerList",
		"Type": "type", "X": "x", "OAuthToken": "oAuthToken", "UTF8Text": "utf8Text", "Op2fast": "op2fast",
	} {
		if got := unexported(name); got != want {
			t.Errorf("unexported(%q) = %q, want %q", name, got, want)
		}
	}
}

// namesOf are the Go names of structs and operations by ID.
func namesOf(p *Package) map[string]string {
	out := map[string]string{}
	for i := range p.Client.Operations {
		out[p.Client.Operations[i].Model.ID] = p.Client.Operations[i].GoName
	}
	for _, d := range p.Types {
		if d, isStruct := d.(*StructDecl); isStruct && !d.IsRequest {
			out[d.Pos.File] = d.Name
		}
	}
	return out
}

// clashing is an API with components and operations of these names.
func clashing(components, operations []string) *model.API {
	var types []model.TypeDecl
	for _, name := range components {
		types = append(types, schema(name, object(required("x", prim(model.Int)))))
	}
	api := holding(types...)
	for _, id := range operations {
		api.Operations = append(api.Operations, get(id, ref("Everything"), query("q", prim(model.Int))))
	}
	return api
}

func TestPackageNames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		components, operations []string
		want                   []string // "ID → GoName" of what is not as ident has it, sorted
	}{
		"frozen names": {
			[]string{"Client", "API", "New", "Option", "WithBearer", "WithVector", "Withdrawal", "ClientModel"},
			nil,
			[]string{"API → APIModel", "Client → ClientModel2", "New → NewModel", "Option → OptionModel", "WithBearer → WithBearerModel", "WithVector → WithVectorModel"},
		},
		"twins": {
			[]string{"foo", "Foo", "foo_bar", "fooBar", "foo-bar", "com.acme.Item", "com_acme_Item"},
			nil,
			[]string{"com_acme_Item → ComUnderscoreAcmeUnderscoreItem", "foo → FooLower", "foo-bar → FooDashBar", "foo_bar → FooUnderscoreBar"},
		},
		"operations": {
			nil,
			[]string{"closeIdleConnections", "get-item", "getItem", "get_item", "get item", "2fast", "type", "http", "***"},
			[]string{"2fast → Op2fast", "closeIdleConnections → CloseIdleConnectionsOp", "get item → GetSpaceItem", "get-item → GetDashItem", "get_item → GetUnderscoreItem"},
		},
		"methods of the standard library": {
			nil,
			[]string{"marshalJSON", "UnmarshalJSON", "gob_encode", "writeByte", "scan"},
			[]string{"UnmarshalJSON → UnmarshalJSONOp", "gob_encode → GobEncodeOp", "marshalJSON → MarshalJSONOp", "writeByte → WriteByteOp"},
		},
		"what is derived yields": {
			[]string{"ListPetsRequest"}, []string{"listPets"}, nil,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var first []string
			for range 2 { // and with everything the other way round
				pkg, list := resolveTest(t, clashing(test.components, test.operations))
				wantDiags(t, list)
				checkPackage(t, pkg)
				var got []string
				for id, name := range namesOf(pkg) {
					id = strings.TrimPrefix(id, "#/components/schemas/")
					if name != ident(id, "") {
						got = append(got, id+" → "+name)
					}
				}
				slices.Sort(got)
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if first != nil {
					if diff := cmp.Diff(first, got); diff != "" {
						t.Errorf("the order counts (-one +other):\n%s", diff)
					}
				}
				first = got
				slices.Reverse(test.components)
				slices.Reverse(test.operations)
			}
		})
	}
}

func TestDerivedNames(t *testing.T) {
	t.Parallel()
	two := []model.Response{answers("200", jsonOf(ref("Pet"))...), answers("202", jsonOf(ref("RolePet"))...)}
	api := &model.API{
		Types: []model.TypeDecl{
			pet, schema("ListPetsRequest", object(required("x", prim(model.Int)))), schema("ListPetsResponse", object(required("x", prim(model.Int)))),
			schema("RolePet", object(required("role", ref("Role")), required("more", model.Ref{ID: "#/inline"}), required("a", ref("ListPetsRequest")), required("b", ref("ListPetsResponse")))),
			schema("Role", model.Enum{Base: model.String, Values: []model.EnumValue{{Text: "pet"}, {Text: "pet_"}, {Text: "user"}}}),
			schema("RoleUser", model.Any{}),
			inlineType("#/inline", []string{"#/components/schemas/RolePet", "more", "item"}, object(required("u", ref("U")), required("v", ref("RoleUser")))),
			schema("U", model.Union{Variants: []model.Variant{{Hint: "string", Type: prim(model.String)}}}),
			schema("UOfString", prim(model.Int)), inlineType("#/inline2", []string{"listPets", "request"}, object(required("w", ref("UOfString")))),
		},
		Operations: []model.Operation{{ID: "listPets", Bind: &model.HTTPBinding{
			Method: "POST", Path: "/", Params: []model.Param{query("q", prim(model.Int))}, Responses: two,
			Body: &model.Body{Required: true, Contents: jsonOf(model.Ref{ID: "#/inline2"})},
		}}},
	}
	pkg, list := resolveTest(t, api)
	wantDiags(t, list)
	checkPackage(t, pkg)

	wantText(t, typesText(pkg), `
Pet struct
  Name string "name"
ListPetsRequest struct
  X int64 "x"
ListPetsResponse struct
  X int64 "x"
RolePet struct
  Role Role "role"
  More RolePetMoreItem "more"
  A ListPetsRequest "a"
  B ListPetsResponse "b"
Role enum string
  RoleValuePet = "pet"
  RolePetUnderscore = "pet_"
  RoleValueUser = "user"
RoleUser = json.RawMessage
RolePetMoreItem struct
  U U "u"
  V RoleUser "v"
U union
  String UOfString2 string tags=[] kinds=["string"] required=[]
UOfString = int64
ListPetsRequestBody struct
  W UOfString "w"
ListPetsParams struct
  Q wire.Opt[int64] omitzero
  Body ListPetsRequestBody
ListPetsResult interface
  ListPetsOK Pet
  ListPetsAccepted RolePet
`)
	var renamed []string
	for _, r := range pkg.Renamed {
		renamed = append(renamed, r.ID+": "+r.Want+" → "+r.Got)
	}
	want := []string{
		"request listPets: ListPetsRequest → ListPetsParams", "answers listPets: ListPetsResponse → ListPetsResult",
		"type #/inline2: ListPetsRequest → ListPetsRequestBody", "constant #/components/schemas/Role pet: RolePet → RoleValuePet",
		"constant #/components/schemas/Role pet_: RolePet → RolePetUnderscore", "constant #/components/schemas/Role user: RoleUser → RoleValueUser",
		"constructor #/components/schemas/U string: UOfString → UOfString2",
	}
	if diff := cmp.Diff(want, renamed); diff != "" {
		t.Errorf("renamed (-want +got):\n%s", diff)
	}
}

// An inline body beside parameters is not in the way of the request struct, and that is no collision.
func TestInlineBodies(t *testing.T) {
	t.Parallel()
	body := func(id string) model.TypeDecl {
		return inlineType("#/"+id, []string{id, "request"}, object(required("w", prim(model.Int))))
	}
	post := func(id string, params ...model.Param) model.Operation {
		return model.Operation{ID: id, Bind: &model.HTTPBinding{
			Method: "POST", Path: "/", Params: params, Body: &model.Body{Required: true, Contents: jsonOf(model.Ref{ID: model.TypeID("#/" + id)})},
		}}
	}
	pkg, list := resolveTest(t, &model.API{
		Types: []model.TypeDecl{body("alone"), body("beside")}, Operations: []model.Operation{post("alone"), post("beside", query("q", prim(model.Int)))},
	})
	wantDiags(t, list)
	checkPackage(t, pkg)
	wantText(t, typesText(pkg), `
AloneRequest struct
  W int64 "w"
BesideRequestBody struct
  W int64 "w"
BesideRequest struct
  Q wire.Opt[int64] omitzero
  Body BesideRequestBody
`)
	if len(pkg.Renamed) > 0 {
		t.Errorf("got renamings %v, want none", pkg.Renamed)
	}
}

func TestStemsDoNotCollide(t *testing.T) {
	t.Parallel()
	// newXPolicy would be the policy of newX and the builder of XPolicy, readXPolicy the policy of readX and the reader of XPolicy
	pkg, list := resolveTest(t, clashing(nil, []string{"newX", "XPolicy", "http", "type", "readX", "X"}))
	wantDiags(t, list)
	checkPackage(t, pkg)
	fields := map[string]string{}
	for i := range pkg.Client.Operations {
		fields[pkg.Client.Operations[i].GoName] = pkg.Client.Operations[i].Field
	}
	want := map[string]string{"GetAll": "getAll", "NewX": "newXOp", "XPolicy": "xPolicy", "HTTP": "httpOp", "Type": "typeOp", "ReadX": "readXOp", "X": "x"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStreamTwinYields(t *testing.T) {
	t.Parallel()
	both := get("chat", ref("Pet"))
	bind, _ := both.Bind.(*model.HTTPBinding)
	bind.Responses[0].Contents = append(bind.Responses[0].Contents, content("text/event-stream", ref("Event")))
	pkg, list := resolveTest(t, &model.API{Types: []model.TypeDecl{pet, event}, Operations: []model.Operation{both, get("chatStream", ref("Pet"))}})
	wantDiags(t, list)
	checkPackage(t, pkg)
	var names []string
	for i := range pkg.Client.Operations {
		names = append(names, pkg.Client.Operations[i].GoName)
	}
	if diff := cmp.Diff([]string{"Chat", "ChatItems", "ChatStream"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Very many twins cost no more than few, each: trying every number for every twin would take minutes here.
func TestManyTwins(t *testing.T) {
	t.Parallel()
	const n = 200_000
	tier := make([]wish, n)
	for i := range tier {
		tier[i] = wish{id: fmt.Sprint(i), text: "a", names: []string{"A"}}
	}
	got := newScope(nil).allot(tier, nil)
	slices.Sort(got)
	if all := len(slices.Compact(got)); all != n {
		t.Errorf("%d names are unique, want %d", all, n)
	}
}

// FuzzNames gives names of arbitrary text to everything that has a name: the result is unique and valid, the same in a second
// run and with everything the other way round, and operations rename no component.
func FuzzNames(f *testing.F) {
	f.Add("foo\nFoo\nfoo_bar\nfoo-bar\nClient\nWithX\ntype\n../../x\n\n\u65e5\u672c\n+1")
	f.Add("a\x00b\n\u202e\n\xff\xfe\nlen\nnil\nA2\nA\na\n_a\nA_2")
	f.Add("newX\nXPolicy\nhttp\nBody\nbody\nExtra\nMarshalJSON\nWithXModel\nWithX2")
	f.Fuzz(func(t *testing.T, text string) {
		const longest, most = 1000, 30 // every line stands in a hundred places
		lines := strings.Split(text[:min(longest, len(text))], "\n")
		lines = lines[:min(most, len(lines))]
		slices.Sort(lines)
		lines = slices.DeleteFunc(slices.Compact(lines), func(line string) bool { return line == "" || line == "Everything" }) // the loader's own
		if len(lines) == 0 {
			return
		}
		api := everythingNamed(lines)
		pkg, _ := resolveTest(t, api)
		checkPackage(t, pkg)
		again, _ := resolveTest(t, everythingNamed(lines))
		if diff := cmp.Diff(typesText(pkg), typesText(again)); diff != "" {
			t.Errorf("a second run differs: %s", diff)
		}
		components := func(p *Package) map[string]string {
			all := namesOf(p)
			for id := range all {
				if !strings.HasPrefix(id, "#/components") {
					delete(all, id)
				}
			}
			return all
		}
		alone, _ := resolveTest(t, clashing(lines, nil))
		backwards := slices.Clone(lines)
		slices.Reverse(backwards)
		other, _ := resolveTest(t, clashing(backwards, backwards))
		if diff := cmp.Diff(components(alone), components(other)); diff != "" {
			t.Errorf("the order or the operations count (-alone +other): %s", diff)
		}
	})
}

// everythingNamed is an API in which each text names a component, a field, a value, a variant, an operation and a parameter.
func everythingNamed(lines []string) *model.API {
	var fields []model.Field
	var values []model.EnumValue
	var variants []model.Variant
	var params []model.Param
	var types []model.TypeDecl
	for i, line := range lines {
		fields = append(fields, optional(line, ref(line)))
		values = append(values, model.EnumValue{Text: line})
		variants = append(variants, model.Variant{Hint: line, Type: ref(line), Tags: []string{line}})
		params = append(params, query(line, prim(model.String)), model.Param{Name: line, In: model.InHeader, Elem: of(ref(line))})
		types = append(types, schema(line, object(required(line, prim(model.Int)))))
		types = append(types, inlineType(fmt.Sprint("#/inline/", i), []string{string(schemaID(line)), line}, model.Enum{Base: model.String, Values: values}))
		fields = append(fields, optional(line+" inline", model.Ref{ID: model.TypeID(fmt.Sprint("#/inline/", i))}))
	}
	all := model.Object{Additional: &model.Elem{Type: model.Any{}}}
	seen := map[string]bool{}
	for _, f := range fields {
		if !seen[f.Name] {
			seen[f.Name] = true
			all.Fields = append(all.Fields, f)
		}
	}
	types = append(types, inlineType("#/all", []string{"all"}, all), inlineType("#/union", []string{"union"}, model.Union{
		Variants: variants, Discriminator: &model.Discriminator{Field: lines[0]},
	}))
	api := &model.API{Title: strings.Join(lines, "\n"), Doc: strings.Join(lines, "\n"), Source: "spec.yaml", Types: types}
	for i, line := range lines {
		op := get(line, model.Ref{ID: "#/all"}, params...)
		op.Summary, op.Doc = line, strings.Join(lines, "\n\n")
		bind, _ := op.Bind.(*model.HTTPBinding)
		bind.Body = &model.Body{Contents: jsonOf(model.Ref{ID: "#/union"})}
		if i%2 == 0 {
			bind.Responses = append(bind.Responses, answers("201", content("text/plain", prim(model.String)), content("text/event-stream", ref(line))))
		}
		api.Operations = append(api.Operations, op)
		api.Schemes = append(api.Schemes, model.Scheme{Name: line, Kind: model.Bearer})
	}
	return api
}
