package cases_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cases.test/shop"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

// The functions below are what docs/reference/generated.md shows; each says what it saw.

func newShop(url, id, secret string) (*shop.Client, error) {
	client, err := shop.New(
		shop.WithBaseURL(url), // or shop.ServerSandbox, or shop.ServerShopExampleV2("us")
		shop.WithClientCredentials(id, secret, "read", "write"),
	)
	return client, err
}

func page(ctx context.Context, client *shop.Client) (names []string, failed error) {
	for item, err := range client.ListItemsAll(ctx, &shop.ListItemsRequest{Limit: wire.Some[int64](2), Sort: wire.Some(shop.ListItemsSortPrice)}) {
		if err != nil {
			return names, err // of the page that failed; the loop ends
		}
		names = append(names, item.Name)
	}
	return names, nil
}

func patch(ctx context.Context, client *shop.Client) error {
	_, err := client.PatchItem(ctx, &shop.PatchItemRequest{ID: "a/b", Body: shop.Patch{
		Note:  wire.SomeNull[string](), // sent as null; the zero value of Price is not sent
		Price: wire.Opt[float64]{},
	}})
	return err
}

func upload(ctx context.Context, client *shop.Client, file io.Reader) (string, error) {
	answer, err := client.CreateItemWithMultipart(ctx, &shop.CreateItemWithMultipartRequest{Body: shop.CreateItemRequestForm{
		Meta:  shop.Item{Name: "lamp", Color: wire.Some(shop.ItemColorRed)}, // a part of JSON
		Photo: wire.FromReader(file).Named("lamp.png"),                      // streamed
	}})
	if err != nil {
		return "", err
	}
	switch answer := answer.(type) {
	case shop.CreateItemCreated:
		return answer.Body.Name, nil
	default: // shop.CreateItemAccepted
		return "", nil
	}
}

func download(ctx context.Context, client *shop.Client, to io.Writer) error {
	photo, err := client.GetPhoto(ctx, &shop.GetPhotoRequest{ID: "7"})
	if err != nil {
		return err
	}
	defer photo.Close()
	_, err = io.Copy(to, photo)
	return err
}

func watch(ctx context.Context, client *shop.Client) (seen []string, failed error) {
	events, err := client.Watch(ctx)
	if err != nil {
		return nil, err
	}
	defer events.Close()
	for event, err := range events.All() {
		if err != nil {
			return seen, err // also where the stream was cut
		}
		if sold, ok := event.AsSold(); ok {
			seen = append(seen, "sold "+sold.Item)
		} else if priced, ok := event.AsPriced(); ok {
			seen = append(seen, fmt.Sprint("priced ", priced.Price))
		} else { // a kind that the document does not know yet
			seen = append(seen, event.KindTag()+" "+string(event.Raw()))
		}
	}
	return seen, nil
}

func total(ctx context.Context, client *shop.Client) (shop.ListItemsHeaders, error) {
	var meta runtime.Meta
	if _, err := client.ListItems(runtime.Capture(ctx, &meta), nil); err != nil {
		return shop.ListItemsHeaders{}, err
	}
	return wire.ReadHeader[shop.ListItemsHeaders](meta.Header)
}

func why(err error) string {
	var missing *wire.PayloadError[shop.Missing]
	var failure *wire.PayloadError[shop.Failure]
	var call *runtime.Error
	switch {
	case errors.As(err, &missing): // 404
		return "no shop " + missing.Payload.Shop
	case errors.As(err, &failure): // any other status that is none of success
		return "failure " + failure.Payload.Code
	case errors.As(err, &call): // it was not sent, or nothing of use came back
		return call.Kind.String()
	default:
		return "none"
	}
}

// answerShop is the shop's server.
func answerShop(w http.ResponseWriter, r *http.Request) {
	say := func(status int, mediaType, body string) {
		w.Header().Set("Content-Type", mediaType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	switch r.Method + " " + r.URL.Path {
	case "POST /oauth/token":
		say(200, "application/json", `{"access_token":"t1","token_type":"Bearer","expires_in":3600}`)
	case "GET /items":
		w.Header().Set("X-Total", "3")
		w.Header().Set("X-Expires", "2030-01-02T03:04:05Z")
		switch r.URL.Query().Get("cursor") {
		case "":
			say(200, "application/json", `{"items":[{"name":"a"},{"name":"b"}],"next":"n&1"}`)
		case "n&1":
			say(200, "application/json", `{"items":[{"name":"c"}],"next":null}`)
		case "404":
			say(404, "application/problem+json", `{"shop":"x"}`)
		default:
			say(500, "application/json", `{"code":"E1"}`)
		}
	case "POST /items":
		say(201, "application/json", `{"name":"lamp"}`)
	case "GET /items/7/photo":
		say(200, "image/png", "\x89PNG")
	case "GET /events":
		say(200, "application/x-ndjson", `{"kind":"sold","item":"a"}`+"\n"+`{"kind":"priced","price":2.5}`+"\n"+`{"kind":"new","x":1}`+"\n")
	default:
		say(200, "application/json", `{"name":"?"}`)
	}
}

// TestShop runs what docs/reference/generated.md shows.
func TestShop(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.answer = answerShop
	client, err := newShop(s.URL, "id", "secret")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()

	names, err := page(ctx, client)
	if diff := cmp.Diff([]string{"a", "b", "c"}, names); diff != "" || err != nil {
		t.Errorf("page: %v (-want +got):\n%s", err, diff)
	}
	if err := patch(ctx, client); err != nil {
		t.Errorf("patch: %v", err)
	}
	if name, err := upload(ctx, client, strings.NewReader("bytes")); name != "lamp" || err != nil {
		t.Errorf("upload: %q, %v", name, err)
	}
	var photo strings.Builder
	if err := download(ctx, client, &photo); photo.String() != "\x89PNG" || err != nil {
		t.Errorf("download: %q, %v", photo.String(), err)
	}
	seen, err := watch(ctx, client)
	if diff := cmp.Diff([]string{"sold a", "priced 2.5", `new {"kind":"new","x":1}`}, seen); diff != "" || err != nil {
		t.Errorf("watch: %v (-want +got):\n%s", err, diff)
	}
	h, err := total(ctx, client)
	if h.XTotal != 3 || !h.XExpires.Or(time.Time{}).Equal(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)) || err != nil {
		t.Errorf("total: %+v, %v", h, err)
	}
	for cursor, want := range map[string]string{"": "none", "404": "no shop x", "500": "failure E1"} {
		if _, err := client.ListItems(ctx, &shop.ListItemsRequest{Cursor: wire.Some(cursor)}); why(err) != want {
			t.Errorf("cursor %q: %v is %q, want %q", cursor, err, why(err), want)
		}
	}
	if _, err := client.PatchItem(ctx, nil); why(err) != "caller" {
		t.Errorf("no request: %v is %q", err, why(err))
	}
	wantShopRequests(t, s)
}

// wantShopRequests compares what reached the server where the bytes matter.
func wantShopRequests(t *testing.T, s *stand) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var got []string
	tokens := 0
	for _, r := range s.seen {
		switch {
		case r.target == "/oauth/token":
			tokens++
			continue
		case r.header.Get("Authorization") != "Bearer t1":
			t.Errorf("%s %s has Authorization %q", r.method, r.target, r.header.Get("Authorization"))
		case r.method == http.MethodPatch && !json.Valid(r.body):
			t.Errorf("no JSON: %s", r.body)
		}
		if r.method == http.MethodPatch || strings.Contains(r.target, "limit") {
			got = append(got, strings.TrimSpace(r.method+" "+r.target+" "+string(r.body)))
		}
		if strings.HasPrefix(r.header.Get("Content-Type"), "multipart/form-data") {
			for _, part := range []string{
				"name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"name\":\"lamp\",\"color\":\"red\"}\r\n",
				"name=\"photo\"; filename=\"lamp.png\"\r\nContent-Type: image/png\r\n\r\nbytes\r\n",
			} {
				if !strings.Contains(string(r.body), part) {
					t.Errorf("no part %q in\n%s", part, r.body)
				}
			}
		}
	}
	want := []string{"GET /items?limit=2&sort=price", "GET /items?cursor=n%261&limit=2&sort=price", `PATCH /items/a%2Fb {"note":null}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if tokens != 1 {
		t.Errorf("%d tokens were asked for, want 1", tokens)
	}
}
