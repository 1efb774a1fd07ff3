package annot

import (
	"net/url"
	"time"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var targetsEntry = Entry{
	Sort:  Shared,
	Title: "Targets",
	Text: "Declares the dependencies that rungs and hedges may name; `primary` always exists. `base-url` is a default: options win over it. `internal` " +
		"targets are told about deadlines and attempts; towards a `layered` one, which retries or falls back itself, nothing is retried. " +
		"Its budget, breaker, bulkhead and limit replace those of the operations. A target with `any-of` is not called itself: its members are, " +
		"which are targets too, each with a breaker, a bulkhead, a limit and a budget of its own. A call goes to the better of two that are drawn " +
		"by `weight`, never to one that is out while another can serve, and its retries go to another. `affinity` keeps a conversation on its member. " +
		"What a target cannot take (`max-input`, `lacks`) is not sent to it; with members, what one of them cannot. A target that speaks the same API " +
		"and is another provider says which by `errors`: the rules of the operations hold for it too, and come first.",
	Example: "targets:\n  primary: {any-of: [eu, us], affinity: {key: conversation, ttl: 5m}}\n" +
		"  eu: {base-url: https://llm-eu.example.com/v1, weight: 2}\n  us: {base-url: https://llm-us.example.com/v1}\n" +
		"  secondary: {base-url: https://llm.example.com/v1, max-input: 32768, errors: groq}",
	Since: "0.1",
	field: field[Settings]{key: "targets", shape: named{of: targetKeys, form: "targets by name"}},
}

type target = policy.Target

var targetKeys = record[target]{
	textField("base-url", "The address where no option gives another.", urlShape(), func(t *target) *string { return &t.BaseURL }),
	flag("internal", "The dependency is ours, and is told about deadlines, attempts and criticality.", func(t *target) *bool { return &t.Internal }),
	flag("layered", "The dependency retries or falls back itself.", func(t *target) *bool { return &t.Layered }),
	textField("errors", "The preset of the provider that the target is, where that is another than the operations': what its errors, its streams "+
		"and its numbers of tokens mean, and the headers of its limits.", presetShape, func(t *target) *string { return &t.Preset }),
	object("budget", "Replaces the operations' budget.", budgetKeys, func(t *target) *policy.BudgetConfig { return &t.Budget }),
	object("breaker", "Replaces the operations' breaker.", breakerKeys, func(t *target) *policy.BreakerConfig { return &t.Breaker }),
	object("bulkhead", "Replaces the operations' bulkhead.", bulkheadKeys, func(t *target) *policy.BulkheadConfig { return &t.Bulkhead }),
	object("limit", "Replaces the operations' limit.", limitKeys, func(t *target) *policy.LimitConfig { return &t.Limit }),
	accepts("the target may see", func(t *target) *[]string { return &t.Accepts }),
	maxInput("The longest input that the target can take.", func(t *target) *int64 { return &t.MaxInput }),
	lacks("What the target cannot do.", func(t *target) *[]policy.Match { return &t.Lacks }),
	{
		key: "any-of", doc: "The targets that are its members: equal endpoints, or credentials, behind one name.",
		shape: listOf{item: nameShape("a name", "eu", namePattern), form: "a list of targets", example: "[eu, us]", unique: true},
		put:   func(t *target, v *source.Value) { t.AnyOf = texts(v) },
		take:  func(t *target) (source.Value, bool) { return textsValue(t.AnyOf), len(t.AnyOf) > 0 },
	},
	number("weight", "As a member: its share of the calls, relative to those of the others; without it, 1.", leastWeight,
		func(t *target) *float64 { return &t.Weight }),
	flag("shared-keys", "The members know each other's idempotency keys: what one may have executed may be sent to another.",
		func(t *target) *bool { return &t.SharedKeys }),
	object("affinity", "Keeps a conversation on one of the members, while that is well.", affinityKeys,
		func(t *target) *policy.AffinityConfig { return &t.Affinity }),
	priceField(func(t *target) *policy.Price { return &t.Price }),
}

// leastWeight is the least share of a member.
const leastWeight = 0.001

type affinity = policy.AffinityConfig

var affinityKeys = record[affinity]{
	textField("key", "The Go function, wired by an option, that says to which conversation a call belongs, by its context.",
		nameShape("the name of a Go function or value", "conversation", goNamePattern), func(a *affinity) *string { return &a.Key }),
	duration("ttl", "How long a conversation that had to move stays where it is after its last call.",
		func(a *affinity) *time.Duration { return &a.TTL }),
}

func urlShape() scalar {
	s := textShape("https://llm.example.com/v1")
	s.form = "a URL"
	s.schema = &schema{Type: "string", Format: "uri"}
	s.test = func(text string) string {
		u, err := url.Parse(text)
		switch {
		case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			return "must be an absolute http or https URL, not " + quote(text)
		case u.User != nil || u.Fragment != "":
			return "must have neither a user nor a fragment"
		default:
			return ""
		}
	}
	return s
}
