package cases_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"cases.test/c080"
	"cases.test/c082"
	"cases.test/c083"
	"cases.test/c085"
	"cases.test/c086"
	"cases.test/c088"

	"github.com/resgen-go/resgen/runtime/wire"
)

func TestC080_TypesOfARingOfFilesAreOneEach(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c080.New)
	body := `{"branches":[{"id":"2","some":{"id":"3","parent":{"id":"4"}}}],"some":{"branches":[]},"leaf":{"of":{"id":"5"},"forest":{}}}`
	s.says(200, "application/json", body)
	// the same types by whichever way they are reached: these lines compile for that alone
	root := c080.Branch{ID: "1"}
	root.Parent, root.Top = &c080.Branch{ID: "0"}, &c080.Branch{ID: "t"}
	root.Some = c080.SomeOfForest(c080.Forest{Branches: []c080.Branch{root}})
	forest, err := c.PutTree(t.Context(), &root)
	must(t, err)
	sameJSON(t, "sent", string(s.one(t).body), `{"id":"1","parent":{"id":"0"},"top":{"id":"t"},"some":{"branches":[{"id":"1","parent":{"id":"0"},"top":{"id":"t"}}]}}`)
	sameJSON(t, "again", text(t, forest), body)
	var branch c080.Branch = forest.Branches[0]
	inner, ok := branch.Some.AsBranch()
	same(t, "inner", []any{ok, inner.ID, inner.Parent.ID}, []any{true, "3", "4"})
	same(t, "leaf", forest.Leaf.Of.ID, "5")
	same(t, "a type of a file of several", text(t, c080.Branch{Twigs: []c080.Twig{{Kind: wire.Some(c080.TwigKindThin)}}}), `{"id":"","twigs":[{"kind":"thin"}]}`)

	s.says(200, "application/json", `[{"colour":"red"}]`)
	leaves, err := c.Leaves(t.Context())
	must(t, err)
	same(t, "leaves", leaves[0].Colour.Or(""), "red")
	same(t, "target", s.one(t).target, "/leaves")
}

func TestC082_VariantsAreToldApartByWhatTheyAre(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c082.New)
	s.says(200, "application/json", `{"id":"x"}`)
	for want, input := range map[string]c082.VectorsRequestInput{
		`{"input":"a"}`:                c082.VectorsRequestInputOfString("a"),
		`{"input":["a","b"]}`:          c082.VectorsRequestInputOfStringList([]string{"a", "b"}),
		`{"input":[1,2]}`:              c082.VectorsRequestInputOfIntList([]int64{1, 2}),
		`{"input":[[1],[2,3]]}`:        c082.VectorsRequestInputOfIntListList([][]int64{{1}, {2, 3}}),
		`{"input":[9007199254740993]}`: c082.VectorsRequestInputOfIntList([]int64{9007199254740993}),
	} {
		must1[c082.VectorsResponse](t)(c.Vectors(t.Context(), &c082.VectorsRequest{Input: input}))
		same(t, "input", string(s.one(t).body), want)
	}
	must1[c082.VectorsResponse](t)(c.Vectors(t.Context(), &c082.VectorsRequest{
		Input: c082.VectorsRequestInputOfString(""), Stop: c082.VectorsRequestStop{Union: wire.UnionOf(nil)}, Limit: c082.VectorsRequestLimitOfBool(false),
	}))
	same(t, "null and false", string(s.one(t).body), `{"input":"","stop":null,"limit":false}`)

	got := func(body string) c082.VectorsResponse {
		t.Helper()
		s.says(200, "application/json", body)
		v, err := c.Vectors(t.Context(), &c082.VectorsRequest{Input: c082.VectorsRequestInputOfString("a")})
		must(t, err)
		s.one(t)
		sameJSON(t, "again", text(t, v), body)
		same(t, "raw", string(v.Raw()), body)
		return v
	}
	isNamed := func(v c082.VectorsResponse) bool { _, ok := v.AsNamed(); return ok }
	isNumbered := func(v c082.VectorsResponse) bool { _, ok := v.AsNumbered(); return ok }
	isThin := func(v c082.VectorsResponse) bool { _, ok := v.AsThin(); return ok }
	isFat := func(v c082.VectorsResponse) bool { _, ok := v.AsFat(); return ok }
	for _, tt := range []struct {
		body string
		want []bool // Named, Numbered, Thin, Fat
	}{
		{`{"id":"x"}`, []bool{true, false, false, false}},
		{`{"id":9007199254740993}`, []bool{false, true, false, false}},
		{`{"a":"1"}`, []bool{false, false, true, false}},
		{`{"a":"1","b":"2"}`, []bool{false, false, true, true}},
		{`{"id":true}`, []bool{false, false, false, false}},
		{`{"z":123456789012345678901234567890,"y":1.10}`, []bool{false, false, false, false}},
		{`"text"`, []bool{false, false, false, false}},
		{`[1,null,{"a":{}}]`, []bool{false, false, false, false}},
	} {
		v := got(tt.body)
		same(t, tt.body, []bool{isNamed(v), isNumbered(v), isThin(v), isFat(v)}, tt.want)
	}
	number, _ := got(`{"id":9007199254740993}`).AsNumbered()
	same(t, "every digit", number.ID, 9007199254740993)
}

func TestC083_AKindOfTheFutureDoesNotBreakTheList(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c083.New)
	body := `[{"via":"Road","lanes":2},{"via":"rail","gauge":"1435"},{"via":"night_rail"},{"via":"x-air"},` +
		`{"via":"teleport","big":123456789012345678901,"deep":{"a":[1,null]}},{"via":"Rail"}]`
	s.says(200, "application/json", body)
	ways, err := c.Ways(t.Context())
	must(t, err)
	same(t, "again", text(t, ways), body)
	which := ""
	for _, w := range ways {
		_, road := w.AsRoad()
		_, rail := w.AsRail()
		_, air := w.AsAir()
		switch {
		case road && !rail && !air:
			which += "road "
		case rail && !road && !air:
			which += "rail "
		case air && !rail && !road:
			which += "air "
		case !road && !rail && !air:
			which += "unknown:" + w.Via() + " "
		default:
			which += "several "
		}
	}
	same(t, "variants", which, "road rail rail air unknown:teleport rail ")
	rail, _ := ways[2].AsRail()
	same(t, "a mapped name is kept", rail.Via, "night_rail")

	s.says(200, "application/json", `[{"via":"Road"},{"lanes":2}]`)
	_, err = c.Ways(t.Context())
	says(t, err, `"via"`)
	var failed *wire.DecodeError
	if !errors.As(err, &failed) {
		t.Errorf("a discriminator that is missing: got %v", err)
	}
	s.says(200, "application/json", `[{"via":7}]`)
	odd, err := c.Ways(t.Context())
	must(t, err)
	if _, ok := odd[0].AsRoad(); ok || text(t, odd) != `[{"via":7}]` {
		t.Errorf("a discriminator of another type: got %s, %t", text(t, odd), ok)
	}
	s.says(204, "", "")
	s.forget()
	must(t, c.PutWay(t.Context(), c083.WayOfRail(c083.Rail{Gauge: wire.Some("1000")})))
	sameJSON(t, "a tag that was not set is", string(s.one(t).body), `{"via":"rail","gauge":"1000"}`)
	must(t, c.PutWay(t.Context(), c083.WayOfRail(c083.Rail{Via: "night_rail"})))
	sameJSON(t, "one that was stays", string(s.one(t).body), `{"via":"night_rail"}`)
	must(t, c.PutWay(t.Context(), ways[4]))
	same(t, "unknown ones are sent as they came", string(s.one(t).body), `{"via":"teleport","big":123456789012345678901,"deep":{"a":[1,null]}}`)
}

func TestC085_NullableBesideAndAroundRef(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c085.New)
	s.echoes()
	for _, body := range []string{
		`{"must":null,"list":null}`,
		`{"must":{},"list":[]}`,
		`{"must":{"x":0},"list":[null,1],"around":null,"either":null,"map":null,"named":null,"again":null,"colour":null}`,
		`{"must":{"x":1,"y":2},"list":[1],"around":{},"either":{"to":{"x":1}},"map":{"a":null,"b":""},"named":{"x":1},"again":{},"dots":[null,{}],"colour":"red"}`,
	} {
		got, err := c.Shape(t.Context(), new(read[c085.Shape](t, body)))
		must(t, err)
		sameJSON(t, "sent", string(s.one(t).body), body)
		sameJSON(t, "echo", text(t, got), body)
	}
	null := read[c085.Shape](t, `{"must":null,"list":null,"around":null,"beside":null}`)
	gone := read[c085.Shape](t, `{"must":{},"list":null}`)
	same(t, "null is not absent", []bool{null.Around.IsNull(), gone.Around.IsNull()}, []bool{true, false})
	same(t, "null is not an empty object", []string{text(t, null.Must), text(t, gone.Must)}, []string{"null", "{}"})
	same(t, "what is untouched", text(t, c085.Shape{}), `{"must":null,"list":null}`)
	same(t, "an empty list in place of null", text(t, c085.Shape{List: wire.NotNull[[]wire.Null[int64]](nil)}), `{"must":null,"list":[]}`)
}

func TestC086_NothingZeroAndNullAreThreeBodies(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c086.New)
	send := func(b c086.PatchThingRequestBody) string {
		t.Helper()
		must(t, c.PatchThing(t.Context(), &c086.PatchThingRequest{ID: 1, Body: b}))
		r := s.one(t)
		same(t, "media type", r.header.Get("Content-Type"), "application/merge-patch+json")
		same(t, "target", r.target, "/things/1")
		return string(r.body)
	}
	type body = c086.PatchThingRequestBody
	for _, tt := range []struct {
		set  func(*body)
		want string
	}{
		{func(*body) {}, ``},
		{func(b *body) { b.Title = wire.Some("") }, `,"title":""`},
		{func(b *body) { b.Until = wire.SomeNull[time.Time]() }, `,"until":null`},
		{func(b *body) { b.Until = wire.SomeNotNull(time.Unix(0, 0).UTC()) }, `,"until":"1970-01-01T00:00:00Z"`},
		{func(b *body) { b.Until = wire.SomeNotNull(time.Time{}) }, `,"until":"0001-01-01T00:00:00Z"`},
		{func(b *body) { b.Owner = wire.SomeNull[string]() }, `,"owner":null`},
		{func(b *body) { b.Owner = wire.SomeNotNull("") }, `,"owner":""`},
		{func(b *body) { b.Size = wire.SomeNull[int64]() }, `,"size":null`},
		{func(b *body) { b.Size = wire.SomeNotNull[int64](0) }, `,"size":0`},
		{func(b *body) { b.Loud = wire.Some(false) }, `,"loud":false`},
		{func(b *body) { b.Ratio = wire.Some(0.0) }, `,"ratio":0`},
		{func(b *body) { b.Words = []string{} }, `,"words":[]`},
		{func(b *body) { b.Labels = wire.SomeNull[map[string]string]() }, `,"labels":null`},
		{func(b *body) { b.Labels = wire.SomeNotNull(map[string]string{}) }, `,"labels":{}`},
		{func(b *body) { b.Sub = wire.SomeNull[*c086.PatchThingRequestSub]() }, `,"sub":null`},
		{func(b *body) { b.Sub = wire.SomeNotNull(&c086.PatchThingRequestSub{}) }, `,"sub":{}`},
		{func(b *body) { b.Sub = wire.SomeNotNull(&c086.PatchThingRequestSub{A: wire.Some[int64](0)}) }, `,"sub":{"a":0}`},
		{func(b *body) { b.Plain = &c086.PatchThingRequestPlain{} }, `,"plain":{}`},
		{func(b *body) { b.Kind = wire.SomeNull[c086.PatchThingRequestKind]() }, `,"kind":null`},
		{func(b *body) { b.Kind = wire.SomeNotNull(c086.PatchThingRequestKindEmpty) }, `,"kind":""`},
	} {
		var b body
		tt.set(&b)
		same(t, "body", send(b), `{"amount":0,"on":false`+tt.want+`}`)
	}
	for _, tt := range []struct {
		req  c086.PatchThingRequest
		want string
	}{
		{c086.PatchThingRequest{Force: wire.Some(false)}, "/things/0?force=false"},
		{c086.PatchThingRequest{Force: wire.Some(true), Limit: wire.Some[int64](0)}, "/things/0?force=true&limit=0"},
		{c086.PatchThingRequest{Text: wire.Some("")}, "/things/0?text="},
	} {
		must(t, c.PatchThing(t.Context(), &tt.req))
		same(t, "target", s.one(t).target, tt.want)
	}
}

func TestC088_NumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c088.New)
	body := `{"total":1022488477696,"small":-2147483648,"big":-9223372036854775808,"u":18446744073709551615,"sid":"9223372036854775807",` +
		`"price":"0.10","ratio":0.1,"exact":1234567890123.25,"odd":1700000000000,"free":1.234567890123456789012}`
	s.says(200, "application/json", body)
	got, err := c.Numbers(t.Context(), &c088.NumbersRequest{
		ID:   9007199254740993,
		Span: &c088.NumbersSpan{Min: wire.Some[int64](1234567890123), Max: wire.Some[int64](math.MaxInt64), Step: wire.Some(1e21)},
		IDs:  []int64{9007199254740993, -1}, F: wire.Some(1234567890.5), Free: wire.Some[int64](1e15),
		XSeq: wire.Some[int64](1e18), Seq: wire.Some[int64](math.MinInt64),
		Body: new(read[c088.Numbers](t, body)),
	})
	must(t, err)
	r := s.one(t)
	path, _, _ := strings.Cut(r.target, "?")
	same(t, "path", path, "/numbers/9007199254740993")
	query := r.query(t)
	same(t, "query", []string{query.Get("span[min]"), query.Get("span[max]"), query.Get("span[step]"), query.Get("ids"), query.Get("f"), query.Get("free")},
		[]string{"1234567890123", "9223372036854775807", "1000000000000000000000", "9007199254740993,-1", "1234567890.5", "1000000000000000"})
	same(t, "header", r.header.Get("X-Seq")+" "+r.header.Get("Cookie"), "1000000000000000000 seq=-9223372036854775808")
	same(t, "sent", string(r.body), body)
	same(t, "again", text(t, got), body)
	same(t, "total", got.Total.Or(0), 1022488477696)

	for _, ratio := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err = c.Numbers(t.Context(), &c088.NumbersRequest{Body: &c088.Numbers{Ratio: wire.Some(float32(ratio))}})
		says(t, err, "JSON has no number")
		_, err = c.Numbers(t.Context(), &c088.NumbersRequest{F: wire.Some(ratio)})
		says(t, err, `"f"`)
		_, err = c.Numbers(t.Context(), &c088.NumbersRequest{Span: &c088.NumbersSpan{Step: wire.Some(ratio)}})
		says(t, err, "span")
	}
	s.none(t)
	for _, wrong := range []string{`{"small":2147483648}`, `{"big":9223372036854775808}`, `{"total":1.5}`, `{"u":-1}`} {
		s.says(200, "application/json", wrong)
		_, err = c.Numbers(t.Context(), &c088.NumbersRequest{})
		var failed *wire.DecodeError
		if !errors.As(err, &failed) || failed.Path == "" {
			t.Errorf("%s: got %v", wrong, err)
		}
	}
}
