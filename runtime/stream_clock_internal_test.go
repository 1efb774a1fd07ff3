package runtime

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// One timer serves a stream. An item that comes before the timer fires wins, however close; a read that lasts is ended at its instant.
func TestT68_AnItemWinsAgainstTheTimer(t *testing.T) {
	t.Parallel()
	const gap = time.Second
	for name, c := range map[string]struct {
		reads [][2]time.Duration // from and to, since the stream began; a read without an end has none
		want  time.Duration      // when the stream was ended; 0 is never
	}{
		"just before":                {[][2]time.Duration{{0, gap - 1}}, 0},
		"too late":                   {[][2]time.Duration{{0, -1}}, gap},
		"the timer fires in between": {[][2]time.Duration{{0, gap / 10}, {3 * gap, 3*gap + gap/2}}, 0},
		"the timer fires in a later read": {
			[][2]time.Duration{{0, gap / 10}, {gap * 9 / 10, gap*19/10 - 1}, {2 * gap, -1}}, 3 * gap,
		},
		"many short ones, then one that lasts": {
			[][2]time.Duration{{0, 1}, {gap / 4, gap / 2}, {gap / 2, gap}, {gap, 2*gap - 1}, {2 * gap, -1}}, 3 * gap,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				var clock streamClock
				clock.started(policy.Timeout{FirstByte: time.Hour, ItemGap: gap}, cancel) // the timer is set for the header, and must not stay so
				clock.end()
				clock.reached(awaitItem)
				defer clock.stop()
				start, ended := time.Now(), time.Duration(0)
				context.AfterFunc(ctx, func() { ended = time.Since(start) })
				for _, r := range c.reads {
					pass(time.Until(start.Add(r[0])))
					clock.ReadBegins()
					if r[1] >= 0 {
						pass(time.Until(start.Add(r[1])))
						clock.end()
					}
				}
				pass(10 * gap)
				synctest.Wait()
				var stall *stallError
				if ended != c.want || c.want > 0 && !errors.As(context.Cause(ctx), &stall) {
					t.Errorf("ended after %v (%v), want after %v", ended, context.Cause(ctx), c.want)
				}
			})
		})
	}
}

func TestT68_AnItemCostsNoAllocation(t *testing.T) {
	_, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var clock streamClock
	clock.started(policy.Timeout{ItemGap: time.Hour, Idle: time.Hour}, cancel)
	clock.reached(awaitItem)
	defer clock.stop()
	if n := testing.AllocsPerRun(1000, func() {
		clock.ReadBegins()
		clock.ReadBegins()
		clock.end()
	}); n != 0 {
		t.Errorf("%v allocations for each item, want none", n)
	}
}

// pass lets virtual time pass.
func pass(d time.Duration) { time.Sleep(d) } // in a synctest bubble
