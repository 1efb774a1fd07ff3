package generator_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/wire"
	media "github.com/resgen-go/resgen/testdata/specs/media/want"
)

// TestMediaTypesOnTheWire sends and reads each media type by the method that has it.
func TestMediaTypesOnTheWire(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		typ, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
		if strings.HasPrefix(typ, "multipart/") {
			body = nil // the parts are wire's to test
		}
		got <- strings.Join([]string{r.Method, r.URL.Path, typ, r.Header.Get("Accept"), string(body)}, " ")
		accepted, _, _ := strings.Cut(r.Header.Get("Accept"), ",")
		w.Header().Set("Content-Type", accepted)
		switch {
		case r.URL.Path == "/records":
			w.WriteHeader(http.StatusCreated)
		case accepted == "":
			w.WriteHeader(http.StatusNoContent)
		case strings.HasSuffix(accepted, "json"):
			_, err = io.WriteString(w, `{"id":"1","name":"n"}`)
		default:
			_, err = io.WriteString(w, "a,b")
		}
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	c, err := media.New(runtime.WithBaseURL(server.URL), runtime.WithStore(cache.New(cache.Config{})))
	if err != nil {
		t.Fatal(err)
	}
	file := wire.FromBytes([]byte("FILE")).Typed("image/webp")
	const answers = ",application/problem+json;q=0.5"
	tests := map[string]struct {
		call func() error
		want string
	}{
		"JSON": {func() error {
			_, err := c.CreateImage(t.Context(), &media.ImageOrder{Prompt: "p"})
			return err
		}, `POST /images application/json application/json {"prompt":"p"}`},
		"parts": {func() error {
			_, err := c.CreateImageWithMultipart(t.Context(), &media.CreateImageWithMultipartRequest{Body: media.ImageUpload{Image: file}})
			return err
		}, "POST /images multipart/form-data application/json "},
		"bytes of the second type": {func() error {
			_, err := c.CreateImageWithBytes(t.Context(), &media.CreateImageWithBytesRequest{Body: file})
			return err
		}, "POST /images image/webp application/json FILE"},
		"CSV": {func() error {
			text, err := c.GetImageAsCSV(t.Context(), &media.GetImageRequest{ID: "1"})
			if text != "a,b" {
				t.Errorf("CSV %q", text)
			}
			return err
		}, "GET /images/1  text/csv" + answers + " "},
		"another JSON": {func() error {
			brief, err := c.GetImageAsExampleBriefJSON(t.Context(), &media.GetImageRequest{ID: "1"})
			if err == nil && brief.Name != "n" {
				t.Errorf("brief %+v", brief)
			}
			return err
		}, "GET /images/1  application/vnd.example.brief+json" + answers + " "},
		"lines": {func() error {
			return c.AddRecords(t.Context(), &media.AddRecordsRequest{Body: []media.Brief{{Name: "a"}, {Name: "b"}}})
		}, "POST /records application/x-ndjson  {\"name\":\"a\"}\n{\"name\":\"b\"}\n"},
		"a form": {func() error {
			_, err := c.ChatWithForm(t.Context(), &media.ChatWithFormRequest{Body: media.ChatOrder{Text: "a b"}})
			return err
		}, "POST /chat application/x-www-form-urlencoded application/json text=a+b"},
	}
	for name, test := range tests {
		if err := test.call(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(test.want, strings.ReplaceAll(<-got, ", ", ",")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	_, err = c.CreateImageWithBytes(t.Context(), &media.CreateImageWithBytesRequest{})
	if err == nil || len(got) > 0 {
		t.Errorf("a required body that is not given is sent: %v", err)
	}
}
