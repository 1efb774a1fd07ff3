package cases_test

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"strings"
	"testing"
	"time"

	"cases.test/c106"
	"cases.test/c107"
	"cases.test/c109"
	"cases.test/c110"
	"cases.test/c112"
	"cases.test/c113"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestC106_TypeArraysKeepTheKindOfAValue(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c106.New)
	s.echoes()
	for _, body := range []string{
		`{"desk":null}`,
		`{"desk":"","desk2":null,"when":null,"either":1,"three":null,"list":null,"none":null,"obj":null,"alt":null,"alt2":null}`,
		`{"desk":"d","desk2":"e","when":"2024-02-29T00:00:00Z","either":"1","three":"x","list":[null,"a"],"obj":{"a":0},"alt":{"x":1},` +
			`"alt2":"0d1f7c1e-7f0b-4d6f-8a52-b8f7a7c0f001","ref":{},"pct":0.5,"blob":"AP8=","pair":["a",1],"ex":"a","pat":{"x-a":"1"},"yes":[1,{}],` +
			`"single":"s","every":12345678901234567890}`,
		`{"desk":"d","three":9007199254740993,"yes":false,"every":null}`,
	} {
		got, err := c.Types(t.Context(), new(read[c106.All](t, body)))
		must(t, err)
		sameJSON(t, "sent", string(s.one(t).body), body)
		sameJSON(t, "echo", text(t, got), body)
	}
	// one type for both orders, and bytes for base64
	all := c106.All{Desk: wire.NotNull("a"), Desk2: wire.SomeNotNull("b"), When: wire.SomeNotNull(time.Unix(0, 0).UTC()), Blob: []byte{0, 255}}
	sameJSON(t, "all", text(t, all), `{"desk":"a","desk2":"b","when":"1970-01-01T00:00:00Z","blob":"AP8="}`)
	either := read[c106.All](t, `{"desk":null,"either":7}`).Either
	n, isInt := either.AsInt()
	_, isString := either.AsString()
	same(t, "kind", []any{n, isInt, isString}, []any{int64(7), true, false})
	same(t, "items", has(read[c106.All](t, `{"desk":null,"list":["a",null]}`).List.Or(nil)[1]), false)

	fields := map[string]string{}
	file, err := parser.ParseFile(token.NewFileSet(), "../c106/types.gen.go", nil, parser.ParseComments)
	must(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && len(f.Names) == 1 {
			fields[f.Names[0].Name] = strings.TrimSpace(f.Doc.Text())
		}
		return true
	})
	same(t, "comments", fields["Ref"]+"; "+fields["Alt2"], "words beside a reference; an id, if there is one")
}

func TestC107_AConstantTellsTheVariants(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c107.New)
	body := `[{"does":"walk","id":"1"},{"does":"ask","id":"2","yes":"3"},{"does":"stop","weight":2,"on":true,"v":3},{"does":"fly","at":1.0}]`
	s.says(200, "application/json", body)
	for _, tt := range []struct {
		step c107.Step
		want string
	}{
		{c107.StepOfWalk(c107.Walk{ID: "1"}), `{"does":"walk","id":"1"}`},
		{c107.StepOfAsk(c107.Ask{ID: "2"}), `{"does":"ask","id":"2"}`},
		{c107.StepOfStop(c107.StepStop{Weight: wire.Some(c107.WeightHeavy), V: wire.Some(c107.StepStopV3)}), `{"does":"stop","weight":2,"v":3}`},
	} {
		got, err := c.Steps(t.Context(), tt.step)
		must(t, err)
		same(t, "sent", string(s.one(t).body), tt.want)
		same(t, "again", text(t, got), body)
		walk, isWalk := got[0].AsWalk()
		ask, isAsk := got[1].AsAsk()
		stop, isStop := got[2].AsStop()
		same(t, "variants", []any{isWalk, walk.ID, isAsk, ask.Yes.Or(""), isStop, stop.Weight.Or(0)}, []any{true, "1", true, "3", true, c107.WeightHeavy})
		_, isWalk = got[3].AsWalk()
		_, isAsk = got[3].AsAsk()
		_, isStop = got[3].AsStop()
		same(t, "an unknown one", []any{isWalk, isAsk, isStop, got[3].Does(), string(got[3].Raw())}, []any{false, false, false, "fly", `{"does":"fly","at":1.0}`})
	}
	same(t, "without a union", text(t, c107.Walk{ID: "9"}), `{"does":"walk","id":"9"}`)
	same(t, "weights", []c107.Weight{c107.WeightLight, c107.WeightHeavy}, []c107.Weight{1, 2})
	same(t, "known", []bool{c107.WeightLight.Known(), c107.Weight(3).Known()}, []bool{true, false})
}

func TestC109_OperationsWithAnyIdAreThere(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c109.New)
	for _, tt := range []struct {
		call error
		want string
	}{
		{c.GetAByID(t.Context(), &c109.GetAByIDRequest{ID: "1"}), "GET /a/1"},
		{c.GetAByIDSlash(t.Context(), &c109.GetAByIDSlashRequest{ID: "1"}), "GET /a/1/"},
		{c.GetRoot(t.Context()), "GET /"},
		{c.TakeDashOne(t.Context()), "GET /b"},
		{c.TakeOneLower(t.Context()), "PUT /b"},
		{c.TakeUnderscoreOne(t.Context()), "POST /b"},
		{c.TakeSpaceOne(t.Context()), "DELETE /b"},
		{c.Op3quick(t.Context()), "PATCH /b"},
		{c.TakeOne(t.Context()), "HEAD /b"},
		{c.TakeDotOne(t.Context()), "OPTIONS /b"},
		{c.TAKEUnderscoreONE(t.Context()), "TRACE /b"},
		{c.All(t.Context()), "GET /c"},
		{c.AllGetD(t.Context()), "GET /d"},
		{c.GetE(t.Context()), "GET /e"},
		{c.StarStarStar(t.Context()), "POST /e"},
		{c.SlashSlashSlash(t.Context()), "PUT /e"},
	} {
		must(t, tt.call)
		s.mu.Lock()
		r := s.seen[0]
		s.seen = s.seen[1:]
		s.mu.Unlock()
		same(t, "request", r.method+" "+r.target, tt.want)
	}
}

func TestC110_TagsNameNothing(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c110.New)
	for _, call := range []error{
		c.T1(t.Context()), c.T2(t.Context()), c.T3(t.Context()), c.T4(t.Context()), c.T5(t.Context()), c.T6(t.Context()), c.T7(t.Context()),
		c.T8(t.Context()), c.T9(t.Context()), c.T10(t.Context()), c.T11(t.Context()), c.T12(t.Context()),
	} {
		must(t, call)
	}
	seen := map[string]int{}
	for _, r := range s.seen {
		seen[r.target]++
	}
	same(t, "requests", len(seen), 12)
}

// addresses notes where requests would go.
func addresses(t *testing.T, opts ...runtime.ClientOption) (c *c112.Client, last *string) {
	t.Helper()
	last = new(string)
	c, err := c112.New(append(opts, runtime.WithHTTPClient(&http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		*last = r.URL.String()
		return &http.Response{StatusCode: 204, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	})}))...)
	must(t, err)
	return c, last
}

func TestC112_AddressesJoin(t *testing.T) {
	t.Parallel()
	type want struct{ login, jobs, root, send, again string }
	for _, tt := range []struct {
		name, base string
		want       want
	}{
		{"the document's", "", want{
			"https://north.harbour.example:8444/gate/v3/login", "https://north.harbour.example:8444/gate/v3/jobs/",
			"https://north.harbour.example:8444/gate/v3/", "https://send.harbour.example/send", "https://either.harbour.example/x/send",
		}},
		{"with a slash", "http://h/gw/v1/", want{
			"http://h/gw/v1/login", "http://h/gw/v1/jobs/", "http://h/gw/v1/", "http://h/gw/v1/send", "http://h/gw/v1/send",
		}},
		{"without", "http://h/gw/v1", want{
			"http://h/gw/v1/login", "http://h/gw/v1/jobs/", "http://h/gw/v1/", "http://h/gw/v1/send", "http://h/gw/v1/send",
		}},
		{"a host alone", "http://h:81", want{"http://h:81/login", "http://h:81/jobs/", "http://h:81/", "http://h:81/send", "http://h:81/send"}},
		{"a query", "http://h/a%2Fb?key=v", want{
			"http://h/a%2Fb/login?key=v", "http://h/a%2Fb/jobs/?key=v", "http://h/a%2Fb/?key=v", "http://h/a%2Fb/send?key=v", "http://h/a%2Fb/send?key=v",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var opts []runtime.ClientOption
			if tt.base != "" {
				opts = append(opts, runtime.WithBaseURL(tt.base))
			}
			c, last := addresses(t, opts...)
			var got want
			for _, call := range []struct {
				do  func(context.Context) error
				put *string
			}{
				{c.Login, &got.login}, {c.Jobs, &got.jobs}, {c.Root, &got.root}, {c.Send, &got.send}, {c.SendAgain, &got.again},
			} {
				must(t, call.do(t.Context()))
				*call.put = *last
			}
			if got != tt.want {
				t.Errorf("\ngot  %+v\nwant %+v", got, tt.want)
			}
		})
	}
	for _, base := range []string{"", "/relative", "h/gw", "ftp://h", "http://"} {
		if _, err := c112.New(runtime.WithBaseURL(base)); err == nil {
			t.Errorf("the base URL %q is taken", base)
		}
	}
}

func TestC113_ListsBytesAndFreeValues(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c113.New)
	s.echoes()
	for _, tt := range []struct {
		v    c113.Values
		want string
	}{
		{c113.Values{}, `{"req":[],"cube":[],"raw":""}`},
		{c113.Values{Opt: []string{}}, `{"req":[],"cube":[],"raw":"","opt":[]}`},
		{c113.Values{Nul: wire.SomeNull[[]string]()}, `{"req":[],"cube":[],"raw":"","nul":null}`},
		{c113.Values{Nul: wire.SomeNotNull[[]string](nil)}, `{"req":[],"cube":[],"raw":"","nul":[]}`},
		{c113.Values{Cube: [][][]float64{nil, {nil, {1, 2.5}}}}, `{"req":[],"cube":[[],[[],[1,2.5]]],"raw":""}`},
		{c113.Values{Raw: []byte{0, 255, 254}, Raws: [][]byte{{1}, nil}}, `{"req":[],"cube":[],"raw":"AP/+","raws":["AQ==",""]}`},
		{c113.Values{Free: map[string]json.RawMessage{}, Anys: []json.RawMessage{}}, `{"req":[],"cube":[],"raw":"","free":{},"anys":[]}`},
		{c113.Values{Lists: map[string][][]c113.Spot{"a": nil, "b": {{{1, 2}}, nil}}}, `{"req":[],"cube":[],"raw":"","lists":{"a":[],"b":[[[1,2]],[]]}}`},
	} {
		must1[*c113.Values](t)(c.Echo(t.Context(), &tt.v))
		sameJSON(t, "sent", string(s.one(t).body), tt.want)
	}
	body := `{"req":["a"],"cube":[[[1,2],[]],[]],"raw":"AAA=","free":{"n":123456789012345678901234567890,"d":{"z":null,"l":[null,{"x":1.10}]}},` +
		`"any":{"k":[null,12345678901234567890.5]},"anys":[null,1,"a",{},[]],"lists":{"l":[[[1,2]]]},"uniq":[1,2]}`
	got, err := c.Echo(t.Context(), new(read[c113.Values](t, body)))
	must(t, err)
	sameJSON(t, "sent", string(s.one(t).body), body)
	sameJSON(t, "echo", text(t, got), body)
	for _, wrong := range []string{`{"raw":"!"}`, `{"raw":"AAA"}`, `{"raws":["AQ==","%"]}`} {
		s.says(200, "application/json", wrong)
		_, err := c.Echo(t.Context(), &c113.Values{})
		says(t, err, "raw")
		var failed *wire.DecodeError
		if !errors.As(err, &failed) {
			t.Errorf("%s: got %v", wrong, err)
		}
	}
}

func TestC113_AnyValueAtTheTop(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c113.New)
	for _, tt := range []struct {
		status int
		body   string
		want   c113.ValuesResponse
	}{
		{200, `[["a"],[]]`, c113.ValuesOK{Body: [][]string{{"a"}, {}}}},
		{200, ` [] `, c113.ValuesOK{Body: [][]string{}}},
		{201, `"text"`, c113.ValuesCreated{Body: "text"}},
		{201, `""`, c113.ValuesCreated{}},
		{202, `-1.5e3`, c113.ValuesAccepted{Body: -1500}},
		{203, `null`, c113.ValuesNonAuthoritativeInformation{Body: json.RawMessage("null")}},
		{203, `{"a":12345678901234567890}`, c113.ValuesNonAuthoritativeInformation{Body: json.RawMessage(`{"a":12345678901234567890}`)}},
		{206, `{"a":1}`, c113.ValuesPartialContent{Body: map[string]int64{"a": 1}}},
		{207, `false`, c113.ValuesMultiStatus{}},
	} {
		s.says(tt.status, "application/json", tt.body)
		got, err := c.Values(t.Context(), &c113.Values{})
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%d %s: %v\n%s", tt.status, tt.body, err, diff)
		}
	}
}
