package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/chaos"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/runtimetest"
	"github.com/resgen-go/resgen/runtime/wire"
	"github.com/resgen-go/resgen/testdata/ifaces/streams"
	"github.com/resgen-go/resgen/testdata/providers"
	"github.com/resgen-go/resgen/testdata/providers/callers"
)

// everyFault is one of each effect; those with a latency are longer than a caller's patience.
func everyFault() []chaos.Fault {
	return []chaos.Fault{
		chaos.Latency(time.Minute), chaos.SlowFirstItem(time.Minute), chaos.BlackHole(), chaos.Stalled(0), chaos.Stalled(1), chaos.Truncated(0),
		chaos.Truncated(1), chaos.Malformed(0), chaos.Malformed(1), chaos.Refused(), chaos.ResetByPeer(), chaos.Status(503), chaos.Throttle(time.Second),
		chaos.Failed(io.ErrUnexpectedEOF),
		{Effect: chaos.Refuse, Latency: time.Minute},
		{Effect: chaos.Answer, Status: 500, Latency: time.Minute},
		{Effect: chaos.Stall, Latency: time.Minute},
		{Effect: chaos.Reset, Latency: time.Minute},
	}
}

// A caller who leaves, at any time, is let go at once, and nothing is left: no permit, no goroutine (the bubble would not end), no body.
func TestCallersWhoLeave(t *testing.T) {
	t.Parallel()
	for _, f := range everyFault() {
		for _, stream := range []bool{false, true} {
			for _, patience := range []time.Duration{0, time.Millisecond, time.Second} {
				t.Run(fmt.Sprintf("%s/%v/%v", f.String(), stream, patience), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { leave(t, f, stream, patience) })
				})
			}
		}
	}
}

func leave(t *testing.T, f chaos.Fault, stream bool, patience time.Duration) {
	t.Helper()
	group := runtime.NewGroup()
	p, err := providers.New("chat")
	must(t, err)
	client, stop := providers.Serve(p)
	defer stop()
	call, err := callers.New("chat", runtime.WithGroup(group), runtime.WithHTTPClient(client), runtime.WithBaseURL("http://first.test"),
		runtime.WithTarget("second", runtime.WithHTTPClient(client), runtime.WithBaseURL("http://second.test")),
		runtime.WithChaos(begin(t, chaos.Rule{Operations: []string{"*"}, Share: 1, Fault: f})))
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(patience, cancel)
	if patience == 0 {
		cancel()
	}
	began := time.Now()
	o := call(runtime.WithMinLevel(ctx, policy.Alternate), "Hello?", stream)
	if took := time.Since(began); took > patience {
		t.Errorf("the caller left after %v, and the call ended after %v: %v", patience, took, o.Err)
	}
	synctest.Wait()
	for _, m := range group.Snapshot() {
		if m.Breaker.InFlight != 0 || m.Bulkhead.InFlight != 0 || m.Bulkhead.Queued != 0 {
			t.Errorf("%s: %d attempts, %d permits, %d in line are left", m.Target, m.Breaker.InFlight, m.Bulkhead.InFlight, m.Bulkhead.Queued)
		}
	}
}

// A slow attempt is hedged as if the target were slow, and the copy, which meets nothing, answers.
func TestHedge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen runtimetest.Recorder
		p := policy.Plan{
			Operation: "get", Idempotency: policy.Safe, Hedgeable: true, Hedge: policy.HedgeConfig{Max: 1, Delay: time.Second, ExtraLoad: 1},
			Timeout:  policy.Timeout{Attempt: 30 * time.Second, Total: time.Minute},
			Bulkhead: policy.BulkheadConfig{MaxConcurrent: 4},
		}
		g := runtime.NewGroup()
		op, err := runtime.NewOperation(g, "c", p, runtime.Wiring{
			Observer: &seen, Chaos: begin(t, chaos.Rule{Operations: []string{"*"}, Script: []chaos.Fault{chaos.Latency(10 * time.Second)}}),
		})
		must(t, err)
		began := time.Now()
		v, err := runtime.Do(t.Context(), op, func(_ context.Context, at runtime.Attempt) (bool, error) { return at.Hedge, nil })
		if took := time.Since(began); err != nil || !v || took != time.Second {
			t.Errorf("answered by the hedge: %v after %v, %v", v, took, err)
		}
		synctest.Wait()
		for _, e := range seen.Events(runtime.AttemptEnd) {
			if (e.Injected != "") == e.Hedge {
				t.Errorf("hedge %v: injected %q", e.Hedge, e.Injected)
			}
		}
		if end := seen.Events(runtime.CallEnd); len(end) != 1 || end[0].Injected != "latency 10s" {
			t.Errorf("the end of the call says %q", end[0].Injected)
		}
		if m := g.Snapshot()[0]; m.Bulkhead.InFlight != 0 {
			t.Errorf("%d permits are left", m.Bulkhead.InFlight)
		}
	})
}

// What the methods of a wrapped value come to: kinds are those of the same faults over HTTP.
func TestMethods(t *testing.T) {
	t.Parallel()
	broken := errors.New("of an SDK")
	for _, c := range []struct {
		fault chaos.Fault
		kind  policy.Kind
		took  time.Duration
		ran   bool
	}{
		{chaos.Latency(time.Second), policy.KindNone, time.Second, true},
		{chaos.Latency(time.Minute), policy.KindTimeout, 5 * time.Second, true},
		{chaos.SlowFirstItem(time.Second), policy.KindNone, time.Second, true},
		{chaos.Status(503), policy.KindTransient, 0, false},
		{chaos.Status(401), policy.KindUnusable, 0, false},
		{chaos.Throttle(0), policy.KindThrottle, 0, false},
		{chaos.Refused(), policy.KindConnect, 0, false},
		{chaos.ResetByPeer(), policy.KindReset, 0, false},
		{chaos.BlackHole(), policy.KindTimeout, 5 * time.Second, false},
		{chaos.Stalled(3), policy.KindTimeout, 5 * time.Second, true},
		{chaos.Truncated(3), policy.KindReset, 0, true},
		{chaos.Malformed(3), policy.KindDecode, 0, true},
		{chaos.Failed(broken), policy.KindPermanent, 0, false},
		{chaos.Fault{Effect: chaos.Answer, Status: 500, Latency: time.Second}, policy.KindTransient, time.Second, false},
		{chaos.Fault{Effect: chaos.Refuse, Latency: time.Minute}, policy.KindTimeout, 5 * time.Second, false},
	} {
		for form, do := range map[string]func(context.Context, *runtime.Operation, func(context.Context, runtime.Attempt) (int, error)) error{
			"do": func(ctx context.Context, op *runtime.Operation, run func(context.Context, runtime.Attempt) (int, error)) error {
				_, err := runtime.Do(ctx, op, run)
				return err
			},
			"inline": func(ctx context.Context, op *runtime.Operation, run func(context.Context, runtime.Attempt) (int, error)) error {
				_, err := runtime.DoInline(ctx, op, run)
				return err
			},
			"result": func(ctx context.Context, op *runtime.Operation, run func(context.Context, runtime.Attempt) (int, error)) error {
				_, err := runtime.DoResult(ctx, op, run)
				return err
			},
			"keep": func(ctx context.Context, op *runtime.Operation, run func(context.Context, runtime.Attempt) (int, error)) error {
				_, err := runtime.Keep(ctx, op, run)
				return err
			},
		} {
			t.Run(c.fault.String()+"/"+form, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					p := policy.Plan{Operation: "get", Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: 5 * time.Second, Total: time.Minute}}
					op, err := runtime.NewOperation(nil, "c", p, runtime.Wiring{Chaos: begin(t, always(c.fault))})
					must(t, err)
					ran, began := false, time.Now()
					err = do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { ran = true; return 1, nil })
					if took := time.Since(began); runtime.KindOf(err) != c.kind || took != c.took || ran != c.ran {
						t.Errorf("%v after %v, the function ran: %v: %v; want %v after %v: %v", runtime.KindOf(err), took, ran, err, c.kind, c.took, c.ran)
					}
					if c.fault.Effect == chaos.Fail && !errors.Is(err, broken) {
						t.Errorf("%v does not wrap the error of the fault", err)
					}
				})
			})
		}
	}
}

// numbers is a Feed that counts from 1 to 5.
type numbers struct {
	streams.Feed

	closed int
}

func (*numbers) Events(ctx context.Context, _ string) (<-chan int, error) {
	to := make(chan int)
	go func() {
		defer close(to)
		for n := range 5 {
			select {
			case to <- n + 1:
			case <-ctx.Done():
				return
			}
		}
	}()
	return to, nil
}

func (*numbers) Faults(context.Context, string) (iter.Seq2[int, error], error) {
	return func(yield func(int, error) bool) {
		for n := range 5 {
			if !yield(n+1, nil) {
				return
			}
		}
	}, nil
}

func (n *numbers) Download(context.Context, string) (io.ReadCloser, error) {
	return &counted{strings.NewReader("12345"), n}, nil
}

// counted gives a byte with each read.
type counted struct {
	io.Reader

	of *numbers
}

func (c *counted) Read(p []byte) (int, error) { return c.Reader.Read(p[:min(1, len(p))]) }

func (c *counted) Close() error { c.of.closed++; return nil }

// Streams of a wrapped value begin late, stall and break, whatever their form.
func TestMethodsThatStream(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault chaos.Fault
		got   string // what was yielded
		kind  policy.Kind
		tries int
	}{
		{chaos.Fault{Latency: 100 * time.Millisecond}, "12345", policy.KindNone, 1},
		{chaos.SlowFirstItem(100 * time.Millisecond), "12345", policy.KindNone, 1},
		{chaos.SlowFirstItem(time.Minute), "", policy.KindTimeout, 3},
		{chaos.Latency(time.Minute), "", policy.KindTimeout, 3},
		{chaos.BlackHole(), "", policy.KindTimeout, 3},
		{chaos.Status(503), "", policy.KindTransient, 3},
		{chaos.Stalled(0), "", policy.KindTimeout, 3},
		{chaos.Stalled(2), "12", policy.KindTimeout, 1},
		{chaos.Truncated(0), "", policy.KindReset, 3},
		{chaos.Truncated(2), "12", policy.KindReset, 1},
		{chaos.Malformed(2), "12", policy.KindDecode, 1},
	} {
		for _, form := range []string{"pairs", "channel", "body"} {
			t.Run(c.fault.String()+"/"+form, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					var seen runtimetest.Recorder
					next, group := new(numbers), runtime.NewGroup()
					feed, err := streams.NewResilientFeed(next, streams.WithFeedRuntime(
						runtime.WithGroup(group), runtime.WithObserver(&seen), runtime.WithChaos(begin(t, always(c.fault)))))
					must(t, err)
					got, err := consume(t.Context(), feed, form)
					synctest.Wait()
					kind, tries := runtime.KindOf(err), len(seen.Events(runtime.AttemptEnd))
					ends := seen.Events(runtime.StreamEnd)
					if form == "channel" && err == nil && len(ends) == 1 { // which cannot tell
						kind = ends[0].Kind
					}
					if got != c.got || kind != c.kind || tries != c.tries {
						t.Errorf("%q, %v after %d tries: %v; want %q, %v after %d", got, kind, tries, err, c.got, c.kind, c.tries)
					}
					for _, e := range append(ends, seen.Events(runtime.AttemptEnd)...) {
						if e.Injected != c.fault.String() {
							t.Errorf("%s says that %q was injected", e.What, e.Injected)
						}
					}
					if form == "body" && next.closed != len(seen.Events(runtime.FaultInjected)) && c.fault.Effect != chaos.Hang && c.fault.Effect != chaos.Answer {
						t.Errorf("%d bodies were closed, of %d", next.closed, len(seen.Events(runtime.FaultInjected)))
					}
				})
			})
		}
	}
}

// consume reads a stream to its end.
func consume(ctx context.Context, feed streams.Feed, form string) (got string, err error) {
	switch form {
	case "pairs":
		seq, err := feed.Faults(ctx, "")
		if err != nil {
			return "", err
		}
		for n, err := range seq {
			if err != nil {
				return got, err
			}
			got += fmt.Sprint(n)
		}
	case "channel":
		from, err := feed.Events(ctx, "")
		if err != nil {
			return "", err
		}
		for n := range from {
			got += fmt.Sprint(n)
		}
	default:
		body, err := feed.Download(ctx, "")
		if err != nil {
			return "", err
		}
		defer body.Close()
		text, err := io.ReadAll(body)
		return string(text), err
	}
	return got, nil
}

// Answers that are errors, as each provider writes them, are of the kind that the bare status is of, and ask for the wait.
func TestAnswersOfProviders(t *testing.T) {
	t.Parallel()
	presets := policy.Presets()
	if len(presets) < 10 {
		t.Fatal(presets)
	}
	for _, preset := range presets {
		for status, kind := range map[int]policy.Kind{
			429: policy.KindThrottle, 500: policy.KindTransient, 502: policy.KindTransient, 503: policy.KindTransient, 401: policy.KindUnusable,
		} {
			p := policy.Plan{Operation: "get", Idempotency: policy.Safe, Errors: policy.Errors{Preset: preset}}
			f := chaos.Fault{Effect: chaos.Answer, Status: status, RetryAfter: 1500 * time.Millisecond}
			op, err := runtime.NewOperation(nil, "c", p, runtime.Wiring{Chaos: begin(t, always(f))})
			must(t, err)
			_, err = runtime.Do(t.Context(), op, func(context.Context, runtime.Attempt) (int, error) { return 1, nil })
			typed, _ := errors.AsType[*runtime.Error](err)
			if typed == nil || typed.Kind != kind || typed.Status != status {
				t.Errorf("%s %d: %v, want %v", preset, status, err, kind)
				continue
			}
			if status == http.StatusTooManyRequests && time.Until(typed.NotBefore) <= time.Second {
				t.Errorf("%s: not before %v, want in a second and a half", preset, time.Until(typed.NotBefore))
			}
			answer, ok := errors.AsType[*wire.StatusError](err)
			if !ok || !strings.Contains(string(answer.Body), "injected by chaos") || answer.Header.Get(chaos.Header) != f.String() {
				t.Errorf("%s %d: it does not say that it was injected: %v", preset, status, err)
			}
		}
	}
}
