package annot

import (
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// rung is a rung under decoding: what the runtime is told of it, and what the planner makes its step from.
type rung struct {
	policy.Rung

	facts RungFacts
}

var rungKeys = record[rung]{
	name("name", "How results, logs and metrics call the rung.", func(r *rung) *string { return &r.Name }),
	{
		key: "target", doc: "The target that the same request is sent to.", shape: nameShape("a name", "secondary", namePattern),
		put:  func(r *rung, v *source.Value) { r.Sort, r.Target = policy.RungTarget, v.Text },
		take: func(r *rung) (source.Value, bool) { return text(r.Target), r.Sort == policy.RungTarget },
	},
	{
		key: "patch", doc: "How the request is changed before it is sent.",
		shape: listOf{
			item: patchKeys, form: "a list of patch operations", example: "[{op: replace, path: /model, value: small}]", whole: patchOK,
		},
		put: func(r *rung, v *source.Value) {
			r.Sort = policy.RungPatch
			for i := range v.List {
				op := PatchOp{Pos: v.List[i].Pos}
				patchKeys.decode(&op, &v.List[i])
				r.facts.Patch = append(r.facts.Patch, op)
			}
		},
		take: func(r *rung) (source.Value, bool) {
			list := source.Value{Kind: source.List}
			for i := range r.facts.Patch {
				list.List = append(list.List, patchKeys.encode(&r.facts.Patch[i]))
			}
			return list, r.Sort == policy.RungPatch
		},
	},
	{
		key: "static", doc: "The answer: a component example, or the name of a value that is wired in Go.", shape: staticShape(),
		put: func(r *rung, v *source.Value) {
			r.Sort, r.facts.Static, r.facts.StaticPos = policy.RungStatic, v.Text, v.Pos
			if !strings.Contains(v.Text, "#") {
				r.Func = v.Text
			}
		},
		take: func(r *rung) (source.Value, bool) { return text(r.facts.Static), r.Sort == policy.RungStatic },
	},
	{
		key: "items", doc: "What the method that streams answers with, beside `static`: a component example that is an item or a list of items, or the " +
			"name of a list that is wired in Go. Without it, what `static` says, in the form of the provider's streams.",
		shape: staticShape(),
		put:   func(r *rung, v *source.Value) { r.facts.Items, r.facts.ItemsPos = v.Text, v.Pos },
		take:  func(r *rung) (source.Value, bool) { return text(r.facts.Items), r.facts.Items != "" },
	},
	{
		key: "operation", doc: "The operation that answers: another one of the document, by its operationId, or of the Go interface, by its method. " +
			"Its own policies hold, but for its ladder. Where it takes or answers with another type, `func` names what maps the two.",
		shape: textShape("searchPassages"),
		put:   func(r *rung, v *source.Value) { r.Sort, r.Operation = policy.RungOperation, v.Text },
		take:  func(r *rung) (source.Value, bool) { return text(r.Operation), r.Sort == policy.RungOperation },
	},
	{
		key: "func", doc: "The Go function that answers; with `operation`, by asking that.",
		shape: nameShape("the name of a Go function or value", "myFunc", goNamePattern),
		put: func(r *rung, v *source.Value) {
			r.Func, r.facts.FuncPos = v.Text, v.Pos
			if r.Sort != policy.RungOperation {
				r.Sort = policy.RungFunc
			}
		},
		take: func(r *rung) (source.Value, bool) {
			return text(r.Func), r.Sort == policy.RungFunc || r.Sort == policy.RungOperation && r.Func != ""
		},
	},
	{
		key: "cache", doc: "`{}`: what an equal call was answered before, as long as `stale-if-error` of the cache allows.", shape: emptyShape{},
		put:  func(r *rung, _ *source.Value) { r.Sort = policy.RungCache },
		take: func(r *rung) (source.Value, bool) { return source.Value{Kind: source.Map}, r.Sort == policy.RungCache },
	},
	{
		key: "when", doc: "The kinds of failure that lead here; `any`, the default, is all but refused and context-too-long, which must be named. " +
			"caller and canceled lead nowhere. " +
			"No deadline leads to a rung but static and cache, and what was shed to none that sends.",
		shape: kindsShape{
			known: append([]string{"any"}, kindNames(func(k policy.Kind) bool { return k != policy.KindCanceled && k != policy.KindCaller })...),
			why: "a call that its caller has given up, or asked wrongly, is not answered by other means; " +
				"where a status is not the caller's fault, say so: `errors: {unusable: [404]}`",
		},
		put:  func(r *rung, v *source.Value) { r.When = parseKinds(v) },
		take: func(r *rung) (source.Value, bool) { return kindsValue(r.When), len(r.When) > 0 },
	},
	levelField(),
	duration("reserve", "The time that earlier rungs leave for this one; unless said, what 95 % of its answers take.",
		func(r *rung) *time.Duration { return &r.Reserve }),
	textOf("may-duplicate", "Why the rung may follow a failure that leaves execution in doubt, on an operation that is not repeatable elsewhere.",
		`"the server drops duplicates"`, func(r *rung) *string { return &r.MayDuplicate }),
	sameSpace("Why the answer lives in the vector space of the operation's own, on an operation with `space`.", func(r *rung) *string { return &r.SameSpace }),
	priceField(func(r *rung) *policy.Price { return &r.Price }),
	accepts("the rung may see", func(r *rung) *[]string { return &r.Accepts }),
	maxInput("The longest input that the rung can take.", func(r *rung) *int64 { return &r.MaxInput }),
	lacksOfRung(),
}

// lacksOfRung are what the rung cannot do, with their places.
func lacksOfRung() field[rung] {
	f := lacks("What the rung cannot do.", func(r *rung) *[]policy.Match { return &r.Lacks })
	put := f.put
	f.put = func(r *rung, v *source.Value) {
		put(r, v)
		r.facts.LacksPos = lackPlaces(v)
	}
	return f
}

// levelField is the level, of which each sort of rung has a default of its own.
func levelField() field[rung] {
	f := oneOf("level", "How good the answer is. By default: target alternate, patch, operation and func reduced, cache stale, static canned.", []policy.Level{
		policy.Equal, policy.Alternate, policy.Reduced, policy.Stale, policy.Canned,
	}, func(r *rung) *policy.Level { return &r.Level })
	f.take = func(r *rung) (source.Value, bool) { return text(r.Level.String()), r.Level != defaultLevel(r.Sort) }
	return f
}

// decodeRung decodes a checked rung and writes out its level and its kinds.
func decodeRung(v *source.Value) rung {
	r := rung{facts: RungFacts{Pos: v.Pos}}
	rungKeys.decode(&r, v)
	if !written(v, "level") {
		r.Level = defaultLevel(r.Sort)
	}
	if !written(v, "when") || namesAny(v.Get("when")) {
		r.When = withAny(r.Sort, r.When)
	}
	return r
}

func defaultLevel(s policy.RungSort) policy.Level {
	switch s {
	case policy.RungTarget:
		return policy.Alternate
	case policy.RungStatic:
		return policy.Canned
	case policy.RungCache:
		return policy.Stale
	default:
		return policy.Reduced
	}
}

func namesAny(when *source.Value) bool {
	return slices.ContainsFunc(when.List, func(v source.Value) bool { return v.Text == "any" })
}

// withAny returns what `any` means for a rung of that sort, and the kinds that are named beside it.
func withAny(s policy.RungSort, named []policy.Kind) []policy.Kind {
	var kinds []policy.Kind
	for _, k := range policy.Kinds() {
		if k.Any() && leadsTo(k, s) || slices.Contains(named, k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// AnyKinds are the kinds that lead to a rung of that sort by themselves: what `when: [any]` says.
func AnyKinds(s policy.RungSort) []policy.Kind { return withAny(s, nil) }

// leadsTo reports whether a failure of that kind can lead to a rung of that sort: the caller's own deadline leaves time for a fixed
// or remembered answer only, and what was shed must not become a request to another.
func leadsTo(k policy.Kind, s policy.RungSort) bool {
	switch k {
	case policy.KindDeadline:
		return s.IsAtHand()
	case policy.KindShed:
		return !s.Sends()
	default:
		return k != policy.KindCanceled
	}
}

// rungSorts are the keys that say by what means a rung answers.
var rungSorts = []string{"target", "patch", "static", "operation", "func", "cache"}

// rungOK reports a rung that has no name, not exactly one sort, or kinds that never lead to it.
func rungOK(c checker, v *source.Value) bool {
	if !written(v, "name") {
		c.missing(v, "name", "{name: eu, ...}")
		return false
	}
	var sorts []string
	for _, key := range rungSorts {
		if written(v, key) && (key != "func" || !written(v, "operation")) {
			sorts = append(sorts, key)
		}
	}
	switch {
	case len(sorts) == 0:
		c.bad(diag.MissingKey, v, "the rung "+quote(v.Get("name").Text)+" does not say by what means it answers",
			"a rung names its sort by its key", "add one of "+strings.Join(rungSorts, ", "))
		return false
	case len(sorts) > 1:
		c.bad(diag.ConflictingKeys, v.Get(sorts[1]), "the rung "+quote(v.Get("name").Text)+" has more than one sort: "+strings.Join(sorts, ", "),
			"a rung is of one sort", "make a rung of each, or remove all but one")
		return false
	}
	return fitsSort(c, v) && acceptsSort(c, v) && itemsOfStatic(c, v) && kindsReach(c, v)
}

// itemsOfStatic reports items of a rung that is not fixed.
func itemsOfStatic(c checker, v *source.Value) bool {
	if !written(v, "items") || written(v, "static") {
		return true
	}
	c.bad(diag.ConflictingKeys, v.Get("items"), "the rung "+quote(v.Get("name").Text)+" has `items`, and is not of the sort `static`",
		"what other rungs answer with is not known before", "remove `items`")
	return false
}

// kindsReach reports kinds that an author wrote and that never lead to a rung of that sort.
func kindsReach(c checker, v *source.Value) bool {
	if !written(v, "when") {
		return true
	}
	sort := decodeRung(v).Sort
	good := true
	for i := range v.Get("when").List {
		item := &v.Get("when").List[i]
		k, isKind := policy.ParseKind(item.Text)
		if !isKind || leadsTo(k, sort) {
			continue
		}
		good = false
		c.bad(diag.RungNeverReached, item, "the kind "+quote(item.Text)+" never leads to the rung "+quote(v.Get("name").Text),
			"after the caller's deadline only a fixed or remembered answer is in time, and what was shed must not become a request to another",
			"remove `"+item.Text+"` from `when`")
	}
	return good
}

// emptyShape is an object without keys: that the key stands there says everything.
type emptyShape struct{}

func (emptyShape) check(c checker, v *source.Value) (source.Value, bool) {
	switch {
	case v.Kind != source.Map:
		c.wrongType(v, "an empty object", "{}")
	case len(v.Map) > 0:
		c.in(&v.Map[0]).bad(diag.UnknownKey, &v.Map[0].Value, "unknown key "+quote(v.Map[0].Key)+" in "+c.quoted(),
			"how long answers are kept, and by what key, stands in the operation's `cache`", "write "+c.put("{}"))
	default:
		return *v, true
	}
	return source.Value{}, false
}

func (emptyShape) describe() description {
	return description{form: "`{}`", schema: &schema{Type: "object", Closed: true}}
}

// written reports whether a key has a value that is not null.
func written(v *source.Value, key string) bool {
	got := v.Get(key)
	return got != nil && got.Kind != source.Null
}

// examplePrefix begins a reference to a component example.
const examplePrefix = "#/components/examples/"

// staticShape is a reference to a component example, or the name of a value that is wired in Go.
func staticShape() scalar {
	s := nameShape("a component example or the name of a Go value", "apology", goNamePattern)
	s.test = func(text string) string {
		name, isRef := strings.CutPrefix(text, examplePrefix)
		if isRef && name != "" || goNamePattern.MatchString(text) {
			return ""
		}
		return "is neither a reference to a component example nor the name of a Go value: " + quote(text)
	}
	s.schema = &schema{Type: "string"}
	return s
}
