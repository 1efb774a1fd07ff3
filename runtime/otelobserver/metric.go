package otelobserver

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// counter is the metric of events that are counted one by one.
type counter struct{ name, unit, text string }

// counters are the events that are counted. Those with a duration are in histograms, which count too.
var counters = map[runtime.EventKind]counter{
	runtime.RetryScheduled:   {"resgen.retries", "{retry}", "Retries that were scheduled."},
	runtime.Hedged:           {"resgen.hedges", "{hedge}", "Copies of attempts that were sent beside them."},
	runtime.LoserPanicked:    {"resgen.loser.panics", "{panic}", "Panics of copies that had lost to another one."},
	runtime.AttemptAbandoned: {"resgen.abandoned", "{attempt}", "Attempts that were left behind when their time was over."},
	runtime.RungTaken:        {"resgen.rung.taken", "{step}", "Steps down the ladder."},
	runtime.RungUnfit:        {"resgen.rung.unfit", "{rung}", "Rungs that could not take a request and were passed over."},
	runtime.Rejected:         {"resgen.rejections", "{attempt}", "Attempts that a local policy did not let through."},
	runtime.BudgetDenied:     {"resgen.budget.denials", "{retry}", "Retries that the budget did not pay for."},
	runtime.BreakerChanged:   {"resgen.breaker.changes", "{change}", "Changes of breakers from one state to another."},
	runtime.Paused:           {"resgen.pauses", "{pause}", "Targets that asked for no requests for a time."},
	runtime.Substituted:      {"resgen.substitutions", "{answer}", "Answers of another than was asked for."},
	runtime.CacheHit:         {"resgen.cache.hits", "{answer}", "Answers that were remembered and given again."},
	runtime.StoreFailed:      {"resgen.store.failures", "{access}", "Accesses to a store that failed or were too slow."},
	runtime.LimitStoreFailed: {"resgen.limit_store.failures", "{question}", "Questions to a store of shared limits that failed or took too long."},
	runtime.LimitStoreBack:   {"resgen.limit_store.recoveries", "{recovery}", "Stores of shared limits that answered again."},
	runtime.EmbedderFailed:   {"resgen.embedder.failures", "{text}", "Texts of which an embedder of a semantic cache made no vector."},
	runtime.ExerciseFailed:   {"resgen.exercise.failures", "{exercise}", "Rungs that were found broken in normal times."},
	runtime.InnerRetry:       {"resgen.inner_retries", "{attempt}", "Attempts whose request was sent again by a client inside."},
	runtime.TwoLayers:        {"resgen.two_layers", "{warning}", "Warnings that two layers around each other both have machines of the same sort."},
	runtime.NotRepeatable:    {"resgen.not_repeatable", "{call}", "Calls that were not tried again because their request does not name all that it writes."},
	runtime.FaultInjected:    {"resgen.faults.injected", "{fault}", "Faults that attempts met and that were made up."},
	runtime.ManyClients:      {"resgen.many_clients", "{warning}", "Warnings that too many clients of one name were made."},
}

// meters are the instruments.
type meters struct {
	call, attempt, stream, age metric.Float64Histogram
	cost                       metric.Float64Counter
	tokens                     metric.Int64Counter
	state                      metric.Int64Gauge
	counted                    map[runtime.EventKind]metric.Int64Counter
}

// newMeters makes the instruments.
func newMeters(m metric.Meter) (*meters, error) {
	made := &meters{counted: map[runtime.EventKind]metric.Int64Counter{}}
	var errs [7]error
	made.call, errs[0] = seconds(m, "resgen.call.duration", "Time of calls, until their answer or, of one that outlives its call, until its first content.")
	made.attempt, errs[1] = seconds(m, "resgen.attempt.duration", "Time of attempts.")
	made.stream, errs[2] = seconds(m, "resgen.stream.duration", "Time of answers that outlive their call, from its start.")
	made.age, errs[3] = seconds(m, "resgen.answer.age", "Age of answers that were remembered.")
	made.cost, errs[4] = m.Float64Counter("resgen.cost", metric.WithDescription("What answers cost, in the currency of the plans."))
	made.tokens, errs[5] = m.Int64Counter("resgen.tokens", metric.WithUnit("{token}"), metric.WithDescription("Tokens that answers used, by sort."))
	made.state, errs[6] = m.Int64Gauge("resgen.breaker.state",
		metric.WithDescription("State of a target's breaker since it first changed: 0 closed, 1 half-open, 2 open."))
	failed := errors.Join(errs[:]...)
	for what, c := range counters {
		counted, err := m.Int64Counter(c.name, metric.WithUnit(c.unit), metric.WithDescription(c.text))
		made.counted[what], failed = counted, errors.Join(failed, err)
	}
	return made, failed
}

// seconds makes a histogram of durations, from a remembered answer's to a long stream's.
func seconds(m metric.Meter, name, text string) (metric.Float64Histogram, error) {
	return m.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(text), //nolint:wrapcheck // New says what it is
		metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600))
}

// count measures an event.
func (m *meters) count(ctx context.Context, e runtime.Event) {
	labels := labelsOf(e)
	switch e.What {
	case runtime.CallEnd:
		m.call.Record(ctx, e.Elapsed.Seconds(), labels, metric.WithAttributes(fallbackUsed(e)))
		if e.Age > 0 {
			m.age.Record(ctx, e.Age.Seconds(), labels)
		}
		m.bill(ctx, e, labels)
	case runtime.StreamEnd:
		m.stream.Record(ctx, e.Elapsed.Seconds(), labels, metric.WithAttributes(fallbackUsed(e)))
		m.bill(ctx, e, labels)
	case runtime.AttemptEnd:
		m.attempt.Record(ctx, e.Elapsed.Seconds(), labels)
	case runtime.FaultInjected:
		m.counted[e.What].Add(ctx, 1, labels, metric.WithAttributes(attribute.String(prefix+"fault", e.Injected)))
	case runtime.BreakerChanged:
		m.state.Record(ctx, states[e.To], ofBreaker(e))
		m.counted[e.What].Add(ctx, 1, ofBreaker(e), metric.WithAttributes(attribute.String(prefix+"to", e.To)))
	default:
		if c, ok := m.counted[e.What]; ok {
			c.Add(ctx, 1, labels)
		}
	}
}

// states are the values of the gauge of breakers.
var states = map[string]int64{policy.StateClosed.String(): 0, policy.StateHalfOpen.String(): 1, policy.StateOpen.String(): 2}

// bill counts what an answer used and what that costs.
func (m *meters) bill(ctx context.Context, e runtime.Event, labels metric.MeasurementOption) {
	u := e.Usage
	for _, t := range [...]struct {
		sort string
		used int64
	}{{"input", u.Input}, {"cached", u.Cached}, {"cache_write", u.CacheWrite}, {"output", u.Output}, {"reasoning", u.Reasoning}} {
		if t.used > 0 {
			m.tokens.Add(ctx, t.used, labels, metric.WithAttributes(attribute.String("gen_ai.token.type", t.sort)))
		}
	}
	if e.Cost > 0 {
		m.cost.Add(ctx, e.Cost, labels)
	}
}

// labels are the fields by which metrics are told apart: each is one of few values, which the plan bounds.
var labels = map[string]bool{
	"client": true, "operation": true, "target": true, "rung": true, "level": true, "kind": true, "reason": true, "hedge": true, "exercised": true,
}

// labelsOf returns what an event is counted by.
func labelsOf(e runtime.Event) metric.MeasurementOption {
	return metric.WithAttributes(attributesOf(e, labels)...)
}

// ofBreaker returns what the state of a breaker is told by: operations share the breaker of their target.
func ofBreaker(e runtime.Event) metric.MeasurementOption {
	return metric.WithAttributes(attribute.String(prefix+"client", e.Client), attribute.String(prefix+"target", e.Target))
}
