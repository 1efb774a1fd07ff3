package generator_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	others "github.com/resgen-go/resgen/testdata/specs/others/want"
)

// faulty answers the search as a fault does, and everything else with 503.
type faulty struct {
	does     func(*http.Request) (*http.Response, error)
	searches int
}

// RoundTrip answers a request.
func (f *faulty) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/passages/search") {
		f.searches++
		return f.does(r)
	}
	return responseOf(r, ""), nil
}

// saying is a fault: an answer with that status, type and body; header is name and value in turn.
func saying(status int, kind, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {kind}}
		for i := 0; i+1 < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
}

// TestFaultsOfAnotherOperation plays each fault at the operation that a rung asks: how often it is asked, by its own policy, which rung answers
// then, and in what time.
func TestFaultsOfAnotherOperation(t *testing.T) {
	t.Parallel()
	const json, retried = "application/json", 3
	const waits = 300 * time.Millisecond // the search's backoff
	hangs := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	for name, tt := range map[string]struct {
		does     func(*http.Request) (*http.Response, error)
		cancel   time.Duration
		found    bool
		searches int
		took     time.Duration // by the search
		over     time.Duration // and at most so much more
		kind     policy.Kind   // of the call, where no rung may answer
	}{
		"it finds something": {does: saying(200, json, `[{"text":"passage"}]`), found: true, searches: 1},
		"connection refused": {does: func(*http.Request) (*http.Response, error) { return nil, errors.New("refused") }, searches: retried, took: waits},
		"it hangs":           {does: hangs, searches: retried, took: 3*time.Second + waits},
		"slow": {does: func(r *http.Request) (*http.Response, error) {
			<-time.After(900 * time.Millisecond)
			return saying(200, json, `[{"text":"passage"}]`)(r)
		}, found: true, searches: 1, took: 900 * time.Millisecond},
		"429 with Retry-After":           {does: saying(429, json, "{}", "Retry-After", "1"), searches: retried, took: 2 * time.Second, over: time.Second},
		"429 with a Retry-After of hour": {does: saying(429, json, "{}", "Retry-After", "3600"), searches: 1},
		"500":                            {does: saying(500, json, "{}"), searches: retried, took: waits},
		"malformed JSON":                 {does: saying(200, json, `[{"text":}]`), searches: retried, took: waits},
		"HTML from a proxy":              {does: saying(200, "text/html", "<html>"), searches: retried, took: waits},
		"the key is wrong":               {does: saying(401, json, "{}"), searches: 1},
		"400: the rung does not fit":     {does: saying(400, json, "{}"), searches: 1},
		"nothing is found":               {does: saying(200, json, "[]"), searches: 1, found: true},
		"the caller gives up":            {does: hangs, cancel: 700 * time.Millisecond, searches: 1, kind: policy.KindCanceled},
	} {
		for _, stream := range []bool{false, true} {
			form := map[bool]string{false: "plain", true: "stream"}[stream]
			t.Run(name+"/"+form, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					f := &faulty{does: tt.does}
					c := clientOfOthers(t, f)
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					if tt.cancel > 0 {
						defer time.AfterFunc(tt.cancel, cancel).Stop()
					}
					began := time.Now()
					tag, err := askOthers(ctx, c, stream)
					took := time.Since(began)
					const before = 200 * time.Millisecond // the operation's own backoff
					least := before + tt.took
					if tt.cancel > 0 {
						least = tt.cancel
					}
					if took < least || took > least+tt.over {
						t.Errorf("took %v, want %v (or %v more)", took, least, tt.over)
					}
					if f.searches != tt.searches {
						t.Errorf("searched %d times, want %d", f.searches, tt.searches)
					}
					want := runtime.Result[struct{}]{Rung: "passages", Level: policy.Reduced, Degraded: true}
					kind := tt.kind
					switch {
					case tt.found:
					case kind != policy.KindNone:
						want = runtime.Result[struct{}]{}
					default:
						want.Rung, want.Level = "sorry", policy.Canned
					}
					if tag != want || runtime.KindOf(err) != kind {
						t.Errorf("%+v, %v; want %+v, kind %v", tag, err, want, kind)
					}
					synctest.Wait()
				})
			})
		}
	}
}

// askOthers asks the client of testdata/specs/others, and returns what is said of the answer.
func askOthers(ctx context.Context, c *others.Client, stream bool) (tag runtime.Result[struct{}], err error) {
	question := &others.Question{Text: "why?"}
	if !stream {
		res, err := c.CreateAnswer(ctx, question)
		return runtime.Result[struct{}]{Rung: res.Rung, Level: res.Level, Degraded: res.Degraded}, err
	}
	res, err := c.CreateAnswerStream(ctx, question)
	if err != nil {
		return tag, err
	}
	for _, err := range res.Value.All() {
		if err != nil {
			return tag, err
		}
	}
	return runtime.Result[struct{}]{Rung: res.Rung, Level: res.Level, Degraded: res.Degraded}, nil
}
