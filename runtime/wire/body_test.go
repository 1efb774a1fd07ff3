package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

type lists struct {
	Req  []string              `json:"req"`
	Opt  []string              `json:"opt,omitzero"`
	Nul  wire.Null[[]string]   `json:"nul"`
	Cube [][][]float64         `json:"cube"`
	Raw  []byte                `json:"raw"`
	Free json.RawMessage       `json:"free,omitzero"`
	Map  map[string][][]int    `json:"map"`
	In   *lists                `json:"in,omitzero"`
	All  []lists               `json:"all,omitzero"`
	Any  any                   `json:"any,omitzero"`
	Un   wire.Opt[wire.Union]  `json:"un,omitzero"`
	Time map[string]*time.Time `json:"time,omitzero"`
	Skip []string              `json:"-"`
}

// C113: a required list that is nil is [], an optional one absent, a nullable one null only when asked; and nothing that the caller
// holds is changed.
func TestC113_NilLists(t *testing.T) {
	t.Parallel()
	const empty = `{"req":[],"nul":null,"cube":[],"raw":"","map":{}}`
	tests := map[string]struct {
		v    any
		want string
	}{
		"zero":     {lists{}, empty},
		"pointer":  {&lists{}, empty},
		"inside":   {lists{In: &lists{}, All: []lists{{}}}, empty[:len(empty)-1] + `,"in":` + empty + `,"all":[` + empty + `]}`},
		"in any":   {map[string]any{"a": lists{}, "b": nil}, `{"a":` + empty + `,"b":null}`},
		"deep":     {lists{Cube: [][][]float64{nil, {nil, {1}}}, Map: map[string][][]int{"a": nil, "b": {nil}}}, `{"req":[],"nul":null,"cube":[[],[[],[1]]],"raw":"","map":{"a":[],"b":[[]]}}`},
		"nullable": {lists{Nul: wire.NotNull[[]string](nil), Opt: []string{}}, `{"req":[],"opt":[],"nul":[],"cube":[],"raw":"","map":{}}`},
		"exact": {
			lists{Free: json.RawMessage(`{"n":12345678901234567890.10,"z":null}`), Un: wire.Some(wire.UnionOf(lists{}))},
			`{"req":[],"nul":null,"cube":[],"raw":"","free":{"n":12345678901234567890.10,"z":null},"map":{},"un":` + empty + `}`,
		},
		"list":      {[]lists(nil), `[]`},
		"map":       {map[string]int(nil), `{}`},
		"raw":       {json.RawMessage(`null`), `null`},
		"null":      {wire.NullOf[int](), `null`},
		"some null": {wire.SomeNull[int](), `null`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, err := json.Marshal(tt.v)
			if err != nil {
				t.Fatal(err)
			}
			r := wire.NewRequest("POST", "/")
			r.JSON(tt.v)
			s := send(t, wire.Config{}, r)
			if diff := cmp.Diff(tt.want, s.body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			if got := s.header.Get("Content-Type"); got != "application/json" {
				t.Errorf("Content-Type %q", got)
			}
			if after, err := json.Marshal(tt.v); err != nil || string(after) != string(before) {
				t.Errorf("the caller's value became %s, was %s (%v)", after, before, err)
			}
		})
	}
}

// C098: no body, no Content-Type.
func TestNoBody(t *testing.T) {
	t.Parallel()
	var pointer *lists
	for _, v := range []any{nil, pointer, wire.Opt[int]{}, wire.OptNull[int]{}, wire.Union{}, json.RawMessage(nil)} {
		for name, build := range map[string]func(*wire.Request){
			"JSON":      func(r *wire.Request) { r.JSON(v) },
			"Text":      func(r *wire.Request) { r.Text("text/plain", v) },
			"Form":      func(r *wire.Request) { r.Form(v) },
			"Multipart": func(r *wire.Request) { r.Multipart(v) },
			"Content":   func(r *wire.Request) { r.Content("*/*", wire.Content{}) },
		} {
			r := wire.NewRequest("POST", "/")
			build(r)
			s := send(t, wire.Config{}, r)
			if s.body != "" || s.header.Get("Content-Type") != "" || s.raw.ContentLength != 0 || s.raw.Body != nil {
				t.Errorf("%s of %T: body %q, %v", name, v, s.body, s.header)
			}
		}
	}
}

func TestTextAndMediaTypes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		build           func(*wire.Request)
		mediaType, body string
	}{
		"text":           {func(r *wire.Request) { r.Text("text/csv; charset=utf-8", "a,b\n") }, "text/csv; charset=utf-8", "a,b\n"},
		"number as text": {func(r *wire.Request) { r.Text("text/plain", wire.Some(1e21)) }, "text/plain", "1000000000000000000000"},
		"text range":     {func(r *wire.Request) { r.Text("text/*", "") }, "text/plain; charset=utf-8", ""},
		"vendor JSON":    {func(r *wire.Request) { r.JSONAs("application/vnd.acme.item.v2+json; v=2", 1) }, "application/vnd.acme.item.v2+json; v=2", "1"},
		"any JSON":       {func(r *wire.Request) { r.JSONAs("*/*", 1) }, "application/json", "1"},
		"content":        {func(r *wire.Request) { r.Content("application/pdf", wire.FromBytes([]byte("x")).Typed("a/b")) }, "application/pdf", "x"},
		"typed range":    {func(r *wire.Request) { r.Content("image/*", wire.FromBytes([]byte("x")).Typed("image/png")) }, "image/png", "x"},
		"any content":    {func(r *wire.Request) { r.Content("*/*", wire.FromReader(io.LimitReader(strings.NewReader("xy"), 2))) }, "application/octet-stream", "xy"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := wire.NewRequest("POST", "/")
			tt.build(r)
			s := send(t, wire.Config{}, r)
			if s.header.Get("Content-Type") != tt.mediaType || s.body != tt.body {
				t.Errorf("sent %q as %q, want %q as %q", s.body, s.header.Get("Content-Type"), tt.body, tt.mediaType)
			}
		})
	}
	// C101: a range is never sent
	r := wire.NewRequest("PUT", "/")
	r.Content("image/*", wire.FromBytes(nil))
	if _, err := trySend(t, wire.Config{}, r); !errors.Is(err, wire.ErrRequest) {
		t.Errorf("image/* without a type: %v", err)
	}
}

func TestForm(t *testing.T) {
	t.Parallel()
	type form struct {
		Name string         `json:"name"`
		Tags []string       `json:"tags"`
		Opt  wire.Opt[int]  `json:"opt,omitzero"`
		Meta map[string]any `json:"meta,omitzero"`
		Deep map[string]any `json:"deep,omitzero"`
		Flat []int          `json:"flat,omitzero"`
		JSON []int          `json:"json,omitzero"`
		Big  float64        `json:"big"`
	}
	r := wire.NewRequest("POST", "/")
	r.Form(form{
		Name: "a b&c=d+é", Tags: []string{"x", "y"}, Meta: map[string]any{"k": "v"}, Deep: map[string]any{"a": map[string]int{"b": 1}},
		Flat: []int{1, 2}, JSON: []int{3}, Big: 1e21,
	}, wire.Encoding{Name: "deep", Style: wire.DeepObject | wire.Explode}, wire.Encoding{Name: "flat", Style: wire.Form},
		wire.Encoding{Name: "json", ContentType: "application/json"})
	s := send(t, wire.Config{}, r)
	want := "name=a+b%26c%3Dd%2B%C3%A9&tags=x&tags=y&meta=%7B%22k%22%3A%22v%22%7D&deep%5Ba%5D%5Bb%5D=1&flat=1,2&json=%5B3%5D&big=1000000000000000000000"
	if diff := cmp.Diff(want, s.body); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	if got := s.header.Get("Content-Type"); got != "application/x-www-form-urlencoded" {
		t.Errorf("Content-Type %q", got)
	}
	nested := wire.NewRequest("POST", "/")
	nested.Form(map[string]any{"items": []any{map[string]int{"n": 9007199254740993}, "a b"}, "deep": map[string]any{"l": []any{"x", map[string]int{"k": 1}}}, "none": nil},
		wire.Encoding{Name: "deep", Style: wire.DeepObject | wire.Explode})
	if diff := cmp.Diff("deep%5Bl%5D%5B0%5D=x&deep%5Bl%5D%5B1%5D%5Bk%5D=1&items=%7B%22n%22%3A9007199254740993%7D&items=%22a+b%22", send(t, wire.Config{}, nested).body); diff != "" {
		t.Errorf("lists of objects (-want +got):\n%s", diff)
	}
	bad := wire.NewRequest("POST", "/")
	bad.Form([]int{1})
	if !errors.Is(bad.Err(), wire.ErrRequest) {
		t.Errorf("a form of a list: %v", bad.Err())
	}
}

type upload struct {
	Files []wire.Content         `json:"files"`
	Cover wire.Content           `json:"cover,omitzero"`
	Later wire.Opt[wire.Content] `json:"later,omitzero"`
	Meta  struct {
		Title string        `json:"title"`
		N     wire.Opt[int] `json:"n,omitzero"`
	} `json:"meta"`
	IDs    []int64              `json:"ids,omitzero"`
	Labels []string             `json:"labels,omitzero"`
	Kind   wire.Opt[level]      `json:"kind,omitzero"`
	When   wire.Opt[time.Time]  `json:"when,omitzero"`
	Keep   wire.Opt[bool]       `json:"keep,omitzero"`
	Blob   []byte               `json:"blob,omitzero"`
	Any    json.RawMessage      `json:"any,omitzero"`
	Un     wire.Opt[wire.Union] `json:"un,omitzero"`
	Objs   []map[string]int     `json:"objs,omitzero"`
	Skip   string               `json:"-"`
}

type part struct{ Name, File, Type, Body string }

func partsOf(t *testing.T, s sent) []part {
	t.Helper()
	_, params, err := mime.ParseMediaType(s.header.Get("Content-Type"))
	if err != nil {
		t.Fatalf("Content-Type: %v", err)
	}
	var parts []part
	for reader := multipart.NewReader(strings.NewReader(s.body), params["boundary"]); ; {
		p, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return parts
		}
		if err != nil {
			t.Fatalf("part: %v", err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			t.Fatalf("part: %v", err)
		}
		parts = append(parts, part{p.FormName(), p.FileName(), p.Header.Get("Content-Type"), string(data)})
	}
}

// C103: one part a file, JSON where the document says so, nothing for what is absent.
func TestC103_Multipart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a \"q\".json")
	if err := os.WriteFile(path, []byte("from disk"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := &upload{
		Files: []wire.Content{wire.FromFile(path), wire.FromBytes([]byte("b")).Named("b.bin").Typed("x/y"), wire.FromBytes(nil)},
		Cover: wire.FromBytes([]byte("png")).Named("c.png"),
		IDs:   []int64{1, 9007199254740993}, Labels: []string{"l1", "l2"}, Kind: wire.Some(level("a")),
		When: wire.Some(time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)), Keep: wire.Some(false), Blob: []byte{1},
		Any: json.RawMessage(`{"x":1}`), Un: wire.Some(wire.UnionOf("text")), Objs: []map[string]int{{"a": 1}, {"b": 2}},
	}
	v.Meta.Title = "t"
	r := wire.NewRequest("POST", "/up")
	r.Multipart(v, wire.Encoding{Name: "cover", ContentType: "image/png, image/jpeg"}, wire.Encoding{Name: "meta", ContentType: "application/json"},
		wire.Encoding{Name: "ids", ContentType: "application/json"}, wire.Encoding{Name: "kind", ContentType: "text/plain"})
	if !r.Replayable() {
		t.Error("not replayable")
	}
	s := send(t, wire.Config{}, r)
	if s.raw.ContentLength != int64(len(s.body)) {
		t.Errorf("Content-Length %d of %d bytes", s.raw.ContentLength, len(s.body))
	}
	want := []part{
		{"files", `a "q".json`, "application/json", "from disk"},
		{"files", "b.bin", "x/y", "b"},
		{"files", "files", "application/octet-stream", ""},
		{"cover", "c.png", "image/png", "png"},
		{"meta", "", "application/json", `{"title":"t"}`},
		{"ids", "", "application/json", "[1,9007199254740993]"},
		{"labels", "", "", "l1"},
		{"labels", "", "", "l2"},
		{"kind", "", "text/plain", "a"},
		{"when", "", "", "2024-01-02T03:04:05Z"},
		{"keep", "", "", "false"},
		{"blob", "", "", "AQ=="},
		{"any", "", "application/json", `{"x":1}`},
		{"un", "", "", "text"},
		{"objs", "", "application/json", `{"a":1}`},
		{"objs", "", "application/json", `{"b":2}`},
	}
	if diff := cmp.Diff(want, partsOf(t, s)); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if again := send(t, wire.Config{}, r); again.body != s.body {
		t.Error("the second attempt sends other bytes")
	}
}

func TestMultipartOfOtherObjects(t *testing.T) {
	t.Parallel()
	for _, v := range []any{
		map[string]any{"a": 1, "b": []string{"x", "y"}}, json.RawMessage(`{"a":1,"b":["x","y"]}`), wire.UnionOf(map[string]any{"a": 1, "b": []string{"x", "y"}}),
	} {
		r := wire.NewRequest("POST", "/up")
		r.Multipart(v)
		want := []part{{"a", "", "", "1"}, {"b", "", "", "x"}, {"b", "", "", "y"}}
		if diff := cmp.Diff(want, partsOf(t, send(t, wire.Config{}, r))); diff != "" {
			t.Errorf("%T: parts (-want +got):\n%s", v, diff)
		}
	}
	r := wire.NewRequest("POST", "/up")
	r.Multipart(map[string]any{"f": wire.FromBytes([]byte("x"))})
	if diff := cmp.Diff([]part{{"f", "f", "application/octet-stream", "x"}}, partsOf(t, send(t, wire.Config{}, r))); diff != "" {
		t.Errorf("map with a file: parts (-want +got):\n%s", diff)
	}
	r = wire.NewRequest("POST", "/up")
	r.Multipart(&custom{Name: "n", File: wire.FromBytes([]byte("x")), Extra: map[string]string{"more": "m"}})
	want := []part{{"name", "", "", "n"}, {"more", "", "", "m"}, {"file", "file", "application/octet-stream", "x"}}
	if diff := cmp.Diff(want, partsOf(t, send(t, wire.Config{}, r))); diff != "" {
		t.Errorf("additional properties: parts (-want +got):\n%s", diff)
	}
	r = wire.NewRequest("POST", "/up")
	r.JSON(upload{Cover: wire.FromBytes(nil)})
	if !errors.Is(r.Err(), wire.ErrRequest) {
		t.Errorf("a file in JSON: %v", r.Err())
	}
	r = wire.NewRequest("POST", "/up")
	r.Multipart([]int{1})
	if !errors.Is(r.Err(), wire.ErrRequest) {
		t.Errorf("multipart of a list: %v", r.Err())
	}
}

// custom is an object that writes its own JSON and holds a file.
type custom struct {
	Name  string            `json:"name"`
	File  wire.Content      `json:"file,omitzero"`
	Extra map[string]string `json:"-"             wire:"additional"`
}

func (v custom) MarshalJSON() ([]byte, error) { return wire.Marshal(&v) }

// zeros is an endless reader of nothing that holds no memory.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// C103: 200 MiB go through without being held.
func TestC103_FilesAreStreamed(t *testing.T) {
	const size = 200 << 20
	open := func() (io.ReadCloser, error) { return io.NopCloser(io.LimitReader(zeros{}, size)), nil }
	r := wire.NewRequest("POST", "/up")
	r.Multipart(&upload{Files: []wire.Content{wire.FromFunc(size, open)}})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var got int64
	e, err := wire.NewEndpoint(wire.Config{BaseURL: "http://h", Client: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		got, _ = io.Copy(io.Discard, r.Body)
		return answer(http.StatusOK, "", ""), nil
	})}})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := e.Send(t.Context(), r, wire.Outgoing{})
	if err != nil {
		t.Fatal(err)
	}
	resp.Release()
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; got < size || grown > 32<<20 {
		t.Errorf("sent %d bytes, allocated %d", got, grown)
	}
}

// C103: a reader that fails ends the attempt with its error.
func TestC103_AFailingReader(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	for name, c := range map[string]wire.Content{
		"open": wire.FromFunc(-1, func() (io.ReadCloser, error) { return nil, broken }),
		"read": wire.FromFunc(-1, func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("abc"), failing{broken})), nil
		}),
		"file": wire.FromFile(filepath.Join(t.TempDir(), "missing")),
	} {
		r := wire.NewRequest("POST", "/up")
		r.Multipart(&upload{Files: []wire.Content{c}})
		_, err := trySend(t, wire.Config{}, r)
		if !errors.Is(err, broken) && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// C005: a one-shot body is sent once, and never half.
func TestC005_AOneShotBodyIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, build := range map[string]func(*wire.Request, wire.Content){
		"content": func(r *wire.Request, c wire.Content) { r.Content("application/octet-stream", c) },
		"multipart": func(r *wire.Request, c wire.Content) {
			r.Multipart(&upload{Files: []wire.Content{wire.FromBytes([]byte("x")), c}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := wire.NewRequest("POST", "/")
			build(r, wire.FromReader(io.MultiReader(strings.NewReader("once"))))
			if r.Replayable() {
				t.Error("it says that it can be sent again")
			}
			s := send(t, wire.Config{}, r)
			if !strings.Contains(s.body, "once") || s.raw.GetBody != nil || s.raw.ContentLength != -1 {
				t.Errorf("sent %q, GetBody %t, length %d", s.body, s.raw.GetBody != nil, s.raw.ContentLength)
			}
			again, err := trySend(t, wire.Config{}, r)
			if !errors.Is(err, wire.ErrNotReplayable) || again.raw != nil {
				t.Errorf("second time: %v, sent: %t", err, again.raw != nil)
			}
		})
	}
}

// A reader that can be read at any place is sent again, from where it stood, and two attempts may read it at once.
func TestSeekableReader(t *testing.T) {
	t.Parallel()
	source := strings.NewReader("skip:hello")
	if _, err := source.Seek(5, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	r := wire.NewRequest("POST", "/")
	r.Content("text/plain", wire.FromReader(source))
	if !r.Replayable() {
		t.Fatal("not replayable")
	}
	for range 2 {
		s := send(t, wire.Config{}, r)
		if s.body != "hello" || s.raw.ContentLength != 5 {
			t.Errorf("sent %q, length %d", s.body, s.raw.ContentLength)
		}
	}
	one, err := send(t, wire.Config{}, r).raw.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	two, err := send(t, wire.Config{}, r).raw.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	var a, b bytes.Buffer
	for range 5 {
		_, errA := io.CopyN(&a, one, 1)
		_, errB := io.CopyN(&b, two, 1)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
	}
	if a.String() != "hello" || b.String() != "hello" {
		t.Errorf("read %q and %q at once", a.String(), b.String())
	}
}

// A POST without a body is sent without one, also where it must not be executed twice: a body of nothing would travel in chunks.
func TestNoBodyOfASingleExecution(t *testing.T) {
	t.Parallel()
	for method, replays := range map[string]bool{"POST": false, "PUT": false, "PATCH": false, "DELETE": false, "GET": true} {
		var length int64
		var encoding []string
		url, _ := server(t, func(_ http.ResponseWriter, r *http.Request) { length, encoding = r.ContentLength, r.TransferEncoding })
		e, err := wire.NewEndpoint(wire.Config{BaseURL: url})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := e.Send(t.Context(), wire.NewRequest(method, "/"), wire.Outgoing{Once: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := wire.NoBody(resp); err != nil {
			t.Fatal(err)
		}
		if length != 0 || len(encoding) != 0 {
			t.Errorf("%s (net/http replays it: %v): length %d, encoding %v; want no body", method, replays, length, encoding)
		}
		e.CloseIdleConnections()
	}
}

// A reader or a file of the caller's that fails is a fault of the request, whatever the transport makes of it.
func TestAFailingReaderIsTheRequestsFault(t *testing.T) {
	t.Parallel()
	lost := errors.New("the disk is gone")
	url, _ := server(t, func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	for name, c := range map[string]struct {
		body wire.Content
		want error
	}{
		"reader": {wire.FromReader(io.MultiReader(strings.NewReader("half"), iotest.ErrReader(lost))), lost},
		"file":   {wire.FromFile(filepath.Join(t.TempDir(), "none")), fs.ErrNotExist},
	} {
		e, err := wire.NewEndpoint(wire.Config{BaseURL: url})
		if err != nil {
			t.Fatal(err)
		}
		r := wire.NewRequest("POST", "/")
		r.Content("application/octet-stream", c.body)
		if _, err := e.Send(t.Context(), r, wire.Outgoing{}); !errors.Is(err, wire.ErrRequest) || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want ErrRequest and %v", name, err, c.want)
		}
		e.CloseIdleConnections()
	}
}
