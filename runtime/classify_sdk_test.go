package runtime_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// sdkError looks like that of openai-go.
type sdkError struct {
	Code, Message, Param, Type string
	raw                        string
	StatusCode                 int
	Response                   *http.Response
}

func (*sdkError) Error() string     { return "an SDK's error" }
func (e *sdkError) RawJSON() string { return e.raw }

func sdk(status int, raw string, fields ...string) error {
	e := &sdkError{StatusCode: status, raw: raw, Response: &http.Response{StatusCode: status, Header: http.Header{}}}
	for i := 0; i < len(fields); i += 2 {
		e.Response.Header.Set(fields[i], fields[i+1])
	}
	return e
}

// rpcError looks like that of grpc-go.
type rpcError struct{ code rpcCode }

type rpcCode uint32

func (*rpcError) Error() string          { return "an RPC's error" }
func (e *rpcError) GRPCStatus() *rpcCode { return &e.code }
func (c *rpcCode) Code() rpcCode         { return *c }
func (*rpcCode) Message() string         { return "" }

// hiding looks like that of weaviate-go-client.
type hiding struct {
	StatusCode       int
	DerivedFromError error
}

func (*hiding) Error() string { return "look at the field" }

func TestErrorsOfSDKsAreDecidedByThePresetsRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err      error
		preset   string
		kind     policy.Kind
		status   int
		attempts int // of three, of an operation that is safe
		once     int // of one that must not be repeated
		acted    bool
		wait     time.Duration
	}{
		"a status":           {err: sdk(503, ""), kind: policy.KindTransient, status: 503, attempts: 3, once: 1, acted: true},
		"money, unknown":     {err: sdk(429, `{"code":"insufficient_quota"}`), kind: policy.KindThrottle, status: 429, attempts: 3, once: 3},
		"money":              {err: sdk(429, `{"code":"insufficient_quota"}`), preset: "openai", kind: policy.KindUnusable, status: 429, attempts: 1, once: 1},
		"too long":           {err: sdk(400, `{"code":"context_length_exceeded"}`), preset: "openai", kind: policy.KindContextTooLong, status: 400, attempts: 1, once: 1},
		"a wait":             {err: sdk(429, ``, "Retry-After", "90"), kind: policy.KindThrottle, status: 429, attempts: 1, once: 1, wait: 90 * time.Second},
		"not again":          {err: sdk(503, ``, "X-Should-Retry", "false"), kind: policy.KindTransient, status: 503, attempts: 1, once: 1, acted: true},
		"in a stream":        {err: sdk(200, `{"error":{"type":"overloaded_error"}}`), kind: policy.KindTransient, attempts: 3, once: 1, acted: true},
		"an RPC":             {err: &rpcError{14}, kind: policy.KindTransient, attempts: 3, once: 1, acted: true},
		"an RPC, refused":    {err: &rpcError{8}, kind: policy.KindThrottle, attempts: 3, once: 3},
		"an RPC, too long":   {err: &rpcError{4}, kind: policy.KindTimeout, attempts: 3, once: 1, acted: true},
		"a dial in a field":  {err: &hiding{-1, &net.OpError{Op: "dial", Err: errGaveUp}}, kind: policy.KindConnect, attempts: 3, once: 3},
		"an error of no one": {err: errGaveUp, kind: policy.KindPermanent, attempts: 1, once: 1, acted: true},
	} {
		for idempotency, want := range map[policy.Idempotency]int{policy.Safe: c.attempts, policy.None: c.once} {
			t.Run(name+", "+idempotency.String(), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					began := time.Now()
					op, _ := operation(t, plan(func(p *policy.Plan) {
						p.Idempotency, p.Errors.Preset = idempotency, c.preset
						p.Retry.Attempts, p.Retry.On, p.Retry.RetryAfterMax = 3, policy.RetryOn(idempotency), time.Minute
					}))
					calls := 0
					_, err := runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) {
						calls++
						return 0, c.err
					})
					var e *runtime.Error
					if !errors.As(err, &e) || !errors.Is(err, c.err) {
						t.Fatalf("got %v", err)
					}
					if e.Kind != c.kind || e.Status != c.status || calls != want || e.MayHaveActed != c.acted {
						t.Errorf("%s, status %d, %d calls, acted %v; want %s, %d, %d, %v",
							e.Kind, e.Status, calls, e.MayHaveActed, c.kind, c.status, want, c.acted)
					}
					if c.wait > 0 && e.NotBefore.Sub(began) != c.wait {
						t.Errorf("not before %v, want %v", e.NotBefore.Sub(began), c.wait)
					}
				})
			})
		}
	}
}

// Who says the kind of an SDK's error does not lose the wait that it tells of.
func TestAKindThatWasSaidKeepsTheWaitOfAnSDK(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, calls := time.Now(), 0
		p := timed(full())
		p.Retry.RetryAfterMax = time.Minute
		w, err := wrap(getterFunc(func(context.Context, string) (string, error) {
			if calls++; calls == 1 {
				return "", sdk(418, "", "Retry-After", "5")
			}
			return "", nil
		}), p, func(error) policy.Kind { return policy.KindThrottle })
		if err != nil {
			t.Fatal(err)
		}
		if _, err = w.Get(t.Context(), "a"); err != nil || time.Since(began) < 5*time.Second {
			t.Errorf("%v after %v, want an answer after 5s", err, time.Since(began))
		}
	})
}
