package generator_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
	others "github.com/resgen-go/resgen/testdata/specs/others/want"
)

// library is the API of testdata/specs/others: what each path answers, "" for a 503, and what was asked.
type library struct {
	answers map[string]string
	asked   []string
}

// RoundTrip answers a request.
func (l *library) RoundTrip(r *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	l.asked = append(l.asked, path)
	text, kind, code := l.answers[path], "application/json", http.StatusOK
	if text == "" {
		text, code = "{}", http.StatusServiceUnavailable
	}
	if path == "/queue" && code == http.StatusOK {
		code = http.StatusAccepted
	}
	if strings.HasPrefix(text, "data:") {
		kind = "text/event-stream"
	}
	return &http.Response{
		StatusCode: code, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(text)), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

// clientOfOthers makes a client of the API, whose functions ask what they are given.
func clientOfOthers(t *testing.T, transport http.RoundTripper) *others.Client {
	t.Helper()
	type search = func(context.Context, *others.Search) (runtime.Result[[]others.Passage], error)
	first := func(ctx context.Context, text string, ask search) (string, error) {
		found, err := ask(ctx, &others.Search{Text: text})
		if err != nil || len(found.Value) == 0 {
			return "", err
		}
		return found.Value[0].Text, nil
	}
	c, err := others.New(
		others.WithHTTPClient(&http.Client{Transport: transport}),
		others.WithPassages(func(ctx context.Context, q *others.Question, ask search) (*others.Answer, error) {
			text, err := first(ctx, q.Text, ask)
			return &others.Answer{Text: text}, err
		}),
		others.WithPassagesStream(func(ctx context.Context, q *others.Question, ask search) (*runtime.Stream[others.Piece], error) {
			text, err := first(ctx, q.Text, ask)
			if err != nil {
				return nil, err
			}
			return runtime.StreamOf(others.Piece{Text: wire.Some(text)}), nil
		}),
		others.WithLocalPassages(func(context.Context, *others.Search) ([]others.Passage, error) {
			return []others.Passage{{Text: "local"}}, nil
		}),
		others.WithSubjectOf(func(ctx context.Context, req *others.GetSubjectRequest, ask search) (string, error) {
			return first(ctx, req.Subject, ask)
		}),
		others.WithForgetLater(func(ctx context.Context, req *others.ForgetRequest, ask func(context.Context, *others.EnqueueRequest) error) error {
			return ask(ctx, &others.EnqueueRequest{Forget: wire.Some(req.Subject)})
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestOtherOperationsAnswer walks the ladders of testdata/specs/others, and compares what is asked and what is said of it.
func TestOtherOperationsAnswer(t *testing.T) {
	t.Parallel()
	const one, old, found = `{"text":"new"}`, `{"text":"old"}`, `[{"text":"passage"}]`
	const pieces = "data: {\"text\":\"word\"}\n\ndata: [DONE]\n\n"
	const answers, older, search, subject, queue = "/answers", "/v1/answers", "/passages/search", "/subjects/x", "/queue"
	type said struct {
		Text, Rung string
		Level      policy.Level
	}
	plain := func(ctx context.Context, c *others.Client) (said, error) {
		res, err := c.CreateAnswer(ctx, &others.Question{Text: "why?"})
		if err != nil {
			return said{}, err
		}
		return said{res.Value.Text, res.Rung, res.Level}, nil
	}
	stream := func(ctx context.Context, c *others.Client) (said, error) {
		res, err := c.CreateAnswerStream(ctx, &others.Question{Text: "why?"})
		if err != nil {
			return said{}, err
		}
		out := said{Rung: res.Rung, Level: res.Level}
		for piece, err := range res.Value.All() {
			if err != nil {
				return out, err
			}
			out.Text += piece.Text.Or("")
		}
		return out, nil
	}
	for name, tt := range map[string]struct {
		answers map[string]string
		call    func(context.Context, *others.Client) (said, error)
		want    said
		asked   []string
	}{
		"the operation itself": {map[string]string{answers: one}, plain, said{"new", "", policy.Equal}, []string{answers}},
		"an operation of the same types": {
			map[string]string{older: old}, plain, said{"old", "older", policy.Reduced}, []string{answers, answers, older},
		},
		"an operation of other types": {
			map[string]string{search: found}, plain, said{"passage", "passages", policy.Reduced}, []string{answers, answers, older, search},
		},
		"it tries again, and its own ladder does not count": {
			nil, plain, said{"I cannot answer right now.", "sorry", policy.Canned}, []string{answers, answers, older, search, search, search},
		},
		"a stream by a stream": {
			map[string]string{older: pieces}, stream, said{"word", "older", policy.Reduced}, []string{answers, answers, older},
		},
		"a stream of what was found": {
			map[string]string{search: found}, stream, said{"passage", "passages", policy.Reduced}, []string{answers, answers, older, search},
		},
		"no stream but a fixed one": {
			nil, stream, said{"I cannot answer right now.", "sorry", policy.Canned}, []string{answers, answers, older, search, search, search},
		},
		"of a level of its own": {
			map[string]string{search: found}, func(ctx context.Context, c *others.Client) (said, error) {
				res, err := c.GetSubject(ctx, &others.GetSubjectRequest{Subject: "x"})
				return said{res.Value, res.Rung, res.Level}, err
			}, said{"passage", "found", policy.Stale}, []string{subject, search},
		},
		"with nothing to answer": {
			map[string]string{queue: "{}"}, func(ctx context.Context, c *others.Client) (said, error) {
				res, err := c.Forget(ctx, &others.ForgetRequest{Subject: "x"})
				return said{"", res.Rung, res.Level}, err
			}, said{"", "queue", policy.Reduced}, []string{subject, queue},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &library{answers: tt.answers}
				got, err := tt.call(t.Context(), clientOfOthers(t, l))
				if err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("answer (-want +got):\n%s", diff)
				}
				if !slices.Equal(l.asked, tt.asked) {
					t.Errorf("asked %q, want %q", l.asked, tt.asked)
				}
			})
		})
	}
}

// TestStreamOfAnotherOperationGivesBackBoth ends streams that another operation answers, in each way, and looks for what they held.
func TestStreamOfAnotherOperationGivesBackBoth(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*runtime.Stream[others.Piece]){
		"closed": func(s *runtime.Stream[others.Piece]) { s.Close() },
		"left": func(s *runtime.Stream[others.Piece]) {
			for range s.All() {
				break
			}
		},
		"read": func(s *runtime.Stream[others.Piece]) {
			for range s.All() {
				continue
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := clientOfOthers(t, &library{answers: map[string]string{"/v1/answers": "data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b\"}\n\ndata: [DONE]\n\n"}})
				for range 500 { // more than any bulkhead has permits
					res, err := c.CreateAnswerStream(t.Context(), &others.Question{Text: "why?"})
					if err != nil {
						t.Fatal(err)
					}
					end(res.Value)
					<-time.After(time.Minute)
				}
			})
		})
	}
}
