package promobserver

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// The gauges, as gauges has them.
const (
	breakerState = iota
	bulkheadInFlight
	bulkheadQueued
	bulkheadLimit
	limitLeft
	limitCapacity
	limitWaiting
	limitAlone
	budgetBalance
	budgetCapacity
	budgetRatio
	budgetMin
	callTimeout
	attemptTimeout
	pauseLeft
	shedRatio
	spendingSpent
	spendingLimit
	abandonedRunning
)

// point is one series of a gauge: which gauge, and the values of its labels.
type point struct {
	gauge                         int
	client, target, operation, of string
}

// points are what the machines show. Machines whose labels are the same, such as those of one target at two addresses, come to one value.
type points map[point]float64

// add adds to a value: two queues are one that is longer.
func (p points) add(at point, value float64) { p[at] += value }

// most keeps the greater value: of two breakers the worse state counts.
func (p points) most(at point, value float64) {
	if was, ok := p[at]; !ok || value > was {
		p[at] = value
	}
}

// collectGauges gives what the machines of the groups show now.
func (o *Observer) collectGauges(to chan<- prometheus.Metric) {
	all, now := points{}, time.Now()
	for _, g := range o.groups {
		for _, m := range g.Snapshot() {
			all.read(now, &m)
		}
	}
	for at, value := range all {
		values := make([]string, len(gauges[at.gauge].Labels))
		for i, name := range gauges[at.gauge].Labels {
			switch name {
			case labelClient:
				values[i] = valid(at.client)
			case labelTarget:
				values[i] = valid(at.target)
			case labelOperation:
				values[i] = valid(at.operation)
			case labelOf:
				values[i] = at.of
			}
		}
		m, err := prometheus.NewConstMetric(o.gauges[at.gauge], prometheus.GaugeValue, value, values...)
		if err != nil {
			m = prometheus.NewInvalidMetric(o.gauges[at.gauge], err)
		}
		to <- m
	}
}

// read reads a row of a snapshot. What a row before it showed is not counted again.
func (p points) read(now time.Time, m *runtime.Machines) {
	own := func(is bool) string {
		if is {
			return m.Client + "." + m.Operation
		}
		return ""
	}
	if b := &m.Breaker; b.Mode != policy.BreakerOff && !m.Repeats.Breaker {
		p.most(point{gauge: breakerState, client: m.Client, target: m.Target, operation: own(m.OwnBreaker)}, states[b.State])
	}
	if b := &m.Bulkhead; b.MaxConcurrent > 0 && !m.Repeats.Bulkhead {
		at := point{client: m.Client, target: m.Target, operation: own(m.OwnBulkhead)}
		p.add(at.withGauge(bulkheadInFlight), float64(b.InFlight))
		p.add(at.withGauge(bulkheadQueued), float64(b.Queued))
		p.add(at.withGauge(bulkheadLimit), float64(b.Limit))
	}
	at := point{client: m.Client, target: m.Target}
	if !m.Repeats.Limit {
		p.readLimit(at, &m.Limit)
	}
	if m.BudgetMost > 0 && !m.Repeats.Budget {
		p.add(at.withGauge(budgetBalance), m.Budget)
		p.add(at.withGauge(budgetCapacity), m.BudgetMost)
		p.most(at.withGauge(budgetRatio), m.BudgetRule.Ratio)
		p.add(at.withGauge(budgetMin), m.BudgetRule.MinPerSecond)
	}
	if !m.Repeats.Pause {
		p.most(at.withGauge(pauseLeft), max(0, m.PausedUntil.Sub(now).Seconds()))
	}
	if s := &m.Shed; s.Requests > 0 && !m.Repeats.Shed {
		p.most(at.withGauge(shedRatio), s.Share)
	}
	if s := &m.Spending; s.Amount > 0 && !m.Repeats.Spending {
		p.add(at.withGauge(spendingSpent), s.Spent)
		p.add(at.withGauge(spendingLimit), s.Amount)
	}
	for operation, t := range m.Timeouts {
		at := point{client: m.Client, operation: m.Client + "." + operation}
		for gauge, most := range map[int]time.Duration{callTimeout: t.Total, attemptTimeout: t.Attempt} {
			if most > 0 {
				p.most(at.withGauge(gauge), most.Seconds())
			}
		}
	}
	for operation, a := range m.Abandoned {
		p.add(point{gauge: abandonedRunning, client: m.Client, operation: m.Client + "." + operation}, float64(a.Running))
	}
}

// withGauge returns the same labels of another gauge.
func (at point) withGauge(gauge int) point {
	at.gauge = gauge
	return at
}

// states are the values of a breaker's states.
var states = map[policy.State]float64{policy.StateClosed: 0, policy.StateHalfOpen: 1, policy.StateOpen: 2}

// readLimit reads the buckets of a limit.
func (p points) readLimit(at point, l *policy.LimiterSnapshot) {
	if l.Shared != "" {
		alone := 0.0
		if l.Alone {
			alone = 1
		}
		p.most(at.withGauge(limitAlone), alone)
	}
	limited := false
	for _, b := range []struct {
		*policy.BucketSnapshot

		of string
	}{{&l.Requests, "requests"}, {&l.Tokens, "tokens"}, {&l.Input, "input-tokens"}, {&l.Output, "output-tokens"}} {
		if b.Most == 0 {
			continue
		}
		limited = true
		at.of = b.of
		p.add(at.withGauge(limitLeft), b.Balance)
		p.add(at.withGauge(limitCapacity), b.Most)
	}
	if limited {
		at.of = ""
		p.add(at.withGauge(limitWaiting), float64(l.Waiting))
	}
}
