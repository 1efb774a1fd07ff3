package plan

import (
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/runtime/policy"
)

// hedged says when copies are sent: ", hedged after the usual time".
func hedged(h *policy.HedgeConfig) string {
	if h.Max <= 0 {
		return ""
	}
	out := ", hedged"
	if h.Max > 1 {
		out += " up to " + strconv.Itoa(h.Max) + " times"
	}
	if h.Target != "" {
		out += " on target " + h.Target
	}
	if h.Delay == 0 {
		return out + " after the usual time"
	}
	return out + " after " + annot.Duration(h.Delay)
}

// limited says what bounds the calls to the primary target: "; limited to 500 requests and 30,000 tokens a minute".
func limited(p *policy.Plan) string {
	l := p.Limit
	for i := range p.Targets {
		if t := &p.Targets[i]; t.Name == policy.PrimaryTarget && t.Limit != (policy.LimitConfig{}) {
			l = t.Limit
		}
	}
	rates := []struct {
		rate policy.Rate
		noun string
	}{{l.Requests, "request"}, {l.Tokens, "token"}, {l.InputTokens, "input token"}, {l.OutputTokens, "output token"}}
	var parts []string
	per := time.Duration(0)
	for _, r := range rates {
		if r.rate == (policy.Rate{}) {
			continue
		}
		if len(parts) > 0 && r.rate.Per == per { // the span is said once
			parts[len(parts)-1] = strings.TrimSuffix(parts[len(parts)-1], spanWords(per))
		}
		per = r.rate.Per
		parts = append(parts, rateWords(r.rate, r.noun))
	}
	if cost := p.Limit.Cost; cost != (policy.Rate{}) {
		parts = append(parts, costWords(cost))
	}
	out := "; limited to " + enumerate(parts)
	switch {
	case len(parts) > 0:
	case l.Headers != policy.LimitHeadersNone:
		out = "; limited as the answers say"
	default:
		return ""
	}
	if l.Per == policy.PerTenant {
		out += " for each tenant"
	}
	return out
}

// costWords spells an amount of money in a span of time: "5 of money in 24h0m0s".
func costWords(r policy.Rate) string { return "a cost of " + grouped(r.Amount) + spanWords(r.Per) }

// rateWords spells a rate: "500 requests a minute".
func rateWords(r policy.Rate, noun string) string {
	if r.Amount != 1 {
		noun += "s"
	}
	return grouped(r.Amount) + " " + noun + spanWords(r.Per)
}

// spanWords spells a span of time: " a minute", " in 30s".
func spanWords(d time.Duration) string {
	const day = 24 * time.Hour
	switch d {
	case time.Second:
		return " a second"
	case time.Minute:
		return " a minute"
	case time.Hour:
		return " an hour"
	case day:
		return " a day"
	default:
		return " in " + annot.Duration(d)
	}
}

// grouped spells a number with a comma before each three digits.
func grouped(x float64) string {
	const group = 3
	text := strconv.FormatFloat(x, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - group; i > 0; i -= group {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}

// enumerate joins words: "a, b and c".
func enumerate(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// shed says how far down the call is shed.
func shed(p *policy.Plan) string {
	if p.Shed.Factor <= 0 {
		return ""
	}
	switch p.Criticality {
	case policy.Critical:
		return "; shed last under load"
	case policy.Sheddable:
		return "; shed first under load"
	default:
		return "; shed under load"
	}
}

// cached says for how long an answer is given again.
func cached(c *policy.CacheConfig) string {
	if !c.On || c.TTL <= 0 {
		return ""
	}
	text := "; cached for " + annot.Duration(c.TTL)
	if c.Semantic.On {
		text += ", also for what means the same"
	}
	return text
}

// exercised says how many calls use the rungs in normal times.
func exercised(e *policy.ExerciseConfig) string {
	if e.Share <= 0 {
		return ""
	}
	return ", exercised by " + strconv.FormatFloat(e.Share*100, 'g', 4, 64) + "% of the calls"
}
