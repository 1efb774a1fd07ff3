package cases_test

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"cases.test/c091"
	"cases.test/c092"
	"cases.test/c094"
	"cases.test/c095"
	"cases.test/c097"

	"github.com/resgen-go/resgen/runtime/wire"
)

func TestC091_AValueInAPathIsOneSegment(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c091.New)
	var decoded string
	s.does(func(w http.ResponseWriter, r *http.Request) {
		decoded = r.URL.Path
		w.WriteHeader(http.StatusNoContent)
	})
	const odd = "a/b?c#d%e f"
	must(t, c.DocRev(t.Context(), &c091.DocRevRequest{Name: odd, Rev: 3}))
	same(t, "target", s.one(t).target, "/docs/a%2Fb%3Fc%23d%25e%20f/rev/3")
	same(t, "decoded", decoded, "/docs/"+odd+"/rev/3")
	for _, tt := range []struct {
		call func() error
		want string
	}{
		{func() error { return c.Entity(t.Context(), &c091.EntityRequest{Key: "it's"}) }, "/entity('it%27s')"},
		{func() error { return c.Purge(t.Context(), &c091.PurgeRequest{Team: "t:x"}) }, "/teams/t%3Ax:purge"},
		{func() error { return c.Export(t.Context(), &c091.ExportRequest{Base: "a.b", Ext: "json"}) }, "/export/a.b.json"},
		{func() error { return c.Several(t.Context(), &c091.SeveralRequest{IDs: []string{"1,2", "ü", "/"}}) }, "/several/1%2C2,%C3%BC,%2F"},
		{func() error { return c.Literal(t.Context(), &c091.LiteralRequest{X: "+"}) }, "/c%20d/%7Btilde%7D/%2B/"},
		{func() error { return c.Quoted(t.Context(), &c091.QuotedRequest{X: `"`}) }, "/%22quoted%22/%60tick%60/%22.json"},
		{func() error { return c.Styled(t.Context(), &c091.StyledRequest{M: "a;b", L: "c.d"}) }, "/matrix/;m=a%3Bb/.c.d"},
		{func() error { return c.DocRev(t.Context(), &c091.DocRevRequest{Name: "日本\x00\n", Rev: -1}) }, "/docs/%E6%97%A5%E6%9C%AC%00%0A/rev/-1"},
	} {
		must(t, tt.call())
		got, err := url.PathUnescape(s.one(t).target)
		must(t, err)
		want, err := url.PathUnescape(tt.want)
		must(t, err)
		same(t, "path", got, want)
	}
	for _, dots := range []string{".", "..", "%2e%2e", "../x", "...", "..;"} {
		err := c.DocRev(t.Context(), &c091.DocRevRequest{Name: dots, Rev: 1})
		if err != nil {
			s.none(t)
			says(t, err, `"name"`)
			continue
		}
		s.one(t)
		same(t, "the path of a value of dots", decoded, "/docs/"+dots+"/rev/1")
	}
	for _, call := range []func() error{
		func() error { return c.DocRev(t.Context(), &c091.DocRevRequest{Rev: 1}) },
		func() error { return c.Entity(t.Context(), &c091.EntityRequest{}) },
		func() error { return c.Several(t.Context(), &c091.SeveralRequest{}) },
		func() error { return c.Several(t.Context(), &c091.SeveralRequest{IDs: []string{""}}) },
	} {
		if err := call(); err == nil {
			t.Error("an empty value is sent")
		}
	}
	s.none(t)
}

func TestC092_WordsOfGoAreNamesOnTheWire(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c092.New)
	req := c092.FuncRequest{Len: 5}
	v := reflect.ValueOf(&req).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.String {
			v.Field(i).SetString(v.Type().Field(i).Name)
		}
	}
	must(t, c.Func(t.Context(), &req))
	r := s.one(t)
	path, _, _ := strings.Cut(r.target, "?")
	same(t, "path", path, "/words/Type/Path/5")
	query := r.query(t)
	same(t, "one parameter a field", len(query), v.NumField()-3)
	for name, field := range map[string]string{
		"type": req.TypeQuery, "path": req.PathQuery, "len": req.LenQuery, "func": req.Func, "r": req.R, "ctx": req.Ctx, "req": req.Req, "c": req.C,
		"url": req.URL, "wire": req.Wire, "runtime": req.Runtime, "nil": req.Nil, "error": req.Error, "string": req.String, "t": req.T, "ok": req.Ok,
		"body": req.BodyLower, "Body": req.BodyParam, "call": req.Call, "at": req.At, "uintptr": req.Uintptr, "init": req.Init, "main": req.Main,
		"http": req.HTTP, "json": req.JSON, "client": req.ClientLower, "Client": req.Client, "request": req.RequestLower, "Request": req.Request,
	} {
		same(t, name, query[name], []string{field})
	}
	must(t, c.Type(t.Context(), &c092.TypeRequest{
		Type: wire.Some("t"), Func: wire.Some("f"), Range: wire.Some[int64](1), Interface: &c092.TypeRequestInterface{Map: wire.Some("m")},
	}))
	same(t, "body", string(s.one(t).body), `{"type":"t","func":"f","range":1,"interface":{"map":"m"}}`)
	for _, tt := range []struct {
		call func() error
		want string
	}{
		{func() error { return c.Init(t.Context()) }, "DELETE"},
		{func() error { return c.CloseIdleConnectionsOp(t.Context()) }, "PUT"},
		{func() error { return c.New(t.Context()) }, "PATCH"},
		{func() error { return c.Main(t.Context()) }, "HEAD"},
	} {
		must(t, tt.call())
		r := s.one(t)
		same(t, "request", r.method+" "+r.target, tt.want+" /words")
	}
	c.CloseIdleConnections()
}

func TestC094_AnOperationsParameterStandsForThePaths(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c094.New)
	get := c094.GetBookRequest{BookID: 7, XTenant: "a"}
	must(t, c.GetBook(t.Context(), &get))
	r := s.one(t)
	same(t, "get", r.target+" "+r.header.Get("X-Tenant"), "/books/7 a")
	get.Full = wire.Some(c094.GetBookFullHigh)
	must(t, c.GetBook(t.Context(), &get))
	same(t, "get", s.one(t).target, "/books/7?full=high")

	must(t, c.DeleteBook(t.Context(), &c094.DeleteBookRequest{BookID: "x y", XTenant: "b", Full: false}))
	r = s.one(t)
	same(t, "delete", r.target+" "+r.header.Get("X-Tenant"), "/books/x%20y?full=false b")

	must(t, c.PutBook(t.Context(), &c094.PutBookRequest{BookID: "p", BookIDHeader: wire.Some("h"), Full: true, XTenant: 5}))
	r = s.one(t)
	same(t, "put", r.target+" "+r.header.Get("BookId"), "/books/p?full=true h")
	same(t, "a header's name has no case", r.header["X-Tenant"], []string{"5"})
}

func TestC095_NamesOfParametersReachTheWireAsTheyAre(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c095.New)
	must(t, c.List(t.Context(), &c095.ListRequest{
		Top: wire.Some(true), Where: wire.Some("a eq 'b'"), WhereName: wire.Some("1"), WhereNameGt: wire.Some("2"), Keys: []int64{3, 4},
		OrderBy: wire.Some("5"), CDashD: wire.Some("6"), CUnderscoreD: wire.Some("7"), CDLower: wire.Some("8"), CD: wire.Some("9"),
		Param4k: wire.Some("10"), AB: wire.Some("11"), MNO: wire.Some("12"), On: wire.Some("13"), Param100: wire.Some("14"), Tag: wire.Some("15"),
		Plus: wire.Some("16"), QuoTe: wire.Some("17"), XRowLimit: wire.Some[int64](18), XRowLimit2: wire.Some[int64](19),
		XUnderscoreRowDotLimit: wire.Some[int64](20), VisitID: wire.Some("21"), VisitDotId: wire.Some("22"),
	}))
	r := s.one(t)
	same(t, "query", r.query(t), url.Values{
		"$top": {"true"}, "$where": {"a eq 'b'"}, "where[name]": {"1"}, "where[name][gt]": {"2"}, "keys[]": {"3", "4"}, "order.by": {"5"},
		"c-d": {"6"}, "c_d": {"7"}, "cD": {"8"}, "CD": {"9"}, "4k": {"10"}, "a b": {"11"}, "m&n=o": {"12"}, "@on": {"13"}, "100%": {"14"},
		"#tag": {"15"}, "+": {"16"}, `quo"te`: {"17"},
	})
	same(t, "headers", []string{r.header.Get("X-Row-Limit"), r.header.Get("x-row-limit-2"), r.header.Get("x_row.limit")}, []string{"18", "19", "20"})
	same(t, "cookies", r.header.Get("Cookie"), "visit-id=21; visit.id=22")
}

func TestC097_ObjectsAsParameters(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c097.New)
	pair := &c097.Pair{A: wire.Some[int64](1), B: wire.Some("x y&")}
	query := func(req c097.ObjectsRequest) string {
		t.Helper()
		must(t, c.Objects(t.Context(), &req))
		_, raw, _ := strings.Cut(s.one(t).target, "?")
		text, err := url.PathUnescape(strings.ReplaceAll(raw, "%26", "<and>"))
		must(t, err)
		return text
	}
	for _, tt := range []struct {
		name string
		req  c097.ObjectsRequest
		want string
	}{
		{"deepObject", c097.ObjectsRequest{Deep: pair}, "deep[a]=1&deep[b]=x y<and>"},
		{"form, exploded", c097.ObjectsRequest{Form: &c097.ObjectsForm{A2: wire.Some[int64](1), B2: wire.Some("x")}}, "a2=1&b2=x"},
		{"form", c097.ObjectsRequest{Flat: &c097.ObjectsFlat{A3: wire.Some[int64](1), B3: wire.Some("x")}}, "flat=a3,1,b3,x"},
		{"a map", c097.ObjectsRequest{More: map[string]string{"z": "1", "a": "2", "k l": "3"}}, "a=2&k l=3&z=1"},
		{
			"nested", c097.ObjectsRequest{Nest: &c097.ObjectsNest{O: &c097.ObjectsNestO{K: wire.Some("v")}, L: []string{"1", "2"}}},
			"nest[o][k]=v&nest[l][0]=1&nest[l][1]=2",
		},
		{"JSON", c097.ObjectsRequest{JSON: &c097.ObjectsJSON{K: wire.Some("v&w"), N: []int64{1, 2}}}, `json={"k":"v<and>w","n":[1,2]}`},
		{"a map of lists", c097.ObjectsRequest{Free: map[string][]int64{"b": {1}, "a": {2, 3}}}, "free[a][0]=2&free[a][1]=3&free[b][0]=1"},
		{"nothing", c097.ObjectsRequest{Deep: &c097.Pair{}, Nest: &c097.ObjectsNest{}}, ""},
	} {
		if got := query(tt.req); got != tt.want || strings.Contains(got, "map[") {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
	must(t, c.Objects(t.Context(), &c097.ObjectsRequest{XPair: pair, XJSON: pair, Pair: &c097.Pair{A: wire.Some[int64](2)}}))
	r := s.one(t)
	same(t, "header", r.header.Get("X-Pair"), "a,1,b,x y&")
	sameJSON(t, "header of JSON", r.header.Get("X-JSON"), `{"a":1,"b":"x y&"}`)
	same(t, "cookie", r.header.Get("Cookie"), "pair=a,2")
	must(t, c.Object(t.Context(), &c097.ObjectRequest{Pair: *pair}))
	same(t, "path", s.one(t).target, "/objects/a,1,b,x%20y%26")
}
