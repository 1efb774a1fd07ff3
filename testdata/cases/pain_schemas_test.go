package cases_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strings"
	"testing"
	"time"

	"cases.test/variants"

	"github.com/resgen-go/resgen/runtime/wire"
)

// talk is a client of the document of variants whose server answers with what it is sent.
func talk(t *testing.T) (*stand, *variants.Client) {
	t.Helper()
	s := newStand(t)
	s.echoes()
	return s, dial(t, s, variants.New)
}

// throughChat sends a message, and fails the test unless the same JSON is on the wire and comes back.
func throughChat(t *testing.T, body string) *variants.Message {
	t.Helper()
	s, c := talk(t)
	got, err := c.Chat(t.Context(), new(read[variants.Message](t, body)))
	must(t, err)
	sameJSON(t, "sent", string(s.one(t).body), body)
	sameJSON(t, "echo", text(t, got), body)
	return got
}

// throughShapes is throughChat for shapes.
func throughShapes(t *testing.T, body string) *variants.Shapes {
	t.Helper()
	s, c := talk(t)
	got, err := c.Shapes(t.Context(), new(read[variants.Shapes](t, body)))
	must(t, err)
	sameJSON(t, "sent", string(s.one(t).body), body)
	sameJSON(t, "echo", text(t, got), body)
	return got
}

func TestPain10_NullIsTakenOutOfUnions(t *testing.T) {
	t.Parallel()
	_, isText := throughChat(t, `{"role":"user","content":null}`).Content.AsString()
	same(t, "null is no text", isText, false)
	plain, isString := throughChat(t, `{"role":"user","content":"hi"}`).Content.AsString()
	same(t, "a text", []any{plain, isString}, []any{"hi", true})
	list, isList := throughChat(t, `{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","url":"b"}]}`).
		Content.AsPieceList()
	image, isImage := list[1].AsImage()
	same(t, "a list", []any{isList, isImage, image.URL.Or("")}, []any{true, true, "b"})
	throughChat(t, `{"role":"user"}`)
}

func TestPain11_NullIsNoValueOfAnEnum(t *testing.T) {
	t.Parallel()
	throughChat(t, `{"role":"user","colour":null,"colours":["red",null,"future"]}`)
	same(t, "known", variants.MessageColour("").Known(), false)
	source := types(t)
	for _, wrong := range []string{"<nil>", `"null"`} {
		if strings.Contains(source, wrong) {
			t.Errorf("%s is in the code", wrong)
		}
	}
}

// types is the text of the generated types.
func types(t *testing.T) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../variants/types.gen.go", nil, parser.ParseComments)
	must(t, err)
	var b strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			b.WriteString(n.Value + "\n")
		case *ast.Comment:
			b.WriteString(n.Text + "\n")
		}
		return true
	})
	return b.String()
}

func TestPain12_ConstraintsAreNoUnion(t *testing.T) {
	t.Parallel()
	// a struct literal: it compiles only if the schema is a struct
	same(t, "no nulls", text(t, variants.Contact{Mail: wire.Some("a@b")}), `{"mail":"a@b"}`)
	throughShapes(t, `{"contact":{"phone":"1","note":null}}`)
	throughShapes(t, `{"contact":{}}`)
}

func TestPain13_InlineUnionsOfRequestsHaveACodec(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, variants.New)
	for _, tt := range []struct {
		req  variants.InlineRequest
		want string
	}{
		{variants.InlineRequestOfVariant1(variants.InlineRequestVariant1{Text: "t"}), `{"text":"t"}`},
		{variants.InlineRequestOfVariant2(variants.InlineRequestVariant2{Link: "l"}), `{"link":"l"}`},
		{variants.InlineRequestOfStringList([]string{"a"}), `["a"]`},
	} {
		must(t, c.Inline(t.Context(), tt.req))
		same(t, "body", string(s.one(t).body), tt.want)
	}
	if err := c.Inline(t.Context(), variants.InlineRequest{}); err == nil {
		t.Error("a body that is required is not sent, and that is no error")
	}
	says(t, c.Inline(t.Context(), variants.InlineRequest{Union: wire.UnionOf(math.NaN())}), "NaN")
	s.none(t)
}

func TestPain14_OtherPropertiesBesideUnionsAndAllOf(t *testing.T) {
	t.Parallel()
	got := throughShapes(t, `{"labels":{"name":"n","a":"x","b":9007199254740993},"both":{"name":"m","rank":1,"c":5}}`)
	number, isInt := got.Labels.Extra["b"].AsInt()
	same(t, "other properties", []any{len(got.Labels.Extra), number, isInt, len(got.Both.Extra)}, []any{2, int64(9007199254740993), true, 1})
	made := variants.Labels{Name: wire.Some("n"), Extra: map[string]variants.LabelsValue{"z": variants.LabelsValueOfString("s")}}
	same(t, "made", text(t, made), `{"name":"n","z":"s"}`)
	made.Extra["name"] = variants.LabelsValueOfInt(1)
	_, err := json.Marshal(made)
	says(t, err, `"name"`)
}

func TestPain15_SchemasThatContainThemselves(t *testing.T) {
	t.Parallel()
	throughShapes(t, `{"tree":{"name":"a","parent":{"name":"b","kids":["leaf",{"name":"c","up":{"name":"d"}}]},"kids":[]}}`)
	throughShapes(t, `{"filter":{"and":[{"not":"a"},{"and":[]},"b",{"not":{"not":"c"}}]}}`)
	filter, ok := throughShapes(t, `{"filter":{"not":{"and":["x"]}}}`).Filter.AsVariant2()
	inner, isAnd := filter.Not.AsVariant1()
	same(t, "filter", []any{ok, isAnd, len(inner.And)}, []any{true, true, 1})
}

func TestPain29_WhatStandsBesideAReferenceCounts(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../variants/types.gen.go", nil, parser.ParseComments)
	must(t, err)
	doc := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && len(f.Names) == 1 && f.Names[0].Name == "Old" {
			doc = f.Doc.Text()
		}
		return true
	})
	for _, want := range []string{"an older piece", "Deprecated:"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the comment is %q, without %q", doc, want)
		}
	}
	throughChat(t, `{"role":"tool","old":{"type":"text"}}`)
}

func TestPain35_KindsTellVariantsApart(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]bool{`true`: {true, false}, `"true"`: {false, true}, `7`: {false, false}} {
		flag := throughChat(t, `{"role":"user","flag":`+body+`}`).Flag
		_, isBool := flag.AsBool()
		_, isString := flag.AsString()
		same(t, body, []bool{isBool, isString}, want)
	}
	s, c := talk(t)
	must1[*variants.Message](t)(c.Chat(t.Context(), &variants.Message{Flag: variants.MessageFlagOfBool(false), Role: "user"}))
	same(t, "sent", string(s.one(t).body), `{"role":"user","flag":false}`)
}

func TestPain43_NestedAllOfIsOneStruct(t *testing.T) {
	t.Parallel()
	same(t, "made", text(t, variants.Deep{At: wire.Some(time.Unix(0, 0).UTC()), Inner: &variants.Deep{X: wire.SomeNull[int64]()}}),
		`{"at":"1970-01-01T00:00:00Z","inner":{"x":null}}`)
	throughShapes(t, `{"deep":{"inner":{"inner":{"x":0}}}}`)
}

func TestPain46_DocumentsOfJSONAPI(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, variants.New)
	for _, body := range []string{
		`{"data":null}`,
		`{"data":{"type":"articles","id":"1","author":null}}`,
		`{"data":[{"type":"articles","id":"1","author":{"type":"people","id":"9"}},{"type":"future","id":"2"}],"links":{"self":"/a","next":{"href":"/b"},"prev":null}}`,
		`{"errors":[{"title":"no"}]}`,
	} {
		s.says(200, "application/vnd.api+json", body)
		got, err := c.Articles(t.Context())
		must(t, err)
		sameJSON(t, "again", text(t, got), body)
		if list, ok := got.Data.AsResourceList(); ok {
			article, isArticle := list[0].AsArticle()
			author, isThere := article.Author.Get()
			same(t, "resources", []any{isArticle, isThere, author.ID, list[1].Type()}, []any{true, true, "9", "future"})
		}
	}
}

func TestPain57_AValueThatSeveralVariantsAllowIsNoError(t *testing.T) {
	t.Parallel()
	for body, known := range map[string]bool{"small": true, "10px": false, "odd": false} {
		got := throughChat(t, `{"role":"user","size":"`+body+`"}`)
		same(t, body, got.Size.Or("").Known(), known)
	}
}

func TestPain60_NullIsKeptAtEveryLevel(t *testing.T) {
	t.Parallel()
	got := throughChat(t, `{"role":"user","pieces":{"a":null,"b":{"type":"text"}},"colours":[null]}`)
	same(t, "null", []string{text(t, got.Pieces["a"]), text(t, got.Pieces["b"]), text(t, got.Colours[0])}, []string{"null", `{"type":"text"}`, "null"})
}
