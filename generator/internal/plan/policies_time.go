package plan

import (
	"strconv"
	"time"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// timeoutsOf gives the plan its timeouts: those of its class over the built-in ones. What nobody wrote makes room for what somebody
// did, and the attempt is divided out of the total where attempts or rungs are to follow it.
func (r *resolution) timeoutsOf(classes definitions) {
	streams := r.streams()
	builtIn := annot.BuiltInTimeout(streams)
	r.timeouts = newTree()
	r.timeouts.lay(&builtIn, layerBuiltIn)
	name := scalarAt(&r.tree.value, "timeout")
	if name != nil {
		if def := classes.find(name.Text); def != nil {
			r.timeouts.lay(&def.tree.value, "class "+def.name)
		}
	}
	if removed := r.tree.find("timeout"); removed != nil && removed.Kind == source.Null {
		r.timeouts = newTree()
	}
	t := annot.DecodeTimeout(&r.timeouts.value)
	if !streams {
		t = policy.Timeout{Total: t.Total, Attempt: t.Attempt, Connect: t.Connect}
	}
	if bind, ok := r.op.Bind.(*model.FuncBinding); ok { // who wraps a method sees no connection, and bytes of a reader alone
		t.Connect = 0
		if bind.Answer != model.ReaderStream {
			t.FirstByte, t.Idle = 0, 0
		}
	}
	r.plan.Timeout = r.makeRoom(t)
}

// makeRoom adapts the timeouts that nobody wrote to those that somebody did.
func (r *resolution) makeRoom(t policy.Timeout) policy.Timeout {
	adapt := func(key string, at *time.Duration, d time.Duration) {
		if r.timeouts.layers[key] == layerBuiltIn && d > 0 && *at != d {
			*at = d
			r.timeouts.set(key, annot.Duration(d), layerBuiltIn)
		}
	}
	adapt("attempt", &t.Attempt, attemptOf(t.Total, &r.plan))
	adapt("connect", &t.Connect, atMost(t.Connect, t.Attempt))
	adapt("first-item", &t.FirstItem, atMost(t.FirstItem, t.Attempt))
	adapt("first-byte", &t.FirstByte, atMost(t.FirstByte, t.FirstItem))
	if t.MaxStream > 0 { // a stall must be noticed well before the end
		adapt("idle", &t.Idle, atMost(t.Idle, t.MaxStream/2))
		adapt("item-gap", &t.ItemGap, atMost(t.ItemGap, t.MaxStream/2))
	}
	return t
}

// attemptOf is the attempt that nobody wrote: the total, divided where attempts or rungs are to follow, less what rungs reserve.
func attemptOf(total time.Duration, p *policy.Plan) time.Duration {
	sending := sendingRungs(p)
	if p.Retry.Attempts <= 1 && len(p.Fallback.Rungs) == 0 {
		return total
	}
	attempt := policy.AttemptOf(total, p.Retry.Attempts, sending)
	room, reserved := total, false
	for _, rung := range p.Fallback.Rungs {
		room -= rung.Reserve
		reserved = reserved || rung.Reserve > 0
	}
	if p.Retry.Attempts > 1 || sending > 0 {
		room = room * 10 / 11 // a tenth of an attempt is what the next one needs at least
	}
	if reserved && room > 0 {
		attempt = min(attempt, room)
	}
	return attempt
}

// atMost is d, but no more than a bound that is set.
func atMost(d, bound time.Duration) time.Duration {
	if bound > 0 {
		return min(d, bound)
	}
	return d
}

func sendingRungs(p *policy.Plan) int {
	n := 0
	for _, rung := range p.Fallback.Rungs {
		if rung.Sort.Sends() {
			n++
		}
	}
	return n
}

// yieldToAuthors adapts values that `recommended` filled in to those that an author wrote beside them, where the two together would
// be refused: a cap below the base, a minimum above the window.
func yieldToAuthors(t *tree) {
	raise := func(path, floor string) {
		if t.layers[path] == layerRecommended && t.layers[floor] != layerRecommended && durationAt(t, path) < durationAt(t, floor) {
			t.set(path, t.written(floor).Text, layerRecommended)
		}
	}
	lower := func(path, ceiling string, at func(*tree, string) int64) {
		if t.layers[path] == layerRecommended && t.written(ceiling) != nil && at(t, path) > at(t, ceiling) {
			t.setLike(path, t.written(ceiling), layerRecommended)
		}
	}
	raise("retry.backoff.max", "retry.backoff.base")
	raise("breaker.open-max", "breaker.open-for")
	lower("retry.backoff.base", "retry.backoff.max", func(t *tree, p string) int64 { return int64(durationAt(t, p)) })
	lower("breaker.open-for", "breaker.open-max", func(t *tree, p string) int64 { return int64(durationAt(t, p)) })
	lower("breaker.min-calls", "breaker.window.calls", numberAt)
}

func durationAt(t *tree, path string) time.Duration {
	v := t.written(path)
	if v == nil {
		return 0
	}
	d, err := time.ParseDuration(v.Text)
	if err != nil {
		return 0
	}
	return d
}

func numberAt(t *tree, path string) int64 {
	v := t.written(path)
	if v == nil {
		return 0
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
