package cases_test

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"cases.test/c098"
	"cases.test/c100"
	"cases.test/c101"
	"cases.test/c103"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestC098_AnswersAndRequestsWithoutABody(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c098.New)
	drop := func() error { return c.Drop(t.Context(), &c098.DropRequest{ID: "1"}) }
	for _, status := range []int{204, 205} {
		for _, mediaType := range []string{"application/json", "", "text/html"} {
			s.says(status, mediaType, "")
			must(t, drop())
		}
	}
	s.says(418, "application/json", "")
	says(t, drop(), "418")
	s.forget()

	maybe := func() error { return c.Maybe(t.Context(), nil) }
	for _, status := range []int{200, 201, 202} {
		s.says(status, "", "")
		must(t, maybe())
		r := s.one(t)
		_, typed := r.header["Content-Type"]
		if len(r.body) != 0 || r.length != 0 || typed {
			t.Errorf("a call without a body sends %q of %d bytes with %v", r.body, r.length, r.header)
		}
		s.says(status, "application/json", `{"un":"declared"}`)
		must(t, maybe())
		s.forget()
	}
	must(t, c.Maybe(t.Context(), &c098.MaybeRequest{}))
	r := s.one(t)
	same(t, "an empty object is a body", string(r.body)+" "+r.header.Get("Content-Type"), "{} application/json")
	s.says(204, "", "")
	for _, tt := range []struct {
		call error
		want string
	}{
		{c.MaybeList(t.Context(), nil), ""},
		{c.MaybeList(t.Context(), []string{}), "[]"},
		{c.MaybeNamed(t.Context(), nil), ""},
		{c.MaybeNamed(t.Context(), c098.Names{"a"}), `["a"]`},
		{c.MaybeAny(t.Context(), &c098.MaybeAnyRequest{}), ""},
		{c.MaybeAny(t.Context(), &c098.MaybeAnyRequest{Body: []byte("null")}), "null"},
		{c.MaybeMap(t.Context(), nil), ""},
		{c.MaybeMap(t.Context(), &c098.MaybeMapRequest{Q: wire.Some("q")}), ""},
		{c.MaybeMap(t.Context(), &c098.MaybeMapRequest{Body: map[string]string{}}), "{}"},
		{c.MaybeNull(t.Context(), wire.OptNull[[]string]{}), ""},
		{c.MaybeNull(t.Context(), wire.SomeNull[[]string]()), "null"},
	} {
		must(t, tt.call)
		s.mu.Lock()
		r := s.seen[0]
		s.seen = s.seen[1:]
		s.mu.Unlock()
		if string(r.body) != tt.want || (r.header.Get("Content-Type") != "") != (tt.want != "") {
			t.Errorf("%s %s sends %q of %q, want %q", r.method, r.target, r.body, r.header.Get("Content-Type"), tt.want)
		}
	}
}

func TestC098_EmptyWhereJSONIsDeclared(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c098.New)
	fetch := func() (*c098.FetchResponse, error) { return c.Fetch(t.Context(), &c098.FetchRequest{ID: "1"}) }
	for _, mediaType := range []string{"application/json", ""} {
		s.says(200, mediaType, "")
		got, err := fetch()
		says(t, err, "empty body")
		if got != nil || strings.HasSuffix(err.Error(), ": EOF") {
			t.Errorf("got %v, %v", got, err)
		}
	}
	s.says(304, "", "")
	if got, err := fetch(); err == nil && got == nil {
		t.Error("neither a result nor an error")
	}
	s.says(204, "application/json", "")
	both, err := c.Both(t.Context(), &c098.BothRequest{ID: "1"})
	must(t, err)
	if _, ok := both.(c098.BothNoContent); !ok {
		t.Errorf("got %#v", both)
	}
	s.says(200, "application/json", `{"x":"y"}`)
	both = must1[c098.BothResponse](t)(c.Both(t.Context(), &c098.BothRequest{ID: "1"}))
	if ok, is := both.(c098.BothOK); !is || ok.Body.X.Or("") != "y" {
		t.Errorf("got %#v", both)
	}
}

func TestC098_HEADHasHeadersAndNoBody(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c098.New)
	s.does(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "4096")
		w.Header().Set("X-Size", "9007199254740993")
	})
	var meta runtime.Meta
	must(t, c.Probe(runtime.Capture(t.Context(), &meta), &c098.ProbeRequest{ID: "1"}))
	same(t, "method", s.one(t).method, "HEAD")
	same(t, "headers", []string{strconv.Itoa(meta.Status), meta.Header.Get("X-Size"), meta.Header.Get("Content-Length")}, []string{"200", "9007199254740993", "4096"})
	s.says(404, "", "")
	says(t, c.Probe(t.Context(), &c098.ProbeRequest{ID: "1"}), "404")
}

func TestC100_MediaTypesAreComparedAsTheyShould(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c100.New)
	note := func() (c100.NoteResponse, error) { return c.Note(t.Context(), &c100.NoteRequest{A: wire.Some("ä")}) }
	for _, tt := range []struct {
		status          int
		mediaType, body string
		want            c100.NoteResponse
	}{
		{200, "Application/JSON;charset=UTF-8", `{"b":"1"}`, c100.NoteOK{Body: c100.Note200Response{B: wire.Some("1")}}},
		{200, "application/json", `{"b":"1"}`, c100.NoteOK{Body: c100.Note200Response{B: wire.Some("1")}}},
		{200, `application/json ; charset="utf-8"; odata=verbose`, `{"b":"1"}`, c100.NoteOK{Body: c100.Note200Response{B: wire.Some("1")}}},
		{201, "application/vnd.harbour.note.v2+json", `{"c":"2"}`, c100.NoteCreated{Body: c100.Note201Response{C: wire.Some("2")}}},
		{201, "APPLICATION/VND.HARBOUR.NOTE.V2+JSON; v=2", `{"c":"2"}`, c100.NoteCreated{Body: c100.Note201Response{C: wire.Some("2")}}},
		{202, "text/json", `{"d":"3"}`, c100.NoteAccepted{Body: c100.Note202Response{D: wire.Some("3")}}},
		{203, "text/plain", "four", c100.NoteNonAuthoritativeInformation{Body: "four"}},
		{203, "TEXT/PLAIN;charset=utf-8", "vier ü", c100.NoteNonAuthoritativeInformation{Body: "vier ü"}},
	} {
		s.says(tt.status, tt.mediaType, tt.body)
		got, err := note()
		if err != nil || got != tt.want {
			t.Errorf("%s: got %#v, %v", tt.mediaType, got, err)
		}
		r := s.one(t)
		same(t, "Content-Type", r.header.Get("Content-Type"), "application/json; charset=utf-8")
		for _, accepted := range []string{"application/json", "application/vnd.harbour.note.v2+json", "text/json", "text/plain", "application/vnd.api+json", "problem+json"} {
			if !strings.Contains(strings.ToLower(r.header.Get("Accept")), accepted) {
				t.Errorf("Accept is %q, without %s", r.header.Get("Accept"), accepted)
			}
		}
	}
	s.says(400, "application/vnd.api+json;charset=utf-8", `{"errors":[{"detail":"no"}]}`)
	_, err := note()
	var failed *wire.PayloadError[c100.Note400Error]
	if !errors.As(err, &failed) || failed.Payload.Errors[0].Detail.Or("") != "no" {
		t.Errorf("got %v", err)
	}
	s.says(409, "application/problem+json", `{"title":"taken"}`)
	_, err = note()
	var problem *wire.PayloadError[c100.Note409Error]
	if !errors.As(err, &problem) || problem.Payload.Title.Or("") != "taken" {
		t.Errorf("got %v", err)
	}
	s.says(200, "text/html", "<html>maintenance</html>")
	_, err = note()
	says(t, err, "text/html")
	s.forget()

	s.says(200, "", "")
	must(t, c.PatchNote(t.Context(), []c100.PatchNoteRequestItem{{Op: "remove", Path: "/a"}}))
	r := s.one(t)
	same(t, "patch", r.header.Get("Content-Type")+" "+string(r.body), `application/json-patch+json [{"op":"remove","path":"/a"}]`)
	s.says(204, "", "")
	must(t, c.PutNote(t.Context(), &c100.PutNoteRequest{A: wire.Some("1")}))
	r = s.one(t)
	mediaType, params, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	must(t, err)
	same(t, "put", mediaType+" "+params["profile"]+" "+string(r.body), `application/vnd.harbour.note+json a b {"a":"1"}`)
}

func TestC101_RangesOfMediaTypes(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c101.New)
	for _, mediaType := range []string{"application/json", "application/vnd.x+json; v=1", "text/json"} {
		s.says(200, mediaType, `{"v":"1"}`)
		got, err := c.Anything(t.Context())
		must(t, err)
		same(t, mediaType, got.V.Or(""), "1")
		s.says(500, mediaType, `{"msg":"no"}`)
		_, err = c.Anything(t.Context())
		var failed *wire.PayloadError[c101.AnythingError]
		if !errors.As(err, &failed) || failed.Payload.Msg.Or("") != "no" {
			t.Errorf("%s: got %v", mediaType, err)
		}
	}
	s.says(200, "image/webp; q=1", "\x00\xff")
	file, err := c.File(t.Context())
	must(t, err)
	data, err := io.ReadAll(file)
	must(t, errors.Join(err, file.Close()))
	same(t, "file", file.MediaType+" "+string(data), "image/webp \x00\xff")
	s.says(200, "text/x-anything", "words")
	same(t, "words", must1[string](t)(c.Words(t.Context())), "words")
	s.forget()

	s.says(204, "", "")
	sent := func(call error) string {
		t.Helper()
		must(t, call)
		r := s.one(t)
		if strings.Contains(r.header.Get("Content-Type"), "*") {
			t.Errorf("a range is sent: %s", r.header.Get("Content-Type"))
		}
		return r.header.Get("Content-Type") + " " + string(r.body)
	}
	same(t, "png", sent(c.PutFile(t.Context(), &c101.PutFileRequest{Body: wire.FromBytes([]byte("x")).Typed("image/png")})), "image/png x")
	same(t, "csv", sent(c.PostFile(t.Context(), &c101.PostFileRequest{Body: wire.FromBytes([]byte("x")).Typed("text/csv")})), "text/csv x")
	says(t, c.PutFile(t.Context(), &c101.PutFileRequest{Body: wire.FromBytes([]byte("x"))}), "image/*", "Typed")
	s.none(t)
	sent(c.PostFile(t.Context(), &c101.PostFileRequest{Body: wire.FromBytes([]byte("x"))}))
	s.says(200, "application/hal+json", `{"w":1}`)
	model, err := c.PutModel(t.Context(), &c101.PutModelRequest{V: wire.Some("v")})
	must(t, err)
	same(t, "model", model.W.Or(0), 1)
	r := s.one(t)
	same(t, "a body of JSON under */*", r.header.Get("Content-Type")+" "+string(r.body), `application/json {"v":"v"}`)
}

// part is a part of a form, as a server that is not ours reads it.
type part struct{ Name, File, Type, Body string }

func parts(t *testing.T, r request) []part {
	t.Helper()
	_, params, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	must(t, err)
	reader := multipart.NewReader(strings.NewReader(string(r.body)), params["boundary"])
	var all []part
	for {
		p, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return all
		}
		must(t, err)
		body, err := io.ReadAll(p)
		must(t, err)
		all = append(all, part{p.FormName(), p.FileName(), p.Header.Get("Content-Type"), string(body)})
	}
}

func TestC103_PartsAreWhatTheDocumentSays(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	c := dial(t, s, c103.New)
	must(t, c.Upload(t.Context(), &c103.UploadRequest{Body: c103.UploadRequestBody{
		Files: []wire.Content{
			wire.FromBytes([]byte("one")).Named("1.txt").Typed("text/plain"),
			wire.FromBytes([]byte{0, 255}).Named("zwei \"2\".bin"),
		},
		Cover: wire.FromBytes([]byte("img")).Named("c.jpg").Typed("image/jpeg"),
		Info:  c103.UploadRequestInfo{Title: "t", N: wire.Some[int64](3)},
		IDs:   []int64{9007199254740993, 2}, Tags: []string{"a,b", "", "c"},
		Points: []c103.UploadRequestPointsItem{{X: wire.Some[int64](1)}, {}},
		Kind:   wire.Some(c103.UploadRequestKindA), At: wire.Some(time.Unix(0, 0).UTC()), Keep: wire.Some(false), Size: wire.Some[int64](1e15),
		Blob: []byte("blob"),
	}}))
	got := parts(t, s.one(t))
	count := map[string]int{}
	for _, p := range got {
		count[p.Name]++
		switch p.Name {
		case "files":
			if p.File == "" || p.Type == "" || p.Type == "application/json" {
				t.Errorf("a file is %+v", p)
			}
		case "cover":
			same(t, "cover", p, part{"cover", "c.jpg", "image/jpeg", "img"})
		case "info":
			same(t, "info", p, part{"info", "", "application/json", `{"title":"t","n":3}`})
		case "ids":
			same(t, "ids", p, part{"ids", "", "application/json", `[9007199254740993,2]`})
		case "points":
			same(t, "points", p.Type, "application/json")
		default:
			if p.File != "" || p.Type != "" && !strings.HasPrefix(p.Type, "text/plain") {
				t.Errorf("a part of text is %+v", p)
			}
		}
	}
	same(t, "parts", count, map[string]int{
		"files": 2, "cover": 1, "info": 1, "ids": 1, "tags": 3, "points": 2, "kind": 1, "at": 1, "keep": 1, "size": 1, "blob": 1,
	})
	bodies := map[string]string{}
	for _, p := range got {
		bodies[p.Name] += p.Body + "|"
	}
	same(t, "texts", []string{bodies["tags"], bodies["kind"], bodies["at"], bodies["keep"], bodies["size"], bodies["files"]},
		[]string{"a,b||c|", "a|", "1970-01-01T00:00:00Z|", "false|", "1000000000000000|", "one|\x00\xff|"})

	must(t, c.Upload(t.Context(), &c103.UploadRequest{Body: c103.UploadRequestBody{Files: []wire.Content{wire.FromBytes(nil).Named("empty")}}}))
	var names []string
	for _, p := range parts(t, s.one(t)) {
		names = append(names, p.Name)
	}
	same(t, "what is absent is not sent", names, []string{"files", "info"})
}
