package runtime

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
)

// meter counts what an attempt uses, by what its answer says: of a stream by every item, where the last number of a field counts. There is
// none where the plan says of no field where it is. Safe for concurrent use.
type meter struct {
	fields *meterFields
	price  *policy.Price // of what is used; nil where that is not known

	mu    sync.Mutex
	used  policy.Usage
	texts int64
	// served is who gave the answer, as it says itself, and asked what was asked for, where that is to be compared.
	served, asked string
	meta          *Meta // of the caller, once the answer is theirs to read; then it is written to where they read
	reported      *Meta // what a call inside came to; nil where none was reported
}

// meterFields are the numbers of an answer that a plan counts.
type meterFields struct {
	places   []string
	pointers jsontext.Pointers            // places, compiled
	of       []func(*policy.Usage) *int64 // each pointer's; those of a field stand together
	served   int                          // the pointer that says who served; -1 is none
	counting policy.Counting
}

// meterFieldsOf returns what is counted at those places; nil if that is nothing.
func meterFieldsOf(p *policy.TokenPlaces, served policy.Served, counting policy.Counting) *meterFields {
	var pointers []string
	var fields []func(*policy.Usage) *int64
	for _, f := range [...]struct {
		pointers []string
		of       func(*policy.Usage) *int64
	}{
		{p.Input, func(u *policy.Usage) *int64 { return &u.Input }},
		{p.Cached, func(u *policy.Usage) *int64 { return &u.Cached }},
		{p.CacheWrite, func(u *policy.Usage) *int64 { return &u.CacheWrite }},
		{p.Output, func(u *policy.Usage) *int64 { return &u.Output }},
		{p.Reasoning, func(u *policy.Usage) *int64 { return &u.Reasoning }},
	} {
		for _, pointer := range f.pointers {
			pointers, fields = append(pointers, pointer), append(fields, f.of)
		}
	}
	if len(fields) == 0 && !served.IsOn() {
		return nil
	}
	at := -1
	if served.Pointer != "" {
		at = len(pointers)
		pointers = append(pointers, served.Pointer)
	}
	return &meterFields{places: pointers, pointers: jsontext.Compile(pointers...), of: fields, served: at, counting: counting}
}

// newMeter returns a meter of what an attempt of the call uses on the rung; nil if that is nothing, or nobody wants to know.
func (d *driver) newMeter(rung int, target string) *meter {
	op, said := d.op, d.op.at(target)
	reports := op.watches(rung)
	wanted := op.sized || d.scope.meta != nil || op.observer != nil || op.plan.Served.IsOn() || reports && (op.answers != nil || d.result)
	switch {
	case !wanted:
		return nil
	case said.counted != nil:
		return &meter{fields: said.counted}
	case reports:
		return &meter{fields: &meterFields{served: -1, counting: said.counting}}
	default:
		return nil
	}
}

// mostTokens is the most that a number of tokens is taken for.
const mostTokens = 1 << 40

// read takes the numbers of a JSON text.
func (m *meter) read(found [][]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.texts++
	var last *int64 // of several places of a field, which follow each other, the first counts that is there
	for i, value := range found {
		if i == m.fields.served {
			m.readServed(value)
			continue
		}
		if value == nil {
			continue
		}
		x, ok := jsontext.Float(value)
		if !ok || x < 0 {
			continue
		}
		field := m.fields.of[i](&m.used)
		if field == last {
			continue
		}
		*field, last = int64(min(x, mostTokens)), field
	}
	if m.meta != nil {
		m.meta.Usage, m.meta.Cost, m.meta.Served = m.used, m.cost(), m.served
	}
}

// total returns what was counted, and the number of texts that were read.
func (m *meter) total() (used policy.Usage, texts int64) {
	if m == nil {
		return policy.Usage{}, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used, m.texts
}

// cost returns what was used costs, with the lock held.
func (m *meter) cost() float64 {
	if m.price == nil {
		return 0
	}
	return m.price.Of(m.fields.counting, m.used)
}

// bill returns what was counted, and what it costs.
func (m *meter) bill() (used policy.Usage, cost float64) {
	if m == nil {
		return policy.Usage{}, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used, m.cost()
}

// price returns the price of what the attempt uses; nil where there is none.
func (at Attempt) price() *policy.Price {
	if !at.op.sized {
		return nil
	}
	if price := policy.PriceOf(&at.op.plan, at.Rung, &at.machines().Price); price.IsKnown() {
		return price
	}
	return nil
}

// hand has the meter tell the caller, from now on: what is read is theirs.
func (m *meter) hand(meta *Meta) {
	if m == nil || meta == nil {
		return
	}
	m.mu.Lock()
	m.meta, meta.Usage, meta.Cost, meta.Served = meta, m.used, m.cost(), m.served
	m.mu.Unlock()
}

// machines returns the machines of the target that the attempt calls; nil for an Attempt that no driver made.
func (at Attempt) machines() *policy.Machines {
	switch {
	case at.op == nil:
		return nil
	case at.member != nil:
		return at.member
	case at.Hedge:
		return at.op.rungs[at.Rung].OfCopy(1)
	default:
		return &at.op.rungs[at.Rung]
	}
}

// learn takes what the header of a response says about the limits of the target.
func (at Attempt) learn(header http.Header) {
	m := at.machines()
	if m == nil || m.Limit == nil || m.Headers == policy.LimitHeadersNone {
		return
	}
	now := time.Now()
	said := policy.ReadLimits(m.Headers, now, func(name string) string { return limitField(header, name) })
	m.Limit.Learn(now, at.scope.tenant, &said)
}

// limitField returns the value of a header field that may tell of limits. The lists of the RateLimit draft are one list on however many lines,
// such as that of a gateway and that of what is behind it (RFC 9110, section 5.3); the other fields hold one value.
func limitField(header http.Header, name string) string {
	lines := header[name]
	if len(lines) > 1 && (name == "Ratelimit" || name == "Ratelimit-Policy") {
		return strings.Join(lines, ", ")
	}
	return header.Get(name)
}

// limitError is a rejection by a limit.
type limitError struct {
	name   string
	bucket policy.LimitBucket
	own    bool // of one tenant
	wait   time.Duration
	most   float64 // what the bucket holds, where the call can never go
}

// limitError returns why a limit did not let an attempt through.
func (d *driver) limitError(now time.Time, n *policy.Note) error {
	e := &limitError{name: d.op.machineName(n.Rung, n.To), bucket: n.Bucket, own: n.Limit.PerTenant(), wait: n.Until.Sub(now)}
	if n.Kind == policy.KindPermanent {
		e.most = n.Limit.Most(n.Bucket)
	}
	return e
}

// Error names the limit, and says how long the wait would be, or that it is no use.
func (e *limitError) Error() string {
	whose := ""
	if e.own {
		whose = " of the tenant"
	}
	if e.most > 0 {
		return fmt.Sprintf("limit %q%s: the call needs more %v than the %.0f that it ever holds", e.name, whose, e.bucket, e.most)
	}
	return fmt.Sprintf("limit %q%s used up: %v for another %s", e.name, whose, e.bucket, brief(max(e.wait, 0)))
}

// purseError is a rejection because a call is too dear for what is left of a limit of cost.
type purseError struct {
	name   string
	own    bool // of one tenant
	amount float64
	per    time.Duration
	wait   time.Duration // until enough is left; 0 if that is not known
}

// purseError returns why a purse did not let an attempt through. One that is no target's own is that of all rungs, and named as the operation's.
func (d *driver) purseError(now time.Time, n *policy.Note) error {
	e := &purseError{name: d.op.machineName(n.Rung, n.To), own: n.Purse.PerTenant()}
	if _, own := policy.PurseOf(&d.op.plan, d.op.machinesAt(n.Rung, n.To).Target); !own {
		e.name = d.op.machineName(0, nil)
	}
	e.amount, e.per = n.Purse.Amount()
	if !n.Until.IsZero() {
		e.wait = max(n.Until.Sub(now), time.Millisecond)
	}
	return e
}

// Error says that it is money that is short, of how much, and for how long.
func (e *purseError) Error() string {
	whose := ""
	if e.own {
		whose = " of the tenant"
	}
	text := fmt.Sprintf("cost limit %q%s: the call may cost more than is left of %.6g in %s", e.name, whose, e.amount, brief(e.per))
	if e.wait > 0 {
		text += ", for another " + brief(e.wait)
	}
	return text
}

// sizeOf returns what the limits of a call need to know of its request.
func (op *Operation) sizeOf(in Input) (s policy.Size) {
	if in == nil || !op.sized {
		return s
	}
	s.Bytes = in.Size()
	if most, ok := op.allows(in); ok {
		s.MaxOutput = int64(min(most, mostTokens))
	}
	return s
}

// allows returns how many tokens of output a request allows, where it says so.
func (op *Operation) allows(in Input) (float64, bool) {
	if len(op.asks) == 0 {
		return 0, false
	}
	if r, ok := in.(interface {
		FirstNumber(pointers *jsontext.Pointers) (float64, bool)
	}); ok {
		return r.FirstNumber(&op.allowed)
	}
	for _, pointer := range op.asks {
		if x, ok := in.Number(pointer); ok && x > 0 {
			return x, true
		}
	}
	return 0, false
}
