package runtime_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// A spike of latency shrinks an adaptive limit, and normal calls can pass again when it is over (diegosouzapw/OmniRoute#10111).
func TestC052_AnAdaptiveLimitComesBackAfterASpike(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := still()
		op := operationIn(t, g, once(func(p *policy.Plan) {
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 20, MaxQueue: 20, MaxWait: 50 * time.Millisecond, Adaptive: true}
		}), nil)
		start := time.Now()
		run := func(context.Context, runtime.Attempt) (int, error) {
			if time.Since(start) < 2*time.Second {
				sleep(800 * time.Millisecond)
			} else {
				sleep(5 * time.Millisecond)
			}
			return 0, nil
		}
		var mu sync.Mutex
		admitted := map[int]int{} // by second of their start
		late, rejected, least := 0, 0, 20
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for time.Since(start) < 12*time.Second {
					began := time.Since(start)
					_, err := runtime.Do(t.Context(), op, run)
					mu.Lock()
					if err == nil {
						admitted[int(began/time.Second)]++
					}
					if began >= 7*time.Second {
						late++
						if errors.Is(err, runtime.ErrBulkheadFull) {
							rejected++
						}
					}
					least = min(least, g.Snapshot()[0].Bulkhead.Limit)
					mu.Unlock()
					if err != nil {
						sleep(5 * time.Millisecond)
					}
				}
			})
		}
		wg.Wait()
		if least < 1 || admitted[0] < 1 || admitted[1] < 1 {
			t.Errorf("the limit was %d at least; admitted in the two seconds of the spike: %d and %d", least, admitted[0], admitted[1])
		}
		if late == 0 || rejected*10 > late {
			t.Errorf("%d of %d calls rejected from 5 s after the spike on, want at most one in ten", rejected, late)
		}
	})
}
