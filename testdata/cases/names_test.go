package cases_test

import (
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cases.test/c070"
	"cases.test/c071"
	"cases.test/c073"
	"cases.test/c074"
	"cases.test/c076"
	"cases.test/c077"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestC070_SchemasKeepTheNamesOfTypesOfOperations(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c070.New)

	s.says(200, "application/json", `{"berth_id":"b1","state":"paid","size":"large"}`)
	var got *c070.BookBerthResponse
	got, err := c.BookBerth(t.Context(), &c070.BookBerthRequest2{Trial: wire.Some(c070.BookBerthParams(true)), Body: c070.BookBerthRequest{Ship: "s"}})
	must(t, err)
	same(t, "berth_id", got.BerthID, "b1")
	same(t, "state", got.State.Or(""), c070.BookBerthResponseStatePaid)
	same(t, "size", got.Size.Or(""), c070.BookBerthResponseSize2Large)
	r := s.one(t)
	same(t, "request", r.method+" "+r.target+" "+string(r.body), `POST /berths?trial=true {"ship":"s"}`)

	s.says(409, "application/json", `{"reason":"full"}`)
	_, err = c.BookBerth(t.Context(), &c070.BookBerthRequest2{})
	var failed *wire.PayloadError[c070.BookBerthError]
	if !errors.As(err, &failed) {
		t.Fatalf("got %v", err)
	}
	same(t, "reason", failed.Payload.Reason.Or(""), "full")

	s.says(201, "application/json", `{"name":"n"}`)
	moved, err := c.MoveBerth(t.Context(), &c070.MoveBerthParams{ID: "7", Body: c070.MoveBerthRequestBody{Pier: "p", Mode: wire.Some(c070.MoveBerthRequestModeTow)}})
	must(t, err)
	if created, ok := moved.(c070.MoveBerthCreatedResponse); !ok || created.Body.Name.Or("") != "n" {
		t.Errorf("got %#v", moved)
	}
	s.says(200, "application/json", `{"at":"pier"}`)
	moved = must1[c070.MoveBerthResult](t)(c.MoveBerth(t.Context(), &c070.MoveBerthParams{ID: "7"}))
	if ok, is := moved.(c070.MoveBerthOKResponse); !is || ok.Body != (c070.MoveBerthOK{At: wire.Some("pier")}) {
		t.Errorf("got %#v", moved)
	}
	s.says(200, "application/json", `{"name":"me"}`)
	who, err := c.Client(t.Context())
	must(t, err)
	same(t, "name", who.Name, "me")
}

func TestC071_OneNameForEveryKindOfComponent(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c071.New, runtime.WithCredential("Crate", "secret"))
	s.says(200, "application/json", `{"kilos":9}`)
	got, err := c.Crate(t.Context(), &c071.CrateRequest{
		Crate: "p", CrateQuery: &c071.Crate{Kilos: wire.Some[int64](5)}, CrateHeader: wire.Some[int64](6), CrateCookie: wire.Some(false),
		Body: c071.Crate{Kilos: wire.Some[int64](8)},
	})
	must(t, err)
	same(t, "kilos", got.Kilos.Or(0), 9)
	r := s.one(t)
	same(t, "request", r.target+" "+string(r.body), `/crates/p?kilos=5 {"kilos":8}`)
	same(t, "header", r.header["Crate"], []string{"6"})
	same(t, "cookie", r.header.Get("Cookie"), "Crate=false")
	same(t, "key", r.header.Get("X-Crate-Key"), "secret")
	for _, status := range []int{404, 410} {
		s.says(status, "application/json", `{"why":"so"}`)
		_, err := c.Crate(t.Context(), &c071.CrateRequest{Crate: "p"})
		var failed *wire.PayloadError[c071.Fault]
		if !errors.As(err, &failed) || failed.Payload.Why.Or("") != "so" {
			t.Errorf("%d: got %v", status, err)
		}
	}
}

func TestC073_EachValueOfPunctuationHasItsConstant(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c073.New)
	all := []c073.Cmp{
		c073.CmpTilde, c073.CmpTildeEqual, c073.CmpLess, c073.CmpLessEqual, c073.CmpLessGreater, c073.CmpEqual, c073.CmpEqualEqual,
		c073.CmpEqualEqualEqual, c073.CmpBang, c073.CmpBangEqual, c073.CmpGreaterEqual, c073.CmpGreater, c073.CmpPlus, c073.CmpDash,
		c073.CmpDashDash, c073.CmpSlash, c073.CmpSlashSlash, c073.CmpDot, c073.CmpDotDot, c073.CmpEmpty, c073.CmpSpace, c073.CmpSpaceSpace,
		c073.CmpUnderscore, c073.CmpUnderscoreUnderscore, c073.CmpDollarIn, c073.CmpIn, c073.CmpHashIn, c073.CmpAnd, c073.CmpAndAnd,
		c073.CmpPipe, c073.CmpBackslash, c073.CmpQuote, c073.CmpApostrophe, c073.CmpBackquote, c073.CmpU9, c073.CmpUA, c073.CmpPercent,
		c073.CmpCaret, c073.CmpOpenParen, c073.CmpCloseParen, c073.CmpOpenBracketCloseBracket, c073.CmpOpenBraceCloseBrace,
		c073.CmpQuestion, c073.CmpColon, c073.CmpSemicolon, c073.CmpComma, c073.CmpStar, c073.CmpStarStar,
	}
	want := []string{
		"~", "~=", "<", "<=", "<>", "=", "==", "===", "!", "!=", ">=", ">", "+", "-", "--", "/", "//", ".", "..", "", " ", "  ", "_", "__",
		"$in", "in", "#in", "&", "&&", "|", `\`, `"`, "'", "`", "\t", "\n", "%", "^", "(", ")", "[]", "{}", "?", ":", ";", ",", "*", "**",
	}
	for i, v := range all {
		if string(v) != want[i] {
			t.Errorf("constant %d is %q, want %q", i, v, want[i])
		}
		must(t, c.Find(t.Context(), &c073.FindRequest{Cmp: wire.Some(v), Zone: wire.Some(c073.ZoneEtcGMTPlus0), Many: []c073.Cmp{v, c073.CmpAnd}}))
		query := s.one(t).query(t)
		same(t, "cmp", query["cmp"], []string{want[i]})
		same(t, "zone", query["zone"], []string{"Etc/GMT+0"})
		same(t, "many", query["many"], []string{want[i], "&"})
	}
	must(t, c.Keep(t.Context(), all))
	same(t, "body", read[[]string](t, string(s.one(t).body)), want)
}

// query is the query of a request, by the rules of forms.
func (r request) query(t *testing.T) url.Values {
	t.Helper()
	_, raw, _ := strings.Cut(r.target, "?")
	values, err := url.ParseQuery(raw)
	must(t, err)
	return values
}

func TestC074_EnumsKeepTheirKind(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c074.New)
	s.echoes()
	want := `{"bits":"8bit","family":"04","state":"BuSy","word":"null","level":-7,"big":9007199254740993,"wide":18446744073709551615,` +
		`"ratio":-0.25,"flag":false,"ident":"0d1f7c1e-7f0b-4d6f-8a52-b8f7a7c0f001","day":"2024-02-29","maybe":null,"mixed":1,"none":null}`
	got, err := c.Build(t.Context(), &c074.BuildRequest{Body: &c074.Build{
		Bits: wire.Some(c074.BuildBits8bit), Family: wire.Some(c074.BuildFamily04), State: wire.Some(c074.BuildStateBuSy),
		Word: wire.Some(c074.BuildWordNull), Level: wire.Some(c074.BuildLevelMinus7), Big: wire.Some(c074.BuildBig9007199254740993),
		Wide: wire.Some[uint64](18446744073709551615), Ratio: wire.Some(c074.BuildRatioMinus0Point25), Flag: wire.Some(c074.BuildFlagFalse),
		Ident: wire.Some(c074.BuildIdent0d1f7c1e7f0b4d6f8a52B8f7a7c0f001), Day: wire.Some(c074.BuildDay20240229),
		Maybe: wire.SomeNull[c074.BuildMaybe](), Mixed: c074.BuildMixedOfNumber(1), None: wire.SomeNull[c074.BuildNone](),
	}})
	must(t, err)
	same(t, "body", string(s.one(t).body), want)
	same(t, "echo", text(t, got), want)
	for _, body := range []string{
		`{"state":"busy","level":0,"big":-9223372036854775808,"ratio":1e+21,"mixed":"auto"}`, `{"mixed":2.5}`, `{"mixed":false,"maybe":"off"}`,
		`{"bits":"future","level":99,"ratio":0.125,"flag":true,"mixed":"other"}`,
	} {
		sameJSON(t, "again", text(t, read[c074.Build](t, body)), body)
	}
	if read[c074.Build](t, `{"bits":"future"}`).Bits.Or("").Known() {
		t.Error("a value that the document does not list is known")
	}
	states := []c074.BuildState{
		c074.BuildStateBusy, c074.BuildStateBusyLower, c074.BuildStateBUSY, c074.BuildStateBusyUnderscore, c074.BuildStateBüsy, c074.BuildStateBuSy,
	}
	same(t, "states", states, []c074.BuildState{"Busy", "busy", "BUSY", "Busy_", "büsy", "BuSy"})
	s.says(200, "application/json", `{}`)
	must1[*c074.Build](t)(c.Build(t.Context(), &c074.BuildRequest{Level: wire.Some(c074.BuildLevelBodyMinus7)}))
	r := s.one(t)
	same(t, "query", r.target, "/build?level=-7")
	same(t, "no body", len(r.body), 0)
}

// ownNames is a JSON object in which each property of v's type is set to its own name, and those names. v points to a struct.
func ownNames(t *testing.T, v any) (object string, keys []string) {
	t.Helper()
	typ := reflect.TypeOf(v).Elem()
	values := map[string]string{}
	for i := range typ.NumField() {
		if typ.Field(i).Type == reflect.TypeFor[wire.Opt[string]]() {
			reflect.ValueOf(v).Elem().Field(i).Set(reflect.ValueOf(wire.Some(typ.Field(i).Name)))
		}
	}
	for key := range read[map[string]string](t, text(t, v)) {
		keys = append(keys, key)
		values[key] = key
	}
	return text(t, values), keys
}

func TestC076_PropertiesOfAnyNameAreKept(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c076.New)
	s.echoes()
	object, keys := ownNames(t, &c076.Machine{})
	want := []string{
		"disk-size", "disk_size", "diskSize", "DiskSize", "disksize", "disk.size", "disk size", "label", "Label", "LABEL", "k", "\u212A", "\u017F",
		"s", "b", "B", "@id", "id", "_id", "$id", "-", "--", "x,y", "x,omitempty", ",string", `say "so"`, "back`tick", `back\slash`,
		"line\nbreak", "tab\tbed", "<html>&", "", " ", "2nd", "+2", "-2", "String", "Error", "MarshalJSON", "UnmarshalJSON", "IsZero", "Union",
		"Exact", "additionalProperties", "AdditionalProperties", "json", `json:"x"`, "😀",
	}
	slices.Sort(keys)
	slices.Sort(want)
	same(t, "keys", keys, want)
	machine := read[c076.Machine](t, object)
	got, err := c.PutMachine(t.Context(), &machine)
	must(t, err)
	sameJSON(t, "sent", string(s.one(t).body), object)
	sameJSON(t, "echo", text(t, got), object)
	for _, key := range want {
		alone := text(t, map[string]string{key: "v"})
		sameJSON(t, "alone", text(t, read[c076.Machine](t, alone)), alone)
	}
	for _, body := range []string{`{"label":"l"}`, `{"LABEL":"L"}`, `{"Label":"x","label":"y"}`, `{"k":"1"}`, `{"\u212A":"2"}`, `{"\u017F":"3"}`} {
		sameJSON(t, "no folding", text(t, read[c076.Machine](t, body)), body)
	}
	if m := read[c076.Machine](t, `{"lAbEl":"l","K":"k","DISKSIZE":"d","ID":"i"}`); has(m.Label) || has(m.LabelLower) || has(m.LABEL) || has(m.Disksize) || has(m.ID) {
		t.Errorf("a key that the document does not have sets a field: %s", text(t, m))
	}
}

func TestC076_PropertiesBesideOthersAreKept(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c076.New)
	s.echoes()
	object := `{"":"e","-":"d","Extra":"x","Name":"N","a,b":"c","additionalProperties":"p","name":"n","NAME":"more","a":"more"}`
	v := read[c076.Open](t, object)
	same(t, "others", v.ExtraFields, map[string]string{"NAME": "more", "a": "more"})
	got, err := c.PutOpen(t.Context(), &v)
	must(t, err)
	sameJSON(t, "sent", string(s.one(t).body), object)
	sameJSON(t, "echo", text(t, got), object)
}

func TestC077_NamesBeyondASCIIReachTheWire(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c077.New)
	body := `{"市場":{"a":"1"},"рынок":{"b":"2"},"🍎":{"c":"3"},"🍏":"4","maß":"groß","été":"5","e\u0301te":"6","e\u0301t\u00e9":"7","عربى":"8",` +
		`"हिन्दी":"9","ไทย":"10"}`
	s.says(200, "application/json", body)
	got, err := c.ZeigeMärkte(t.Context(), &c077.ZeigeMärkteRequest{
		Straße: "groß/straße", Param数量: wire.Some[int64](1), Вес: wire.Some[int64](2), U1F34F: wire.Some("ä&b"),
	})
	must(t, err)
	same(t, "target", s.one(t).target,
		"/m%C3%A4rkte/gro%C3%9F%2Fstra%C3%9Fe?%E6%95%B0%E9%87%8F=1&%D0%B2%D0%B5%D1%81=2&%F0%9F%8D%8F=%C3%A4%26b")
	sameJSON(t, "again", text(t, got), body)
	same(t, "three types", []string{got.Field市場.A.Or(""), got.Рынок.B.Or(""), got.U1F34E.C.Or("")}, []string{"1", "2", "3"})
	same(t, "enum", got.Maß.Or(""), c077.ZeigeMärkteResponseMaßGroß)

	s.does(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for _, call := range []struct {
		of   func() error
		want string
	}{
		{func() error { return c.Op市一覧(t.Context()) }, "GET /%E5%B8%82"},
		{func() error { return c.Op市二覧(t.Context()) }, "GET /%E5%B8%82%E4%BA%8C"},
		{func() error { return c.U1F642(t.Context()) }, "GET /%D0%BF%D1%83%D1%81%D1%82%D0%BE"},
		{func() error { return c.U1F643(t.Context()) }, "POST /%D0%BF%D1%83%D1%81%D1%82%D0%BE"},
	} {
		must(t, call.of())
		r := s.one(t)
		same(t, "request", r.method+" "+r.target, call.want)
	}
}
