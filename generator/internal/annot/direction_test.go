package annot

import (
	"slices"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// undirected are annotations that hold no value of an operation themselves: they are short for another, name what others define, or hold other
// annotations.
var undirected = []string{"idempotent", "use", "timeout", "defaults", "policies", "rules", "version"}

// directed is how directions call a key of the registry.
func directed(key string) string {
	if rest, ok := strings.CutPrefix(key, "timeout-classes"); ok {
		return "timeout" + rest
	}
	for _, shared := range []string{"budget", "breaker", "bulkhead", "limit"} {
		if rest, ok := strings.CutPrefix(key, "targets."+shared); ok {
			return shared + rest
		}
	}
	return key
}

// registryKeys are all keys that are supported, as directions call them.
func registryKeys() []string {
	var out []string
	for _, e := range Entries() {
		if slices.Contains(undirected, e.Key()) {
			continue
		}
		out = append(out, directed(e.Key()))
		for _, k := range e.Keys() {
			out = append(out, directed(e.Key()+"."+k.Path))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestDirections holds the table of directions to the registry: a key that nobody gave a direction could be loosened unseen.
func TestDirections(t *testing.T) {
	t.Parallel()
	keys := registryKeys()
	within := func(key string) bool { // one value with what it stands in
		return slices.ContainsFunc(directions, func(d Direction) bool { return d.Whole && strings.HasPrefix(key, d.Key+".") })
	}
	for _, key := range keys {
		holds := slices.ContainsFunc(keys, func(other string) bool { return strings.HasPrefix(other, key+".") })
		if _, ok := DirectionOf(key); !ok && !holds && !within(key) {
			t.Errorf("%q has no direction: say in directions_*.go which of its values are looser, and why", key)
		}
	}
	// What the registry has in another form.
	keys = append(keys, "fallback.refuse", "timeout.min-rate.rate", "timeout.min-rate.enforce")
	seen := map[string]bool{}
	for _, d := range directions {
		if !slices.Contains(keys, d.Key) {
			t.Errorf("the direction of %q is of no key", d.Key)
		}
		if seen[d.Key] {
			t.Errorf("%q has two directions", d.Key)
		}
		seen[d.Key] = true
		if d.Why == "" || strings.HasSuffix(d.Why, ".") {
			t.Errorf("%q: the reason %q is no clause", d.Key, d.Why)
		}
		if (d.Sense == Stepped) != (len(d.Steps) > 1) {
			t.Errorf("%q: steps are for values that have an order of their own, which has two or more", d.Key)
		}
	}
}

// TestSteps wants the steps of a key to be the values that it may have.
func TestSteps(t *testing.T) {
	t.Parallel()
	var all []Direction
	for _, d := range directions {
		if d.Sense == Stepped && !slices.Contains(d.Steps, "true") {
			all = append(all, d)
		}
	}
	if len(all) < 4 {
		t.Fatalf("there are %d keys with steps", len(all))
	}
	for _, d := range all {
		form := formOf(d.Key)
		for _, step := range d.Steps {
			for value := range strings.SplitSeq(step, "|") {
				if value != IdempotentByIDs && !strings.Contains(form, "`"+value+"`") {
					t.Errorf("%q has no value %q: %s", d.Key, value, form)
				}
			}
		}
		if want, got := strings.Count(form, "`")/2, len(strings.Split(strings.Join(d.Steps, "|"), "|")); got < want {
			t.Errorf("%q has %d values, and steps for %d: %s", d.Key, want, got, form)
		}
	}
}

func formOf(key string) string {
	for _, e := range Entries() {
		if e.Key() == key {
			return e.Form()
		}
		for _, k := range e.Keys() {
			if e.Key()+"."+k.Path == key {
				return k.Form
			}
		}
	}
	return ""
}

func TestWeigh(t *testing.T) {
	t.Parallel()
	str := func(text string) *source.Value { return &source.Value{Kind: source.String, Text: text} }
	list := func(texts ...string) *source.Value { v := textsValue(texts); return &v }
	type verdict struct{ looser, tighter bool }
	loose, tight, other := verdict{looser: true}, verdict{tighter: true}, verdict{}
	for _, c := range []struct {
		key      string
		from, to *source.Value
		want     verdict
	}{
		{"retry.attempts", str("2"), str("3"), loose},
		{"retry.attempts", nil, str("3"), loose},
		{"retry.backoff.base", str("1s"), str("2s"), other},
		{"retry.on", list("timeout"), list("timeout", "reset"), loose},
		{"retry.on", list("timeout"), list("reset"), verdict{true, true}},
		{"timeout.total", str("900ms"), str("1m"), loose},
		{"timeout.total", str("1m"), nil, loose},
		{"timeout.min-rate.rate", str("5/s over 10s"), str("4/s over 10s"), loose},
		{"timeout.min-rate.rate", str("5/s over 10s"), str("5/s over 20s"), loose},
		{"timeout.min-rate.rate", str("5/s over 10s"), str("4/s over 5s"), other},
		{"timeout.min-rate.rate", str("5/s over 10s"), str("4B/s over 20s"), other},
		{"budget.ratio", str("5%"), str("0.1"), loose},
		{"breaker", str("x"), nil, loose},
		{"breaker.consecutive", str("5"), nil, loose},
		{"breaker.slow-call", str("1s"), nil, other},
		{"breaker.mode", str("on"), str("shadow"), loose},
		{"breaker.mode", str("forced-closed"), str("shadow"), other},
		{"breaker.open-for", str("5s"), str("1s"), loose},
		{"limit.requests", str("500/1m"), str("10/1s"), loose},
		{"limit.requests", str("600/1m"), str("10/1s"), other},
		{"limit.replicas", str("2"), nil, loose},
		{"idempotency", nil, str("safe"), loose},
		{"idempotency", str("idempotent"), str(IdempotentByIDs), tight},
		{"ids", list("/a"), nil, other},
		{"ids", list("/a"), list("/a", "/b"), loose},
		{"data", list("pii"), nil, loose},
		{"exercise.rungs", list("eu"), nil, loose},
		{"fallback.may-duplicate", nil, str("why"), loose},
		{"fallback.may-duplicate", str("why"), str("because"), other},
		{"fallback.lacks", list("/tools"), list("/tools", "/audio"), tight},
		{"hedge.delay", str("auto"), str("100ms"), other},
		{"hedge.delay", str("200ms"), str("100ms"), loose},
	} {
		d, ok := DirectionOf(c.key)
		if !ok {
			t.Fatal(c.key)
		}
		looser, tighter := d.Weigh(c.from, c.to)
		back, forth := d.Weigh(c.to, c.from)
		if got := (verdict{looser, tighter}); got != c.want || looser != forth || tighter != back {
			t.Errorf("%s: %v → %v: %+v, want %+v; the other way round looser %v, tighter %v", c.key, c.from, c.to, got, c.want, back, forth)
		}
		if d.Same(c.from, c.to) {
			t.Errorf("%s: %v and %v are the same", c.key, c.from, c.to)
		}
	}
}

// TestSame wants no change where nothing is meant differently.
func TestSame(t *testing.T) {
	t.Parallel()
	a, b := textsValue([]string{"x", "y"}), textsValue([]string{"y", "x"})
	accepts, _ := DirectionOf("cache.accepts")
	patch, _ := DirectionOf("fallback.patch")
	weight, _ := DirectionOf("targets.weight")
	if !accepts.Same(&a, &b) || accepts.Same(&a, nil) {
		t.Error("the order of classes counts, or that there are any does not")
	}
	if patch.Same(&a, &b) {
		t.Error("the order of a patch does not count")
	}
	if !weight.Same(nil, &source.Value{Kind: source.Number, Text: "1"}) {
		t.Error("a default that is written is a change")
	}
}
