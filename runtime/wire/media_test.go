package wire_test

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

func TestJSONLines(t *testing.T) {
	t.Parallel()
	type record struct {
		ID   string   `json:"id"`
		Tags []string `json:"tags"`
	}
	records := []record{{ID: "<a>"}, {ID: "b\nc", Tags: []string{"x"}}}
	tests := map[string]struct {
		mediaType string
		body      any
		want      string
	}{
		"lines":            {"application/x-ndjson", records, `{"id":"<a>","tags":[]}` + "\n" + `{"id":"b\nc","tags":["x"]}` + "\n"},
		"a text sequence":  {"application/json-seq", records[:1], "\x1e" + `{"id":"<a>","tags":[]}` + "\n"},
		"an optional list": {"application/jsonl; charset=utf-8", wire.SomeNotNull([]int{1, 2}), "1\n2\n"},
		"an empty list":    {"application/jsonl", []int{}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := wire.NewRequest("POST", "/")
			r.JSONLines(tt.mediaType, tt.body)
			if !r.Replayable() {
				t.Error("a list cannot be sent again")
			}
			s := send(t, wire.Config{}, r)
			if diff := cmp.Diff(tt.want, s.body); diff != "" || s.header.Get("Content-Type") != tt.mediaType {
				t.Errorf("sent as %q (-want +got):\n%s", s.header.Get("Content-Type"), diff)
			}
		})
	}
	none := wire.NewRequest("POST", "/")
	none.JSONLines("application/jsonl", []int(nil))
	if s := send(t, wire.Config{}, none); s.header.Get("Content-Type") != "" || s.body != "" {
		t.Errorf("nil is sent as %q of type %q", s.body, s.header.Get("Content-Type"))
	}
	for _, v := range []any{[]any{1, func() {}}, map[string]int{"a": 1}} {
		bad := wire.NewRequest("POST", "/")
		bad.JSONLines("application/jsonl", v)
		if err := bad.Err(); !errors.Is(err, wire.ErrRequest) {
			t.Errorf("%T: %v", v, err)
		}
	}
}

// A body that the document has in several media types goes out in the caller's, if that is one of them.
func TestContentOfSeveralMediaTypes(t *testing.T) {
	t.Parallel()
	const list = "image/png, IMAGE/jpeg, text/*"
	for own, want := range map[string]string{"": "image/png", "image/jpeg": "IMAGE/jpeg", "image/gif": "image/png", "text/csv; header=present": "text/csv; header=present"} {
		r := wire.NewRequest("POST", "/")
		r.Content(list, wire.FromBytes([]byte("x")).Typed(own))
		if got := send(t, wire.Config{}, r).header.Get("Content-Type"); got != want {
			t.Errorf("content of type %q goes out as %q, want %q", own, got, want)
		}
	}
}

func TestMultipartAs(t *testing.T) {
	t.Parallel()
	type related struct {
		About map[string]string `json:"about"`
		File  wire.Content      `json:"file"`
		Plain wire.Content      `json:"plain"`
	}
	r := wire.NewRequest("POST", "/")
	r.MultipartAs("multipart/related; type=x", related{
		About: map[string]string{"a": "b"}, File: wire.FromBytes([]byte("FILE")).Named(`a"é.txt`).WithHeader("X-Part", "1").WithHeader("x-part", "2"),
		Plain: wire.FromBytes([]byte("PLAIN")),
	})
	s := send(t, wire.Config{}, r)
	typ, params, err := mime.ParseMediaType(s.header.Get("Content-Type"))
	if err != nil || typ != "multipart/related" || params["type"] != "x" {
		t.Fatalf("Content-Type %q: %v", s.header.Get("Content-Type"), err)
	}
	var got []string
	parts := multipart.NewReader(strings.NewReader(s.body), params["boundary"])
	for {
		p, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Header.Get("Content-Type")+"|"+p.FileName()+"|"+p.FormName()+"|"+p.Header.Get("X-Part")+"|"+string(data))
	}
	want := []string{`application/json||||{"a":"b"}`, `application/octet-stream|a"é.txt||2|FILE`, "application/octet-stream||||PLAIN"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
}

func TestStyledParts(t *testing.T) {
	t.Parallel()
	type form struct {
		Deep  map[string]any `json:"deep"`
		List  []string       `json:"list"`
		Files []wire.Content `json:"files"`
	}
	r := wire.NewRequest("POST", "/")
	r.Multipart(form{Deep: map[string]any{"a b": "x=y&z"}, List: []string{"p", "q"}, Files: []wire.Content{wire.FromBytes([]byte("F"))}},
		wire.Encoding{Name: "deep", Style: wire.DeepObject | wire.Explode}, wire.Encoding{Name: "list", Style: wire.Form},
		wire.Encoding{Name: "files", Style: wire.Form | wire.Explode})
	got := partsOf(t, send(t, wire.Config{}, r))
	want := []part{{Name: "deep[a b]", Body: "x=y&z"}, {Name: "list", Body: "p,q"}, {Name: "files", File: "files", Type: "application/octet-stream", Body: "F"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	bad := wire.NewRequest("POST", "/")
	bad.Multipart(form{Files: []wire.Content{wire.FromBytes(nil).WithHeader("X", "a\r\nb")}})
	if !errors.Is(bad.Err(), wire.ErrRequest) {
		t.Errorf("a header of two lines: %v", bad.Err())
	}
}

// What is described as JSON in the path is one segment, and what is the query itself has no name.
func TestJSONParameters(t *testing.T) {
	t.Parallel()
	r := wire.NewRequest("GET", "/a/{p}/b")
	r.Path("p", wire.JSONStyle, [][]string{{"a/b"}})
	r.Query("", wire.JSONStyle, map[string]int{"n": 1})
	if got, want := send(t, wire.Config{}, r).uri, "/a/%5B%5B%22a%2Fb%22%5D%5D/b?%7B%22n%22%3A1%7D"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	none := wire.NewRequest("GET", "/a/{p}")
	none.Path("p", wire.JSONStyle, nil)
	if !errors.Is(none.Err(), wire.ErrRequest) {
		t.Errorf("a path without its value: %v", none.Err())
	}
}
