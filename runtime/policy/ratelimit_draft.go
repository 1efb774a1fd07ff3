package policy

import (
	"strings"
	"time"
)

// mostItems is how many items of a list are read, and mostLength how much of it: nobody has that many limits.
const (
	mostItems  = 16
	mostLength = 2 << 10
)

// draft reads the RateLimit header fields of the IETF draft, in its forms. Where several limits are named, the one that presses most counts.
func (r *limitReader) draft() (said LimitReading) {
	state, rules := r.get("Ratelimit"), r.get("Ratelimit-Policy")
	if state == "" && rules == "" {
		said = r.triple("Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset")
		if said.Limit > 0 {
			eachItem(r.get("Ratelimit-Limit"), func(i draftItem) { said.window(i) })
		}
		return said
	}
	eachItem(rules, func(i draftItem) {
		if i.isOfRequests() {
			said.policy(i)
		}
	})
	var old LimitReading
	eachItem(state, func(i draftItem) {
		switch i.name {
		case "limit":
			old.Limit = i.value
		case "remaining":
			old.Remaining, old.HasRemaining = i.value, i.hasValue
		case "reset":
			old.Reset = secondsOf(i.value)
		default:
			said.state(i)
		}
	})
	if old != (LimitReading{}) {
		said.Remaining, said.HasRemaining, said.Reset = old.Remaining, old.HasRemaining, old.Reset
		if said.Limit == 0 {
			said.Limit = old.Limit
		}
	}
	return said
}

// policy takes a policy, if it allows less than the one that was taken before: "name";q=100;w=60, or 100;w=60.
func (r *LimitReading) policy(i draftItem) {
	limit, window := i.q, secondsOf(i.w)
	if limit <= 0 {
		limit = i.value
	}
	if limit <= 0 || window <= 0 {
		return
	}
	if r.Window <= 0 || limit/float64(window) < r.Limit/float64(r.Window) {
		r.Limit, r.Window = limit, window
	}
}

// state takes what is left of a limit, if it is less for each second than what was taken before: "name";r=50;t=30.
func (r *LimitReading) state(i draftItem) {
	if !i.hasR {
		return
	}
	reset := secondsOf(i.t)
	if !r.HasRemaining || presses(i.r, reset, r.Remaining, r.Reset) {
		r.Remaining, r.HasRemaining, r.Reset = i.r, true, reset
	}
}

// presses reports whether a remainder until a reset lets through less than another: nothing until later, or less in each second.
func presses(remaining float64, reset time.Duration, than float64, until time.Duration) bool {
	if remaining == 0 || than == 0 {
		return remaining < than || remaining == than && reset > until
	}
	return remaining*float64(until) < than*float64(reset)
}

// window takes the window of a policy that follows the limit in RateLimit-Limit: 100, 100;w=60.
func (r *LimitReading) window(i draftItem) {
	if w := secondsOf(i.w); w > 0 && i.value == r.Limit && r.Window == 0 {
		r.Window = w
	}
}

// secondsOf returns a span that is given in seconds; 0 for what is none.
func secondsOf(x float64) time.Duration {
	if !(x > 0 && x <= mostReset.Seconds()) {
		return 0
	}
	return time.Duration(x * float64(time.Second))
}

// draftItem is an item of a list, with the parameters that matter: those that are absent, or no amounts, are 0.
type draftItem struct {
	name     string  // the quoted text, or the key
	value    float64 // after the key, or the item itself
	hasValue bool
	q, w     float64
	r, t     float64
	hasR     bool
	unit     string
}

// isOfRequests reports whether a policy counts requests, rather than bytes, or calls in flight.
func (i *draftItem) isOfRequests() bool { return i.unit == "" || i.unit == "requests" }

// eachItem calls f for each item of a structured-field list (RFC 9651, section 3.1). What does not follow the form is passed over.
func eachItem(list string, f func(draftItem)) {
	list = list[:min(len(list), mostLength)]
	for range mostItems {
		if strings.TrimSpace(list) == "" {
			return
		}
		var text string
		text, list = cutOutside(list, ',')
		f(parseItem(text))
	}
}

// parseItem reads an item and its parameters.
func parseItem(text string) (i draftItem) {
	head, rest := cutOutside(text, ';')
	head = strings.TrimSpace(head)
	if key, value, ok := strings.Cut(head, "="); ok && !strings.HasPrefix(head, `"`) {
		i.name = strings.ToLower(strings.TrimSpace(key))
		i.value, i.hasValue = amountOf(strings.TrimSpace(value))
	} else if i.value, i.hasValue = amountOf(head); !i.hasValue {
		i.name = unquote(head)
		if i.name == "limit" || i.name == "remaining" || i.name == "reset" {
			i.name = "" // a policy may be called anything
		}
	}
	for rest != "" {
		var param string
		param, rest = cutOutside(rest, ';')
		key, value, _ := strings.Cut(param, "=")
		i.set(strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value))
	}
	return i
}

// set takes a parameter.
func (i *draftItem) set(key, value string) {
	switch key {
	case "q":
		i.q, _ = amountOf(value)
	case "w":
		i.w, _ = amountOf(value)
	case "r":
		i.r, i.hasR = amountOf(value)
	case "t":
		i.t, _ = amountOf(value)
	case "qu":
		i.unit = strings.ToLower(unquote(value))
	}
}

// unquote returns what is between quotes.
func unquote(text string) string { return strings.Trim(text, `"`) }

// cutOutside cuts text at the first separator outside of quotes (RFC 9651, section 3.3.3).
func cutOutside(text string, sep byte) (before, after string) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && c == sep:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}
