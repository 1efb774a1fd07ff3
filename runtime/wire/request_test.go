package wire_test

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// C091: a value in a path never changes the route, and literal parts stay as they are.
func TestC091_PathEscape(t *testing.T) {
	t.Parallel()
	tests := []struct {
		template string
		values   []any // name, value ...
		want     string
	}{
		{"/files/{name}/versions/{ver}", []any{"name", "a/b?c#d%e f", "ver", 3}, "/files/a%2Fb%3Fc%23d%25e%20f/versions/3"},
		{"/files/{name}/versions/{ver}", []any{"name", "\u65e5\u672c", "ver", 3}, "/files/%E6%97%A5%E6%9C%AC/versions/3"},
		{"/files/{name}/versions/{ver}", []any{"name", "{ver}", "ver", 3}, "/files/%7Bver%7D/versions/3"},
		{"/objects('{key}')", []any{"key", "x'y"}, "/objects('x%27y')"},
		{"/objects('{key}')", []any{"key", ".."}, "/objects('..')"},
		{"/orgs/{org}:batch", []any{"org", "a"}, "/orgs/a:batch"},
		{"/dl/{base}.{ext}", []any{"base", ".", "ext", "j.n"}, "/dl/..j.n"},
		{"/many/{ids}", []any{"ids", []string{"a,b", "c"}}, "/many/a%2Cb,c"},
		{"/a b/%7Btilde%7D/{x}/", []any{"x", "1"}, "/a%20b/%7Btilde%7D/1/"},
		{"/n/{id}", []any{"id", int64(9007199254740993)}, "/n/9007199254740993"},
		{"/w/{type}/{path}/{len}", []any{"type", "T", "path", "P", "len", 1}, "/w/T/P/1"},
		{"/twice/{a}/{a}", []any{"a", "x"}, "/twice/x/x"},
		{"/fixed?api-version=1 0&x=%41", nil, "/fixed?api-version=1%200&x=%41"},
		{"/frag#/{x}", nil, "/frag"},
		{"relative", nil, "/relative"},
		{"/files/{name}", []any{"name", "."}, "!"},
		{"/files/{name}", []any{"name", ".."}, "!"},
		{"/files/{name}/x", []any{"name", ".."}, "!"},
		{"/files/.{name}/x", []any{"name", "."}, "!"},
		{"/files/%2e{name}", []any{"name", "."}, "!"},
		{"/files/{a}{b}", []any{"a", ".", "b", "."}, "!"},
		{"/files/{name}", []any{"name", ""}, "!"},
		{"/files/{name}", []any{"name", []string{}}, "!"},
		{"/files/{name}", []any{"name", map[string]int{}}, "!"},
		{"/files/{name}", nil, "!"},
		{"/files/{name}", []any{"name", "x", "other", "y"}, "!"},
	}
	for _, tt := range tests {
		r := wire.NewRequest("GET", tt.template)
		for i := 0; i < len(tt.values); i += 2 {
			r.Path(tt.values[i].(string), wire.Simple, tt.values[i+1])
		}
		s, err := trySend(t, wire.Config{}, r)
		switch {
		case tt.want == "!" && !errors.Is(err, wire.ErrRequest):
			t.Errorf("%s %v is sent as %s, %v", tt.template, tt.values, s.uri, err)
		case tt.want == "!" && s.raw != nil:
			t.Errorf("%s %v is refused (%v), and sent", tt.template, tt.values, err)
		case tt.want != "!" && (err != nil || s.uri != tt.want):
			t.Errorf("%s %v = %q, %v; want %q", tt.template, tt.values, s.uri, err, tt.want)
		}
	}
}

// What a server makes of the path, segment by segment, is the value and nothing else.
func FuzzPathEscape(f *testing.F) {
	for _, s := range []string{"a", "/", "a/b?c#d%e f", "..", ".", "%2e", "{name}", "\x00", "\u65e5\u672c\u200d", "a;b=c", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		r := wire.NewRequest("GET", "/files/{name}/end")
		r.Path("name", wire.Simple, value)
		s, err := trySend(t, wire.Config{}, r)
		if err != nil {
			if value != "" && value != "." && value != ".." {
				t.Fatalf("%q is refused: %v", value, err)
			}
			return
		}
		u, err := url.ParseRequestURI(s.uri)
		if err != nil || u.RawQuery != "" {
			t.Fatalf("%q is sent as %q: %v", value, s.uri, err)
		}
		segments := strings.Split(u.EscapedPath(), "/")
		if len(segments) != 4 {
			t.Fatalf("%q is sent as %q", value, s.uri)
		}
		if got, err := url.PathUnescape(segments[2]); err != nil || got != value || u.Path != "/files/"+value+"/end" {
			t.Fatalf("%q is sent as %q and arrives as %q, %v", value, s.uri, got, err)
		}
	})
}

// C112: base URLs join with one slash, and keep their query.
func TestC112_BaseURL(t *testing.T) {
	t.Parallel()
	tests := []struct{ base, path, want string }{
		{"http://h/gw/v1/", "/auth", "http://h/gw/v1/auth"},
		{"http://h/gw/v1", "/auth", "http://h/gw/v1/auth"},
		{"http://h/gw/v1//", "/auth", "http://h/gw/v1/auth"},
		{"http://h", "/auth", "http://h/auth"},
		{"http://h/", "/", "http://h/"},
		{"http://h/gw/v1", "/tasks/", "http://h/gw/v1/tasks/"},
		{"http://h/gw/v1", "/", "http://h/gw/v1/"},
		{"https://h:8443/a%2Fb", "/x", "https://h:8443/a%2Fb/x"},
		{"http://h/v1?tenant=a&b=1", "/x?fixed=2", "http://h/v1/x?tenant=a&b=1&fixed=2"},
		{"http://h/v1#frag", "/x", "http://h/v1/x"},
		{"http://[::1]:80/v1", "/x", "http://[::1]:80/v1/x"},
	}
	for _, tt := range tests {
		if got := send(t, wire.Config{BaseURL: tt.base}, wire.NewRequest("GET", tt.path)).raw.URL.String(); got != tt.want {
			t.Errorf("%s and %s = %s, want %s", tt.base, tt.path, got, tt.want)
		}
	}
	for _, bad := range []string{"h/v1", "/v1", "ftp://h", "http://", "http://user:secret@h:port", "http://h/%zz?key=secret"} {
		_, err := wire.NewEndpoint(wire.Config{BaseURL: bad})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("base URL %q: %v", bad, err)
		}
	}
}

func TestServerOfARequest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fallback bool
		server   string
		want     string
	}{
		{false, "http://own/v2", "http://h/v1/x"},
		{true, "http://own/v2", "http://own/v2/x"},
		{true, "", "http://h/v1/x"},
	} {
		r := wire.NewRequest("GET", "/x")
		r.Server(tt.server)
		if got := send(t, wire.Config{BaseURL: "http://h/v1", Fallback: tt.fallback}, r).raw.URL.String(); got != tt.want {
			t.Errorf("fallback %t, server %q: %s, want %s", tt.fallback, tt.server, got, tt.want)
		}
	}
}

// C095 and C092: names reach the wire as they are, in the order of the document.
func TestC095_ParameterNames(t *testing.T) {
	t.Parallel()
	names := []string{
		"$count", "$filter", "filter[name]", "filter[name][eq]", "ids[]", "sort.by", "a-b", "a_b", "aB", "2fa", "x y", "p&q=r", "@at",
		"type", "func", "range", "r", "true", "größe",
	}
	r := wire.NewRequest("GET", "/q")
	for _, name := range names {
		r.Query(name, wire.Form|wire.Explode, []string{"1", name})
	}
	r.Header("X-Rate-Limit", wire.Simple, 1)
	r.Header("x-rate-limit-2", wire.Simple, 2)
	r.Cookie("session-id", wire.Form, "abc==%3A")
	r.Cookie("odd", wire.Form, "a;b, \"c\"\r\n")
	s := send(t, wire.Config{}, r)
	var got []string
	for pair := range strings.SplitSeq(s.raw.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			t.Fatalf("name %q: %v", name, err)
		}
		if value == "1" {
			got = append(got, name)
		}
	}
	if diff := cmp.Diff(names, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if s.header.Get("X-Rate-Limit") != "1" || s.header.Get("X-Rate-Limit-2") != "2" {
		t.Errorf("header %v", s.header)
	}
	if got, want := s.header.Values("Cookie"), []string{"session-id=abc==%3A; odd=a%3Bb%2C%20%22c%22%0D%0A"}; !cmp.Equal(got, want) {
		t.Errorf("cookies %q, want %q", got, want)
	}
}

func TestHeaderStyles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		style wire.Style
		value any
		want  string
	}{
		{wire.Simple, "a b/ü", "a b/ü"},
		{wire.Simple, []int{1, 2}, "1,2"},
		{wire.Simple, color, "R,100,G,200,B,150"},
		{wire.Simple | wire.Explode, color, "R=100,G=200,B=150"},
		{wire.JSONStyle, color, `{"R":100,"G":200,"B":150}`},
		{wire.Simple, []string{}, ""},
		{wire.Simple, "a\r\nX-Evil: 1", "!"},
		{wire.Simple, []string{"a", "b\n"}, "!"},
		{wire.Simple, "a\x00b", "!"},
		{wire.Simple, "tab\there", "tab\there"},
	}
	for _, tt := range tests {
		r := wire.NewRequest("GET", "/")
		r.Header("x-v", tt.style, tt.value)
		s, err := trySend(t, wire.Config{}, r)
		if tt.want == "!" {
			if !errors.Is(err, wire.ErrRequest) || s.raw != nil {
				t.Errorf("%q: %v, sent: %t", tt.value, err, s.raw != nil)
			}
			continue
		}
		if err != nil || s.header.Get("X-V") != tt.want {
			t.Errorf("%v = %q, %v; want %q", tt.value, s.header.Get("X-V"), err, tt.want)
		}
	}
}

// Mistakes are kept, the first counts, and nothing is sent.
func TestMistakesAreKept(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*wire.Request){
		"NaN in a query":     func(r *wire.Request) { r.Query("ratio", wire.Form, math.NaN()) },
		"infinity in a path": func(r *wire.Request) { r.Header("H", wire.Simple, math.Inf(1)) },
		"NaN in a body":      func(r *wire.Request) { r.JSON(map[string]float64{"ratio": math.NaN()}) },
		"a union that failed": func(r *wire.Request) {
			r.JSON(struct{ U wire.Union }{wire.UnionOf(math.NaN())})
		},
		"nil request":        func(r *wire.Request) { r.Fail(wire.ErrNilRequest) },
		"header name":        func(r *wire.Request) { r.Header("X A", wire.Simple, "v") },
		"no header name":     func(r *wire.Request) { r.Header("", wire.Simple, "v") },
		"media type":         func(r *wire.Request) { r.JSONAs("application/json\r\nX: y", 1) },
		"a date that is not": func(r *wire.Request) { r.Query("d", wire.Form, wire.Date{Year: 2023, Month: 2, Day: 30}) },
	}
	for name, build := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := wire.NewRequest("POST", "/")
			build(r)
			first := r.Err()
			r.Fail(errors.New("another"))
			s, err := trySend(t, wire.Config{}, r)
			if !errors.Is(err, wire.ErrRequest) || s.raw != nil {
				t.Fatalf("Send: %v, sent: %t", err, s.raw != nil)
			}
			if err.Error() != first.Error() {
				t.Errorf("error is %q, want the first: %q", err, first)
			}
			if strings.Count(err.Error(), wire.ErrRequest.Error()) != 1 {
				t.Errorf("the sentinel is in the text more than once: %s", err)
			}
		})
	}
}

func TestAccept(t *testing.T) {
	t.Parallel()
	r := wire.NewRequest("GET", "/")
	r.Accept("application/vnd.acme.item.v2+json", "text/event-stream;q=0.5")
	if got, want := send(t, wire.Config{}, r).header.Get("Accept"), "application/vnd.acme.item.v2+json, text/event-stream;q=0.5"; got != want {
		t.Errorf("Accept: %q, want %q", got, want)
	}
}

// A request that is sent many times sends the same each time, and an editor that changes its copy changes nothing else.
func TestRequestIsImmutable(t *testing.T) {
	t.Parallel()
	r := wire.NewRequest("POST", "/{a}")
	r.Path("a", wire.Simple, "x/y")
	r.Query("q", wire.Form, "1")
	r.Header("H", wire.Simple, "h")
	r.Cookie("c", wire.Form, "1")
	r.Security([]string{"key", "cookie"})
	r.JSON(map[string]int{"a": 1})
	c := wire.Config{
		Schemes: []wire.Scheme{
			{Name: "key", Kind: wire.APIKey, In: wire.InQuery, Param: "key"}, {Name: "cookie", Kind: wire.APIKey, In: wire.InCookie, Param: "s"},
		},
		Credentials: map[string]wire.Credential{"key": secret("k&1"), "cookie": secret("s3")},
		Edit: []func(*http.Request) error{func(r *http.Request) error {
			r.URL.Path = "/edited"
			r.URL.RawPath = ""
			r.Header.Add("H", "edited")
			r.Header.Add("Cookie", "edited")
			return nil
		}},
	}
	first := send(t, c, r)
	second := send(t, c, r)
	if first.uri != "/edited?q=1&key=k%261" || first.uri != second.uri || first.body != `{"a":1}` || second.body != first.body {
		t.Errorf("first %s %s, then %s %s", first.uri, first.body, second.uri, second.body)
	}
	if diff := cmp.Diff(first.header, second.header); diff != "" {
		t.Errorf("headers (-first +second):\n%s", diff)
	}
	if got, want := first.header["H"], []string{"h", "edited"}; !cmp.Equal(got, want) {
		t.Errorf("header H is %q, want %q", got, want)
	}
	if got, want := first.header["Cookie"], []string{"c=1; s=s3", "edited"}; !cmp.Equal(got, want) {
		t.Errorf("Cookie is %q, want %q", got, want)
	}
	if !utf8.ValidString(first.uri) {
		t.Errorf("uri %q", first.uri)
	}
}
