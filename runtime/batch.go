package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// batch is what a call knows of the items that it sent: the answer so far, and which items failed. The first answer is kept as text; what
// later ones say of items that were sent again is put into it, and the whole is read anew, so that its type need not be known here.
type batch struct {
	op *Operation

	mu    sync.Mutex  // copies of an attempt answer at the same time
	rung  int         // that answered
	held  bool        // there is an answer, and items in it failed
	text  []byte      // the answer, with what later ones say
	total int         // items that were sent; 0 is not known
	fails []itemFault // by index
	lost  int         // items that failed, and nothing says which
	value any         // what text was read as
}

// itemFault is an item that failed.
type itemFault struct {
	index   int
	finding policy.Finding
	text    []byte // what the answer says of the item
	again   bool   // it may be sent again
}

// newBatch returns what is known of a call at first; nil for an operation whose answers tell nothing of items.
func (op *Operation) newBatch() *batch {
	if !op.plan.Errors.Partial.On {
		return nil
	}
	return &batch{op: op}
}

// holds reports whether the rung has answered, and items failed.
func (b *batch) holds(rung int) bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held && b.rung == rung
}

// share is what an attempt sends: all items, or those that failed.
type share struct {
	req   *wire.Request
	again []int // the numbers of the items that are sent again; nil for all
}

// next returns what an attempt on the rung is to send.
func (b *batch) next(rung int, req *wire.Request) share {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.held || b.rung != rung {
		b.held, b.rung, b.fails, b.lost, b.text, b.value = false, rung, nil, 0, nil, nil
		return share{req: req}
	}
	again := b.again()
	if less, ok := req.Reduced(b.op.plan.Errors.Partial.Sent, again); ok && len(again) > 0 {
		return share{req: less, again: again}
	}
	return share{req: req}
}

// again are the numbers of the items that may be sent again. b.mu is held.
func (b *batch) again() []int {
	var list []int
	for i := range b.fails {
		if b.fails[i].again {
			list = append(list, b.fails[i].index)
		}
	}
	return list
}

// part names the items in an idempotency key: a body with fewer of them is another request.
func (s *share) part() string {
	if s.again == nil {
		return ""
	}
	var out []byte
	for _, i := range s.again {
		out = strconv.AppendInt(append(out, ' '), int64(i), 10)
	}
	return "items" + string(out)
}

// sendBatch makes one attempt of an operation whose answers tell of items: it sends all, or those again that failed before. Where items
// failed, the error says so, and the answer is with the batch.
func sendBatch[T any](
	ctx context.Context, h *HTTP, at Attempt, req *wire.Request, read func(*wire.Response) (T, error),
) (T, error) {
	var none T
	b := at.batch
	s := b.next(at.Rung, req)
	resp, err := h.sendPart(ctx, at, s.req, s.part())
	if err != nil {
		return none, err
	}
	defer resp.Release()
	keeps := at.memo != nil && at.memo.keeps(resp)
	resp.Record(int(resp.Limit))
	v, err := read(resp)
	if err != nil {
		return none, err
	}
	at.judged(resp.Sentence())
	text, ok := resp.Recorded()
	if !ok {
		return v, nil
	}
	merged, fault := b.take(&batchAnswer{share: s, resp: resp, text: text, now: time.Now()})
	switch {
	case merged != nil: // the target's own words, in one answer
		if v, err = read(wire.Replay(ctx, req, resp.Status, resp.Header, merged, h.limit)); err != nil {
			return none, err
		}
	case fault == nil && keeps && len(text) <= storeLargest:
		at.memo.end(resp)
	}
	b.keep(v)
	return v, fault
}

// keep keeps what the answer was read as, for a call that ends with it.
func (b *batch) keep(value any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held {
		b.value = value
	}
}

// batchAnswer is an answer to all items, or to some again.
type batchAnswer struct {
	share

	resp *wire.Response
	text []byte
	now  time.Time
}

// take takes an answer. It returns what that makes of an earlier one, where it is about some of the items again, and what failed.
func (b *batch) take(a *batchAnswer) (merged []byte, fault error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.again != nil {
		return b.later(a)
	}
	return nil, b.begin(a)
}

// begin takes the answer to all items. b.mu is held.
func (b *batch) begin(a *batchAnswer) error {
	p := &b.op.plan.Errors.Partial
	total, known := 0, false
	if p.Sent != "" {
		total, known = a.req.Count(p.Sent)
	}
	if p.Count != "" {
		value, _ := jsontext.Find(a.text, p.Count)
		if n, ok := jsontext.Float(value); ok && known && n >= 0 && n < float64(total) {
			b.hold(a, total, nil, total-int(n))
			return b.fault(a)
		}
		return nil
	}
	list, ok := itemsAt(a.text, p.Items)
	if !ok {
		return nil
	}
	fails, lost := b.faults(a, list, total)
	if len(fails) == 0 && lost == 0 {
		return nil
	}
	aligned := known && lost == 0
	if p.Index == "" {
		aligned = aligned && len(list) == total
		total = len(list)
	}
	if lost == 0 && len(fails) == total && sameKind(fails) {
		return b.whole(a, fails)
	}
	for i := range fails {
		fails[i].again = aligned && slices.Contains(b.op.plan.Retry.On, fails[i].finding.Kind)
	}
	b.hold(a, total, fails, lost)
	return b.fault(a)
}

// hold keeps the first answer. b.mu is held.
func (b *batch) hold(a *batchAnswer, total int, fails []itemFault, lost int) {
	b.held, b.text, b.total, b.fails, b.lost = true, a.text, total, fails, lost
}

// itemsAt returns the items of the list at a pointer into an answer.
func itemsAt(text []byte, pointer string) ([][]byte, bool) {
	list, ok := jsontext.Find(text, pointer)
	if !ok {
		return nil, false
	}
	return jsontext.Items(list)
}

// faults returns the items that failed, by index, and how many there are of which it is not known which they are. most is how many were
// sent; 0 is not known.
func (b *batch) faults(a *batchAnswer, list [][]byte, most int) (fails []itemFault, lost int) {
	p := &b.op.plan.Errors.Partial
	told := map[int]bool{}
	for at, item := range list {
		why := item
		if p.Error != "" {
			why, _ = jsontext.Find(item, p.Error)
		}
		if !tellsOfFault(p, why) {
			continue
		}
		index := at
		if p.Index != "" {
			value, _ := jsontext.Find(item, p.Index)
			n, ok := jsontext.Float(value)
			if index = int(n); !ok || n < 0 || n != float64(index) || most > 0 && index >= most || told[index] {
				lost++
				continue
			}
			told[index] = true
		}
		fails = append(fails, itemFault{index: index, finding: b.op.findingOf(a.now, item, why), text: why})
	}
	slices.SortFunc(fails, func(x, y itemFault) int { return x.index - y.index })
	return fails, lost
}

// tellsOfFault reports whether what is at the error of an item says that it failed.
func tellsOfFault(p *policy.Partial, why []byte) bool {
	if len(p.Equals) > 0 {
		text, ok := jsontext.Text(why)
		return ok && slices.Contains(p.Equals, text)
	}
	switch jsontext.KindOf(why) {
	case jsontext.Nothing, jsontext.Null:
		return false
	case jsontext.Boolean, jsontext.Number:
		text, _ := jsontext.Text(why)
		return text != "false" && text != "0"
	case jsontext.String:
		text, _ := jsontext.Text(why)
		return text != ""
	case jsontext.Array:
		n, _ := jsontext.Count(why)
		return n > 0
	default:
		c := jsontext.At(why)
		c.Open('{')
		_, more := c.Member()
		return more
	}
}

func hasFault(fails []itemFault, index int) bool {
	return slices.ContainsFunc(fails, func(f itemFault) bool { return f.index == index })
}

// findingOf says what the error of an item means: by the rules and the preset's rows, which look at the whole item, and then at what is at its
// error.
func (op *Operation) findingOf(now time.Time, item, why []byte) policy.Finding {
	const unknown = policy.KindCanceled // no rule and no row gives it
	e, answer := &op.plan.Errors, policy.Answer{Body: item, Safe: op.plan.Idempotency == policy.Safe, Otherwise: unknown}
	if f := e.Classify(now, answer, op.plan.Idempotency, 1); f.Kind != unknown {
		return f
	}
	answer.Body, answer.Otherwise = why, e.Partial.OfUnknown()
	return e.Classify(now, answer, op.plan.Idempotency, 1)
}

func sameKind(fails []itemFault) bool {
	return !slices.ContainsFunc(fails, func(f itemFault) bool { return f.finding.Kind != fails[0].finding.Kind })
}

// whole is a batch all of whose items failed alike: that is a failure like any other, and no answer.
func (*batch) whole(a *batchAnswer, fails []itemFault) error {
	e := &batchError{PartialError: *partialOf(fails, len(fails), 0), status: a.resp.Status}
	k := fails[0].finding.Kind
	e.result = policy.Result{Kind: k, Verdict: fails[0].finding.Verdict, MayHaveActed: k != policy.KindThrottle && k != policy.KindConnect}
	e.waits(a, fails)
	return e
}

// fault is what the answer so far lacks. It is no evidence against the target, which has answered. b.mu is held.
func (b *batch) fault(a *batchAnswer) error {
	e := &batchError{PartialError: *partialOf(b.fails, b.total, b.lost), status: a.resp.Status}
	e.result = policy.Result{Kind: b.kind(), Verdict: policy.Success, MayHaveActed: true, Partial: true, Final: len(b.again()) == 0}
	e.waits(a, b.fails)
	return e
}

// kind returns the kind of the items that are sent again, of which one that asks for fewer requests counts; of those that failed where none
// is. b.mu is held.
func (b *batch) kind() Kind {
	kind, again := b.op.plan.Errors.Partial.OfUnknown(), false
	for i := range b.fails {
		f := &b.fails[i]
		if i == 0 || f.again && (!again || f.finding.Kind == policy.KindThrottle) {
			kind, again = f.finding.Kind, f.again
		}
	}
	return kind
}

// waits takes the wait that the answer asks for, in its header or of an item.
func (e *batchError) waits(a *batchAnswer, fails []itemFault) {
	e.result.RetryAfter, e.result.Pushback = policy.ParseRetryAfter(waitHeader(a.resp.Header.Get, a.now))
	for i := range fails {
		e.result = asksWait(e.result, fails[i].finding)
	}
}

// later takes the answer to items that were sent again. b.mu is held.
func (b *batch) later(a *batchAnswer) ([]byte, error) {
	p := &b.op.plan.Errors.Partial
	list, ok := itemsAt(a.text, p.Items)
	if p.Index == "" && len(list) != len(a.again) {
		return nil, unaligned(len(list), len(a.again))
	}
	fails, lost := b.faults(a, list, len(a.again))
	base, _ := itemsAt(b.text, p.Items)
	if !ok && !b.saysNone(a) || lost > 0 {
		return nil, unaligned(len(fails), len(a.again))
	}
	for at, index := range a.again {
		i := slices.IndexFunc(fails, func(f itemFault) bool { return f.index == at })
		b.settle(index, i, fails)
		if p.Index == "" {
			base[index] = list[at]
		}
	}
	if p.Index != "" {
		base = slices.DeleteFunc(base, func(item []byte) bool {
			value, _ := jsontext.Find(item, p.Index)
			n, _ := jsontext.Float(value)
			return !hasFault(b.fails, int(n))
		})
	}
	merged, ok := jsontext.Replace(b.text, p.Items, jsontext.List(base))
	if !ok {
		return nil, unaligned(len(list), len(a.again))
	}
	b.text = merged
	if len(b.fails) == 0 && b.lost == 0 {
		b.held = false
		return merged, nil
	}
	return merged, b.fault(a)
}

// saysNone reports whether an answer has no list of what failed because nothing did: it is not there, or null.
func (b *batch) saysNone(a *batchAnswer) bool {
	p := &b.op.plan.Errors.Partial
	value, _ := jsontext.Find(a.text, p.Items)
	kind := jsontext.KindOf(value)
	return p.Index != "" && p.Items != "" && jsontext.KindOf(a.text) == jsontext.Object && (kind == jsontext.Nothing || kind == jsontext.Null)
}

// settle notes what became of an item that was sent again: it failed as fails[i] says, or not. b.mu is held.
func (b *batch) settle(index, i int, fails []itemFault) {
	at := slices.IndexFunc(b.fails, func(f itemFault) bool { return f.index == index })
	switch {
	case at < 0: // another copy has settled it
	case i < 0:
		b.fails = slices.Delete(b.fails, at, at+1)
	default:
		f := &b.fails[at]
		f.finding, f.text = fails[i].finding, fails[i].text
		f.again = slices.Contains(b.op.plan.Retry.On, f.finding.Kind)
	}
}

var errNotAligned = errors.New("the answer does not tell of the items that were sent")

// unaligned is an answer that has not one result for each item that was sent.
func unaligned(got, want int) error {
	return &wire.DecodeError{Err: fmt.Errorf("%w: %d results for %d items", errNotAligned, got, want)}
}
