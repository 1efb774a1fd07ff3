package annot

import (
	"time"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var hedgeEntry = Entry{
	Sort:  Policy,
	Title: "Hedge",
	Text: "Sends a second copy of a call that takes longer than usual, and takes the answer that comes first. With `delay: auto`, the default, " +
		"the delay is found from the latencies seen, so that no more than `extra-load` of the calls are copied. Only what may run twice at once " +
		"is hedged: see `hedgeable`, and `concurrent` of `key`. `target` sends the copies elsewhere.",
	Example: "hedge: {delay: auto, max: 1, extra-load: 5%}",
	Since:   "0.1",
	field:   object("hedge", "", hedgeKeys, func(s *Settings) *policy.HedgeConfig { return &s.Plan.Hedge }),
}

type hedge = policy.HedgeConfig

var hedgeKeys = record[hedge]{
	{
		key: "delay", doc: "How long a call runs before it is copied; `auto` finds it from the latencies seen.", shape: delayShape{},
		put: func(h *hedge, v *source.Value) {
			if v.Text != autoDelay {
				h.Delay, _ = time.ParseDuration(v.Text)
			}
		},
		take: func(h *hedge) (source.Value, bool) {
			if h.Delay == 0 {
				return text(autoDelay), h.Max > 0
			}
			return text(Duration(h.Delay)), true
		},
	},
	countTo("max", "Copies beside the first, from 1 to 3.", 1, mostCopies, func(h *hedge) *int { return &h.Max }),
	share("extra-load", "The share of calls that may be copied.", func(h *hedge) *float64 { return &h.ExtraLoad }),
	name("target", "Where copies go; without it, to the target of the call itself.", func(h *hedge) *string { return &h.Target }),
	sameSpace("Why the answers of `target` live in the vector space of the operation's own, on an operation with `space`.",
		func(h *hedge) *string { return &h.SameSpace }),
}

const (
	// autoDelay stands for a delay that is found from the latencies seen.
	autoDelay = "auto"
	// mostCopies is what policy.Plan.Validate admits.
	mostCopies = 3
)

// delayShape is a duration, or auto.
type delayShape struct{}

func (delayShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.String && v.Text == autoDelay {
		return *v, true
	}
	return durationShape{least: time.Nanosecond}.check(c, v)
}

func (delayShape) describe() description {
	return description{
		form:   "`auto` or a duration",
		schema: &schema{AnyOf: []*schema{{Enum: []string{autoDelay}}, durationShape{}.describe().schema}},
	}
}
