package runtime

import (
	"context"

	"github.com/resgen-go/resgen/runtime/policy"
)

// meterKey is where the context of an attempt that calls a function has the meter of the attempt.
type meterKey struct{}

// Report tells the call of a wrapper, in whose attempt ctx is, what a call inside has come to: what it used, who served it, its last response,
// whether its answer is whole, and how good it is. Without that the outer call knows none of it, since a function may make many calls, or
// none that gave the answer. It is for implementations of a wrapped interface, and for functions of rungs, whose answer is that of one call of
// another client:
//
//	var meta runtime.Meta
//	answer, err := m.client.CreateChatCompletion(runtime.Capture(ctx, &meta), request)
//	runtime.Report(ctx, &meta)
//
// Report after the call, and of a stream once more at its end: each report takes the place of the one before it, so that of several calls the
// sum, or the last, is to be reported. Usage is translated to how the outer call counts (Meta.Counting). What is not whole (Meta.Incomplete),
// or degraded, is not remembered by the outer call's cache, and its level is at best that of meta. Outside of such an attempt, and where the
// outer call counts nothing, Report does nothing. It is safe for concurrent use; meta is only read. Of a stream that the caller reads the caller's
// Meta is written by Report: call it where items are made, before the one after which it is to be seen.
func Report(ctx context.Context, meta *Meta) {
	if m, _ := ctx.Value(meterKey{}).(*meter); m != nil && meta != nil {
		m.report(meta)
	}
}

// hearReports has the context of the attempt lead to its meter.
func (f *flight) hearReports() {
	switch {
	case f.watched != nil:
		f.watched.meter = f.at.meter
	case f.copied != nil:
		f.copied.meter = f.at.meter
	}
}

// report takes what a call inside came to.
func (m *meter) report(inside *Meta) {
	said := &Meta{
		Status: inside.Status, Header: inside.Header, RequestID: inside.RequestID,
		Incomplete: inside.Incomplete, IncompleteReason: inside.IncompleteReason,
		Level: min(inside.Level, policy.Canned),
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reported = said
	m.used = inside.Counting.Translate(bounded(inside.Usage), m.fields.counting)
	if inside.Served != "" {
		m.served = inside.Served
	}
	if m.meta != nil {
		m.meta.respond(said)
		m.meta.Usage, m.meta.Cost, m.meta.Served = m.used, m.cost(), m.served
	}
}

// bounded returns usage whose numbers are none that an answer could not have.
func bounded(u policy.Usage) policy.Usage {
	for _, n := range [...]*int64{&u.Input, &u.Cached, &u.CacheWrite, &u.Output, &u.Reasoning} {
		*n = min(max(*n, 0), mostTokens)
	}
	return u
}

// told returns what was reported; nil where nothing was.
func (m *meter) told() *Meta {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reported
}

// inside returns how good the answer is of the call that the attempt made inside, and whether it is a whole one, which may be remembered.
func (op *Operation) inside(at Attempt) (l Level, whole bool) {
	if !op.watches(at.Rung) {
		return policy.Equal, true
	}
	said := at.meter.told()
	if said == nil {
		return policy.Equal, true
	}
	return said.Level, !said.Incomplete && said.Level == policy.Equal
}

// repeat tells the caller what was reported to the attempt. Where nothing was, no answer of a wrapped value is known, nor is that of an
// earlier call.
func (op *Operation) repeat(at Attempt, meta *Meta) {
	if said := at.meter.told(); said != nil {
		meta.respond(said)
	} else if op.wraps {
		meta.respond(new(Meta))
	}
}

// takeOver has a stream's outer call, whose rung another operation's stream is, know what that used.
func (m *meter) takeOver(inside *meter) {
	if m == nil || inside == nil || m == inside {
		return
	}
	used, _ := inside.total()
	served, _ := inside.whoServed()
	m.report(&Meta{Usage: used, Served: served, Counting: inside.fields.counting})
}
