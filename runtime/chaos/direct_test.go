package chaos_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
	"github.com/resgen-go/resgen/testdata/providers"
	llmchat "github.com/resgen-go/resgen/testdata/specs/llmchat/want"
)

// ask makes a call by connections of the client's own to a server, and returns what it failed with.
func ask(ctx context.Context, t *testing.T, address string, opts ...runtime.ClientOption) error {
	t.Helper()
	c, err := llmchat.New(append(opts, llmchat.WithBearer("key"), llmchat.WithBaseURL(address), llmchat.WithTarget("second", llmchat.WithBaseURL("http://127.0.0.1:1")))...)
	must(t, err)
	defer c.CloseIdleConnections()
	req := &llmchat.ChatRequest{Model: "m", Messages: []llmchat.ChatMessage{{Role: llmchat.ChatMessageRoleUser, Content: wire.SomeNotNull("Hello?")}}}
	_, err = c.CreateChatCompletion(runtime.WithMinLevel(ctx, runtime.Level(1)), req)
	return err
}

// By own connections, direct ones and those with TLS, faults are those of a server too.
func TestOwnConnections(t *testing.T) {
	t.Parallel()
	var compressed atomic.Bool
	right := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		compressed.Store(strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"))
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}`)
	})
	breaking := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		panic(http.ErrAbortHandler)
	})
	for scheme, start := range map[string]func(http.Handler) *httptest.Server{
		"http":  httptest.NewServer,
		"https": func(h http.Handler) *httptest.Server { return secure(h) },
	} {
		good, bad, gone := start(right), start(breaking), scheme+"://"+nobody(t, right)
		defer good.Close()
		defer bad.Close()
		trust := runtime.WithTLSConfig(&tls.Config{InsecureSkipVerify: true})
		inject := func(f chaos.Fault) runtime.ClientOption { return runtime.WithChaos(begin(t, always(f))) }
		for _, c := range []struct {
			name       string
			want, made error
		}{
			{"none", ask(t.Context(), t, good.URL, trust), ask(t.Context(), t, good.URL, trust, inject(chaos.Latency(time.Millisecond)))},
			{"refused", ask(t.Context(), t, gone, trust), ask(t.Context(), t, good.URL, trust, inject(chaos.Refused()))},
			{"reset", ask(t.Context(), t, bad.URL, trust), ask(t.Context(), t, good.URL, trust, inject(chaos.ResetByPeer()))},
		} {
			if want, got := errorOf(c.want), errorOf(c.made); want != got {
				t.Errorf("%s: %s: %s, made up: %s (%v)", scheme, c.name, want, got, c.made)
			}
		}
		if err := ask(t.Context(), t, good.URL, trust, inject(chaos.Malformed(0))); runtime.KindOf(err).String() != "decode" {
			t.Errorf("%s: malformed: %v", scheme, err)
		}
		if compressed.Load() {
			t.Errorf("%s: items were to be counted of what was asked for compressed", scheme)
		}
		_ = ask(t.Context(), t, good.URL, trust)
		if !compressed.Load() {
			t.Errorf("%s: without a fault no compression is asked for", scheme)
		}
	}
}

// nobody returns an address that refuses connections until the test ends: the near end of a connection has its port.
func nobody(t *testing.T, h http.Handler) string {
	t.Helper()
	far := httptest.NewServer(h)
	t.Cleanup(far.Close)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", far.Listener.Addr().String())
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn.LocalAddr().String()
}

func secure(h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = nil
	s.StartTLS()
	return s
}

// A tracer of the caller's own sees connections, with addresses, and fails on none.
func TestTracersSeeConnections(t *testing.T) {
	t.Parallel()
	var seen []string
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		GetConn: func(address string) { seen = append(seen, "get "+address) },
		GotConn: func(info httptrace.GotConnInfo) {
			seen = append(seen, fmt.Sprint("got ", info.Conn.RemoteAddr() != nil))
		},
		WroteHeaders: func() { seen = append(seen, "header") },
		WroteRequest: func(httptrace.WroteRequestInfo) { seen = append(seen, "request") },
	})
	rule := always(chaos.Status(400))
	err := ask(ctx, t, "http://nobody.test", runtime.WithChaos(begin(t, rule)))
	if status, ok := errors.AsType[*wire.StatusError](err); !ok || status.Status != 400 {
		t.Errorf("%v, want the status", err)
	}
	if want := []string{"get nobody.test:80", "got true", "header", "request"}; !slices.Equal(seen, want) {
		t.Errorf("%v, want %v", seen, want)
	}
}

// A redirect is part of an attempt, which meets its fault once.
func TestFaultsAreMetOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hops := 0
		client, stop := providers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			hops++
			if r.URL.Query().Get("again") == "" {
				http.Redirect(w, r, r.URL.Path+"?again=1", http.StatusTemporaryRedirect)
				return
			}
			w.WriteHeader(http.StatusBadRequest)
		}))
		defer stop()
		began := time.Now()
		err := ask(t.Context(), t, "http://first.test", runtime.WithHTTPClient(client), runtime.WithChaos(begin(t, always(chaos.Latency(time.Second)))))
		if took := time.Since(began); runtime.KindOf(err).String() != "caller" || hops != 2 || took != time.Second {
			t.Errorf("%d requests in %v: %v", hops, took, err)
		}
	})
}

// What a credential is asked for by leaves the fault to the request that it is for, also where it is another client with chaos.
func TestCredentialsMeetFaultsOfTheirOwn(t *testing.T) {
	t.Parallel()
	c := begin(t, chaos.Rule{Operations: []string{"c.*"}, Share: 1, Fault: chaos.Status(400)})
	inner := runtime.NewHTTP(runtime.HTTPSpec{Name: "inner"}, runtime.WithBaseURL("http://c.test"), runtime.WithHTTPClient(&http.Client{Transport: stub{}}), runtime.WithChaos(c))
	op := inner.Operation(policy.Plan{Operation: "get", Idempotency: policy.Safe})
	must(t, inner.Err())
	got := 0
	outer := runtime.NewHTTP(runtime.HTTPSpec{Name: "c", Schemes: []wire.Scheme{{Name: "key", Kind: wire.Bearer}}},
		runtime.WithBaseURL("http://c.test"), runtime.WithHTTPClient(&http.Client{Transport: stub{}}), runtime.WithChaos(c),
		runtime.WithCredentialFunc("key", func(ctx context.Context) (string, error) {
			var err error
			got, err = runtime.Call(ctx, inner, op, wire.NewRequest(http.MethodGet, "/"), func(r *wire.Response) (int, error) { return wire.JSONValueOn[int](r, 200) })
			return "secret", err
		}))
	ask := outer.Operation(policy.Plan{Operation: "get", Idempotency: policy.Safe})
	must(t, outer.Err())
	req := wire.NewRequest(http.MethodGet, "/")
	req.Security([]string{"key"})
	_, err := runtime.Call(t.Context(), outer, ask, req, func(r *wire.Response) (int, error) { return wire.JSONValueOn[int](r, 200) })
	if status, ok := errors.AsType[*wire.StatusError](err); !ok || status.Status != 400 || got != 1 {
		t.Errorf("%v; the credential's call answered %d", err, got)
	}
}
