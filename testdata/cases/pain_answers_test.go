package cases_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"cases.test/answers"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestPain23_AResultOrAnErrorAndNeverNeither(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, answers.New)
	for _, tt := range []struct {
		status          int
		mediaType, body string
		isFine          bool
	}{
		{200, "application/json", `{"id":"1"}`, true},
		{200, "text/html", `<p>`, false},
		{200, "text/html", `{"id":"1"}`, false},
		{200, "application/json", ``, false},
		{200, "application/json", `{"id":"1"`, false},
		{200, "application/json", `null`, false},
		{200, "application/json", `[]`, false},
		{202, "application/json", `{"id":"1"}`, false},
		{204, "", ``, false},
		{404, "application/problem+json", `{}`, false},
		{404, "text/plain", `not found`, false},
		{401, "application/json", `{`, false},
		{500, "", ``, false},
	} {
		s.says(tt.status, tt.mediaType, tt.body)
		got, err := c.Item(t.Context())
		if (got == nil) == (err == nil) || tt.isFine != (err == nil) {
			t.Errorf("%d %s %s: got %v and %v", tt.status, tt.mediaType, tt.body, got, err)
		}
	}
}

func TestPain25_AMediaTypeWithoutASchemaIsWhatItIs(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, answers.New)
	s.echoes()
	same(t, "JSON", string(must1[json.RawMessage](t)(c.Any(t.Context(), json.RawMessage(`{"a":[1.10]}`)))), `{"a":[1.10]}`)
	s.forget()
	if _, err := c.Any(t.Context(), nil); !errors.Is(err, wire.ErrNilRequest) {
		t.Errorf("a required body that is not there: got %v", err)
	}
	s.none(t)
	s.says(200, "text/plain", "words")
	same(t, "text", must1[string](t)(c.BareText(t.Context())), "words")
	s.forget()
	s.says(200, "application/zip", "PK")
	zip, err := c.BareBytes(t.Context(), &answers.BareBytesRequest{Body: wire.FromBytes([]byte{0, 255})})
	must(t, err)
	data, err := io.ReadAll(zip)
	must(t, errors.Join(err, zip.Close()))
	r := s.one(t)
	same(t, "bytes", string(data)+" "+r.header.Get("Content-Type")+" "+string(r.body), "PK application/octet-stream \x00\xff")
	s.says(204, "", "")
	must(t, c.BareForm(t.Context(), &answers.BareFormRequest{Body: wire.FromBytes([]byte("a=b"))}))
	r = s.one(t)
	same(t, "form", r.header.Get("Content-Type")+" "+string(r.body), "application/x-www-form-urlencoded a=b")
	s.says(200, "", "")
	must(t, c.BareNothing(t.Context()))
}

func TestPain26_AnyJSONAtTheTop(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, answers.New)
	s.echoes()
	sent := func(want string) {
		t.Helper()
		r := s.one(t)
		same(t, "sent", string(r.body)+" "+r.header.Get("Content-Type"), want+" application/json")
	}
	same(t, "text", must1[string](t)(c.Text(t.Context(), "<ü\"&>")), "<ü\"&>")
	sent(`"<ü\"&>"`)
	same(t, "empty text", must1[string](t)(c.Text(t.Context(), "")), "")
	sent(`""`)
	same(t, "list", must1[[]int64](t)(c.List(t.Context(), []int64{9007199254740993})), []int64{9007199254740993})
	sent(`[9007199254740993]`)
	same(t, "nil list", len(must1[[]int64](t)(c.List(t.Context(), nil))), 0)
	sent(`[]`)
	same(t, "number", must1[float64](t)(c.Number(t.Context(), 0)), 0)
	sent(`0`)
	same(t, "truth", must1[bool](t)(c.Truth(t.Context(), false)), false)
	sent(`false`)
	same(t, "null", has(must1[wire.Null[string]](t)(c.Maybe(t.Context(), wire.NullOf[string]()))), false)
	sent(`null`)
	same(t, "no null", must1[wire.Null[string]](t)(c.Maybe(t.Context(), wire.NotNull("x"))).Or(""), "x")
	sent(`"x"`)
	m := must1[map[string]wire.Null[string]](t)(c.Map(t.Context(), map[string]wire.Null[string]{"a": {}, "b": wire.NotNull("c")}))
	sent(`{"a":null,"b":"c"}`)
	same(t, "map", []any{has(m["a"]), m["b"].Or("")}, []any{false, "c"})
	same(t, "enum", must1[answers.ChoiceResponse](t)(c.Choice(t.Context(), answers.ChoiceRequestB)), answers.ChoiceResponseB)
	sent(`"b"`)
}

// fake is what users write: it implements the interface, or embeds it for the methods that a test does not need.
type fake struct {
	answers.API
}

func TestPain30_ClientsHaveAnInterface(t *testing.T) {
	t.Parallel()
	var api answers.API = fake{}
	_, _ = api.(fake)
	for name, typ := range map[string]reflect.Type{"API": reflect.TypeFor[answers.API](), "New": reflect.TypeOf(answers.New).Out(0)} {
		want := reflect.Interface
		if name == "New" {
			want = reflect.Pointer
		}
		same(t, name, typ.Kind(), want)
	}
	if client := reflect.TypeFor[*answers.Client](); !client.Implements(reflect.TypeFor[answers.API]()) || client.NumMethod() != reflect.TypeFor[answers.API]().NumMethod()+1 {
		t.Errorf("the interface has %d methods, the client %d, one of which closes connections", reflect.TypeFor[answers.API]().NumMethod(), client.NumMethod())
	}
}

func TestPain36_EventsAreGivenAsTheyCome(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"id\":\"1\"}\n\n")
		_ = http.NewResponseController(w).Flush()
		select { // the rest comes when the first has been read
		case <-release:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, "data: {\"id\":\"2\"}\n\n")
	}))
	t.Cleanup(server.Close)
	c, err := answers.New(runtime.WithBaseURL(server.URL))
	must(t, err)
	events, err := c.Events(t.Context())
	must(t, err)
	var ids []string
	for item, err := range events.All() {
		must(t, err)
		if ids = append(ids, item.ID); len(ids) == 1 {
			close(release)
		}
	}
	same(t, "events", ids, []string{"1", "2"})
}

func TestPain41_AnErrorHasTheBody(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, answers.New)
	long := strings.Repeat("x", 100_000)
	s.does(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("X-Trace", "t1")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, long)
	})
	_, err := c.Item(t.Context())
	var status *wire.StatusError
	if !errors.As(err, &status) {
		t.Fatalf("got %v", err)
	}
	same(t, "error", []any{status.Status, status.Header.Get("X-Trace"), string(status.Body), status.Truncated}, []any{502, "t1", long[:64<<10], true})
}

func TestPain42_ProblemsAreErrors(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, answers.New)
	for status, mediaType := range map[int]string{404: "application/problem+json; charset=utf-8", 409: "application/vnd.shop.error+json", 422: "application/json"} {
		s.says(status, mediaType, `{"title":"so","status":4,"detail":"not in the document"}`)
		_, err := c.Item(t.Context())
		var failed *wire.PayloadError[answers.Problem]
		if !errors.As(err, &failed) || failed.Payload.Title.Or("") != "so" {
			t.Errorf("%d: got %v", status, err)
			continue
		}
		var known *wire.StatusError
		if !errors.As(err, &known) || known.Status != status || !strings.Contains(string(known.Body), "not in the document") {
			t.Errorf("%d: got %v", status, known)
		}
	}
	s.says(500, "application/problem+json", `{"title":"so"}`)
	_, err := c.Item(t.Context())
	var known *wire.StatusError
	if !errors.As(err, &known) || string(known.Body) != `{"title":"so"}` {
		t.Errorf("a problem that the document does not have: got %v", err)
	}
}
