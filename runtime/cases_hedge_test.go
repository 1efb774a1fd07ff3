package runtime_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestC053_TheWinnersBodyOutlivesTheLosers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const chunks, size = 16, 32 << 10
		canceled := make(chan time.Time, 1)
		leg1 := func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			canceled <- time.Now()
		}
		leg2 := func(w http.ResponseWriter, _ *http.Request) {
			for i := range chunks {
				if i > 0 {
					sleep(200 * time.Millisecond / (chunks - 1))
				}
				_, _ = w.Write(make([]byte, size))
				w.(http.Flusher).Flush()
			}
		}
		s := against(t, hedged(func(p *policy.Plan) { p.Hedge.Max = 2 }), []playStep{leg1, leg2})
		r := wire.NewRequest(http.MethodGet, "/file")
		d, err := runtime.Open(t.Context(), s.op, func(ctx context.Context, at runtime.Attempt) (*wire.Download, error) {
			return runtime.Send(ctx, s.http, at, r, wire.NewDownload)
		})
		won := time.Now()
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, d)
		if err != nil || n != chunks*size {
			t.Errorf("read %d bytes, %v; want all of them", n, err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if after := (<-canceled).Sub(won); after > 100*time.Millisecond {
			t.Errorf("the server saw the first leg canceled %v after the win, want within 100 ms", after)
		}
	})
}

func TestC055_AFastErrorDoesNotBeatASlowSuccess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := against(t, hedged(func(p *policy.Plan) { p.Hedge.Max = 2 }), []playStep{slow(200*time.Millisecond, ok()), fails(500)})
		start := time.Now()
		if err := s.get(t.Context()); err != nil || time.Since(start) != 200*time.Millisecond || len(s.seen()) != 2 {
			t.Errorf("%v after %v and %d hits; want the answer of the first leg at 200 ms", err, time.Since(start), len(s.seen()))
		}
	})
}

func TestC055_WhenAllLegsFailTheMostTellingOneIsTheError(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]playStep{
		"the answer came last":  {hangs, slow(100*time.Millisecond, fails(503))},
		"the answer came first": {slow(200*time.Millisecond, fails(503)), hangs},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, hedged(), steps)
				err := s.get(t.Context())
				var e *runtime.Error
				var payload *wire.PayloadError[fault]
				if !errors.As(err, &e) || e.Kind != policy.KindTransient || e.Status != 503 || !errors.As(err, &payload) || e.Attempts != 2 {
					t.Fatalf("got %v, want the 503", err)
				}
				var kinds []policy.Kind
				for _, f := range e.Failures() {
					kinds = append(kinds, f.Kind)
				}
				if len(kinds) != 2 || kinds[0] != policy.KindTransient || kinds[1] != policy.KindTimeout {
					t.Errorf("failures %v, want both legs", kinds)
				}
			})
		})
	}
}

func TestC056_AnEmptyBudgetDoesNotKillTheFirstLeg(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := against(t, hedged(func(p *policy.Plan) { p.Hedge.ExtraLoad = 0.05 }), []playStep{slow(150*time.Millisecond, ok())})
		start := time.Now()
		if err := s.get(t.Context()); err != nil || time.Since(start) != 150*time.Millisecond || len(s.seen()) != 1 {
			t.Errorf("%v after %v and %d hits; want the answer at 150 ms of one", err, time.Since(start), len(s.seen()))
		}
	})
}
