package generator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
	pages "github.com/resgen-go/resgen/testdata/specs/pages/want"
)

// pagesServer answers with what handle says, and keeps what it was asked.
type pagesServer struct {
	*httptest.Server

	mu    sync.Mutex
	asked []string
}

func newPagesServer(t *testing.T, handle func(w http.ResponseWriter, r *http.Request, body string)) (*pagesServer, *pages.Client) {
	t.Helper()
	s := &pagesServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		line := r.Method + " " + r.URL.String()
		if len(body) > 0 {
			line += " " + string(body)
		}
		s.mu.Lock()
		s.asked = append(s.asked, line)
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		handle(w, r, string(body))
	}))
	t.Cleanup(s.Close)
	c, err := pages.New(pages.WithBaseURL(s.URL+"/v1"), pages.WithTarget("replica", pages.WithBaseURL(s.URL+"/replica")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return s, c
}

// collect reads an iteration to its end.
func collect[T any](seq iter.Seq2[T, error]) (items []T, err error) {
	for item, err := range seq {
		if err != nil {
			return items, err
		}
		items = append(items, item)
	}
	return items, nil
}

func ids(files []pages.File) string {
	var all []string
	for _, f := range files {
		all = append(all, f.ID)
	}
	return strings.Join(all, " ")
}

// A page without items is no end while there is a token; the caller's own fields stay, and the caller's request is not touched.
func TestPagesCursor(t *testing.T) {
	t.Parallel()
	s, c := newPagesServer(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		fmt.Fprint(w, map[string]string{
			"":  `{"data":[{"id":"a"},{"id":"b"}],"last_id":"b","has_more":true}`,
			"b": `{"data":[],"last_id":"b2","has_more":true}`,
			// the last page has a token too: has_more ends it
			"b2": `{"data":[{"id":"c"}],"last_id":"c","has_more":false}`,
		}[r.URL.Query().Get("after")])
	})
	req := &pages.ListFilesRequest{Limit: wire.Some[int64](2)}
	for range 2 { // each range begins anew
		got, err := collect(c.ListFilesAll(t.Context(), req))
		if err != nil || ids(got) != "a b c" {
			t.Errorf("got %q, %v; want a b c", ids(got), err)
		}
	}
	if _, set := req.After.Get(); set {
		t.Error("the caller's request was changed")
	}
	want := []string{"GET /v1/files?limit=2", "GET /v1/files?after=b&limit=2", "GET /v1/files?after=b2&limit=2"}
	if diff := cmp.Diff(append(want, want...), s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// Pages are read when the loop comes to them: one that breaks asks for no more.
func TestPagesAreLazy(t *testing.T) {
	t.Parallel()
	s, c := newPagesServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		fmt.Fprint(w, `{"data":[{"id":"a"},{"id":"b"}],"last_id":"b","has_more":true}`)
	})
	seq := c.ListFilesAll(t.Context(), nil)
	if len(s.asked) != 0 {
		t.Error("a request went out before the range")
	}
	for range seq {
		break
	}
	if len(s.asked) != 1 {
		t.Errorf("asked %q, want one page", s.asked)
	}
}

func TestPagesEndWithAnError(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next func(n int) string
		want error
		asks int
	}{
		"the token repeats":   {func(int) string { return "x" }, runtime.ErrPageRepeats, 2},
		"the tokens go round": {func(n int) string { return strconv.Itoa(n % 3) }, runtime.ErrPageRepeats, 4},
		"too many pages":      {strconv.Itoa, runtime.ErrMaxPages, 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			s, client := newPagesServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
				n++
				fmt.Fprintf(w, `{"data":[{"id":"a"}],"last_id":%q,"has_more":true}`, c.next(n))
			})
			items, err := collect(client.ListFilesAll(t.Context(), nil))
			var e *runtime.Error
			if !errors.Is(err, c.want) || !errors.As(err, &e) || e.Operation != "pages.listFiles" {
				t.Errorf("got %v, want %v of pages.listFiles", err, c.want)
			}
			if len(items) != c.asks || len(s.asked) != c.asks {
				t.Errorf("%d items of %d pages, want %d of %d", len(items), len(s.asked), c.asks, c.asks)
			}
		})
	}
}

// A page that fails ends the iteration, after the items of those before.
func TestPagesFailure(t *testing.T) {
	t.Parallel()
	_, c := newPagesServer(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		if r.URL.Query().Get("starting_after") != "" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, `{"data":[{"id":"a"}],"has_more":true}`)
	})
	var meta runtime.Meta
	items, err := collect(c.ListCustomersAll(runtime.Capture(t.Context(), &meta), &pages.ListCustomersRequest{Account: "acme"}))
	if !errors.Is(err, runtime.ErrCaller) || ids(items) != "a" || meta.Status != http.StatusNotFound {
		t.Errorf("got %q, %v, status %d; want a, then the 404", ids(items), err, meta.Status)
	}
	if _, err := collect(c.ListCustomersAll(t.Context(), nil)); !errors.Is(err, wire.ErrNilRequest) {
		t.Errorf("a nil request: %v, want ErrNilRequest", err)
	}
}

func TestPagesOffset(t *testing.T) {
	t.Parallel()
	s, c := newPagesServer(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		var q struct{ Offset, Limit int }
		if err := json.Unmarshal([]byte(body), &q); err != nil {
			t.Error(err)
		}
		var points []string
		for i := q.Offset; i < min(q.Offset+q.Limit, 5); i++ {
			points = append(points, fmt.Sprintf(`{"id":%d}`, i))
		}
		fmt.Fprintf(w, `{"result":{"points":[%s]}}`, strings.Join(points, ","))
	})
	items, err := collect(c.QueryPointsAll(t.Context(), &pages.QueryPointsRequest{Query: "q", Offset: wire.SomeNotNull[uint32](1), Limit: wire.Some[int64](2)}))
	if err != nil || len(items) != 4 || items[3].Value.ID.Or(-1) != 4 || items[3].Degraded {
		t.Errorf("got %+v, %v; want the points 1 to 4, not degraded", items, err)
	}
	want := []string{ // the third page is empty: two pages were full
		`POST /v1/points/query {"query":"q","offset":1,"limit":2}`, `POST /v1/points/query {"query":"q","offset":3,"limit":2}`,
		`POST /v1/points/query {"query":"q","offset":5,"limit":2}`,
	}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestPagesNumberAndDeepCursor(t *testing.T) {
	t.Parallel()
	s, c := newPagesServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		switch {
		case r.URL.Path == "/v1/rows":
			w.Header().Set("X-Total-Count", "3")
			fmt.Fprint(w, map[string]string{"": `["a","b"]`, "1": `["c"]`}[r.URL.Query().Get("page")])
		case r.URL.Path == "/v1/events":
			if r.Header.Get("X-Page-Token") == "" {
				w.Header().Set("X-Next-Token", "t2")
			}
			fmt.Fprint(w, `{"events":["`+r.Header.Get("X-Page-Token")+`"]}`)
		case strings.Contains(body, "7"):
			fmt.Fprint(w, `{"hits":null,"meta":{"page":null}}`)
		default:
			fmt.Fprint(w, `{"hits":["a"],"meta":{"page":{"next":7}}}`)
		}
	})
	rows, err := collect(c.ListRowsAll(t.Context(), nil))
	if diff := cmp.Diff([]string{"a", "b", "c"}, rows); diff != "" || err != nil {
		t.Errorf("rows: %v %s", err, diff)
	}
	hits, err := collect(c.SearchAll(t.Context(), nil))
	if diff := cmp.Diff([]string{"a"}, hits); diff != "" || err != nil {
		t.Errorf("hits: %v %s", err, diff)
	}
	events, err := collect(c.ListEventsAll(t.Context(), nil))
	if diff := cmp.Diff([]string{"", "t2"}, events); diff != "" || err != nil {
		t.Errorf("events: %v %s", err, diff)
	}
	want := []string{
		"GET /v1/rows", "GET /v1/rows?page=1", "POST /v1/search", `POST /v1/search {"page":{"after":7}}`, "GET /v1/events", "GET /v1/events",
	}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// The URL of the next page is absolute or relative, and spelled with another name of this machine.
// A token of several types is sent as it came, digit by digit; null is the end.
func TestPagesWithATokenOfSeveralTypes(t *testing.T) {
	t.Parallel()
	next := []string{`18446744073709551615`, `"5c56c793-69f3-4fbf-87e6-c4bf54c28c26"`, `null`}
	n := 0
	s, c := newPagesServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		fmt.Fprintf(w, `{"result":{"points":[{"id":"%d"}],"next_page_offset":%s}}`, n, next[n])
		n++
	})
	items, err := collect(c.ScrollPointsAll(t.Context(), &pages.ScrollPointsRequest{}))
	if err != nil || len(items) != len(next) {
		t.Errorf("got %v, %v, want an item of each page", items, err)
	}
	want := []string{
		"POST /v1/points/scroll {}", `POST /v1/points/scroll {"offset":18446744073709551615}`,
		`POST /v1/points/scroll {"offset":"5c56c793-69f3-4fbf-87e6-c4bf54c28c26"}`,
	}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestPagesByURL(t *testing.T) {
	t.Parallel()
	s, c := newPagesServer(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		port := r.Host[strings.LastIndex(r.Host, ":"):]
		switch r.URL.String() {
		case "/v1/issues":
			w.Header().Add("Link", `<http://localhost`+port+`/other/issues?page=2>; rel="next", </x>; rel="last"`)
		case "/other/issues?page=2":
			w.Header().Add("Link", `<?page=3>; rel="next"`)
		case "/v1/products?filter=f":
			fmt.Fprint(w, `{"values":[{"id":"a"}],"nextLink":"products?page=2&q=a b"}`)
			return
		case "/v1/products?page=2&q=a%20b":
			fmt.Fprint(w, `{"values":[{"id":"b"}],"nextLink":""}`)
			return
		}
		fmt.Fprintf(w, `[{"id":%q}]`, r.URL.Query().Get("page"))
	})
	issues, err := collect(c.ListIssuesAll(t.Context()))
	if err != nil || ids(issues) != " 2 3" {
		t.Errorf("issues: %q, %v", ids(issues), err)
	}
	products, err := collect(c.ListProductsAll(t.Context(), &pages.ListProductsRequest{Filter: wire.Some("f")}))
	if err != nil || ids(products) != "a b" {
		t.Errorf("products: %q, %v", ids(products), err)
	}
	want := []string{
		"GET /v1/issues", "GET /other/issues?page=2", "GET /other/issues?page=3", "GET /v1/products?filter=f", "GET /v1/products?page=2&q=a%20b",
	}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// What an answer names as the next page is not asked of another origin: it would get the credentials.
func TestPagesStayAtTheirOrigin(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another origin was asked") }))
	t.Cleanup(other.Close)
	for _, link := range []string{other.URL + "/products", "//evil.example/products", "https://evil.example/products", "javascript:alert(1)"} {
		_, c := newPagesServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
			fmt.Fprintf(w, `{"values":[{"id":"a"}],"nextLink":%q}`, link)
		})
		items, err := collect(c.ListProductsAll(t.Context(), nil))
		if !errors.Is(err, wire.ErrRequest) || ids(items) != "a" {
			t.Errorf("%s: %q, %v; want the first page, then ErrRequest", link, ids(items), err)
		}
	}
}

func TestPagesOfAnotherOperation(t *testing.T) {
	t.Parallel()
	s, c := newPagesServer(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		if strings.HasSuffix(r.URL.Path, "products") {
			fmt.Fprint(w, `{"values":[{"id":"a"}],"link":"next?page=2"}`)
			return
		}
		fmt.Fprint(w, `{"values":[{"id":"b"}]}`)
	})
	items, err := collect(c.ListTenantProductsAll(t.Context(), &pages.ListTenantProductsRequest{Tenant: "t1"}))
	if err != nil || ids(items) != "a b" {
		t.Errorf("got %q, %v", ids(items), err)
	}
	want := []string{"GET /v1/tenants/t1/products", "GET /v1/tenants/t1/products/next%3Fpage%3D2"}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}
