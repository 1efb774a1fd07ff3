package annot

import (
	"net/url"

	"github.com/resgen-go/resgen/runtime/policy"
)

var targetsEntry = Entry{
	Sort:  Shared,
	Title: "Targets",
	Text: "Declares the dependencies that rungs and hedges may name; `primary` always exists. `base-url` is a default: options win over it. `internal` " +
		"targets are told about deadlines and attempts; towards a `layered` one, which retries or falls back itself, nothing is retried. " +
		"Its budget, breaker, bulkhead and limit replace those of the operations.",
	Example: "targets:\n  primary: {base-url: https://llm.example.com/v1}\n  secondary: {base-url: https://llm-eu.example.com/v1}",
	Since:   "0.1",
	field:   field[Settings]{key: "targets", shape: named{of: targetKeys, form: "targets by name"}},
}

type target = policy.Target

var targetKeys = record[target]{
	textField("base-url", "The address where no option gives another.", urlShape(), func(t *target) *string { return &t.BaseURL }),
	flag("internal", "The dependency is ours, and is told about deadlines, attempts and criticality.", func(t *target) *bool { return &t.Internal }),
	flag("layered", "The dependency retries or falls back itself.", func(t *target) *bool { return &t.Layered }),
	object("budget", "Replaces the operations' budget.", budgetKeys, func(t *target) *policy.BudgetConfig { return &t.Budget }),
	object("breaker", "Replaces the operations' breaker.", breakerKeys, func(t *target) *policy.BreakerConfig { return &t.Breaker }),
	object("bulkhead", "Replaces the operations' bulkhead.", bulkheadKeys, func(t *target) *policy.BulkheadConfig { return &t.Bulkhead }),
	object("limit", "Replaces the operations' limit.", limitKeys, func(t *target) *policy.LimitConfig { return &t.Limit }),
	later[target]("accepts", "The classifications of data that the target may see."),
	later[target]("max-input", "The longest input that the target can take."),
	later[target]("lacks", "What the target cannot do."),
	later[target]("any-of", "Endpoints or credentials behind one target."),
	later[target]("weight", "The share of a member."),
	later[target]("affinity", "Keeps a conversation on its member."),
	later[target]("price", "What a token costs."),
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
