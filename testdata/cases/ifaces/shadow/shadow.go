// Package shadow is of the kinds of C115, C116, C118 and C119: parameters and results with the names of what a wrapper needs.
package shadow

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// Clock has parameters named like the packages of its types (C115).
type Clock interface {
	At(ctx context.Context, url string, time string) (*url.URL, error)
	Wait(context context.Context, time time.Duration) (time.Time, error)
	Send(ctx context.Context, http *http.Request, json json.RawMessage, runtime, policy int) (map[string]*http.Header, error)
}

// Words has parameters named like locals, built-ins and keywords' neighbours (C116).
type Words interface {
	A(ctx context.Context, ret int, err string, w []byte, v bool, values any, at int, res int, fn func() int) ([]any, error)
	B(c context.Context, next string, opts []string, wiring map[string]int, name int, call, zero, in, inner int) ([]any, error)
	C(ctx context.Context, string string, len int, nil bool, append []int, any any, error error, iota uint8, true int) ([]any, error)
	D(ctx context.Context, ctx2 context.Context, Words int, ResilientWords int, wordsSpec int, WordsOption int, _1 int, _ int) ([]any, error)
	E(context.Context, int, string, ...error) ([]any, error)
}

// Results has named, blank and shadowing results (C118).
type Results interface {
	//resgen:retry attempts=2 backoff.base=1ms backoff.jitter=none
	//resgen:safe
	Count(ctx context.Context, q string) (_ int, err error)
	Span(ctx context.Context) (time time.Time, d time.Duration, err error)
	Derive(parent context.Context) (ctx context.Context, cancel context.CancelFunc, err error)
	//resgen:retry attempts=2 backoff.base=1ms backoff.jitter=none
	//resgen:safe
	Pair(ctx context.Context, a int) (b int, ok bool, _ string, err error)
	Odd(ctx context.Context, err error) (ret error)
	Same(ctx context.Context, x int) (out, w, r int, e error)
}

// Opt changes a setting.
type Opt func(*int)

// Rest has variadics (C119).
type Rest interface {
	//resgen:retry attempts=2 backoff.base=1ms backoff.jitter=none
	//resgen:safe
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	Log(args ...any)
	With(ctx context.Context, opts ...Opt) error
	Bytes(ctx context.Context, parts ...[]byte) ([]byte, error)
	Funcs(ctx context.Context, steps ...func(context.Context, ...string) error) error
	Chans(ctx context.Context, chans ...<-chan int) error
}
