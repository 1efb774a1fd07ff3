package annot

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// rate is a key that is an amount in a span of time: `500/1m`, or `60/s` for `60/1s`.
func rate[T any](key, doc string, at func(*T) *policy.Rate) field[T] {
	return field[T]{
		key: key, doc: doc, shape: rateShape{},
		put:  func(t *T, v *source.Value) { *at(t), _ = parseRate(v.Text) },
		take: func(t *T) (source.Value, bool) { return text(rateText(*at(t))), *at(t) != policy.Rate{} },
	}
}

type rateShape struct{}

func (rateShape) check(c checker, v *source.Value) (source.Value, bool) {
	switch v.Kind {
	case source.String:
	case source.Number:
		c.bad(diag.BadValue, v, c.quoted()+" is an amount without a span of time", "an amount alone could be meant for a second or for a minute",
			"write `"+c.key+": "+v.Text+"/1m` or `"+c.key+": "+v.Text+"/1s`")
		return source.Value{}, false
	default:
		c.wrongType(v, "a rate", "500/1m")
		return source.Value{}, false
	}
	if _, ok := parseRate(v.Text); ok {
		return *v, true
	}
	c.bad(diag.BadValue, v, c.quoted()+" is no rate: "+quote(v.Text),
		"a rate is an amount above 0, a slash and a span of time as Go writes it: AMOUNT/DURATION", "write `"+c.key+": "+likelyRate(v.Text)+"`")
	return source.Value{}, false
}

func (rateShape) describe() description {
	return description{form: "a rate, `500/1m`", schema: &schema{Type: "string", Pattern: ratePattern.String()}}
}

// ratePattern is an amount without sign or exponent, a slash, and a unit alone or a duration as Go writes it.
var ratePattern = regexp.MustCompile(
	`^[0-9]+(\.[0-9]+)?/((ns|us|µs|ms|s|m|h)|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$`)

// mostAmount is what fits into every counter, and far beyond any limit that is meant.
const mostAmount = 1e12

// parseRate reads AMOUNT/DURATION. The duration may be a unit alone.
func parseRate(text string) (policy.Rate, bool) {
	if !ratePattern.MatchString(text) {
		return policy.Rate{}, false
	}
	amount, span, _ := strings.Cut(text, "/")
	if !strings.ContainsAny(span, "0123456789") {
		span = "1" + span
	}
	x, errAmount := strconv.ParseFloat(amount, 64)
	per, errSpan := time.ParseDuration(span)
	return policy.Rate{Amount: x, Per: per}, errAmount == nil && errSpan == nil && x > 0 && x <= mostAmount && per > 0
}

// likelyRate is what the author of a text that is no rate may have meant.
func likelyRate(text string) string {
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	amount := strings.TrimLeft(text[:digits], "0")
	const longest = 12
	if amount == "" || len(amount) > longest {
		amount = "500"
	}
	rest := strings.ToLower(text[digits:])
	for _, unit := range []struct{ begins, span string }{{"s", "1s"}, {"h", "1h"}, {"d", "24h"}} {
		if strings.HasPrefix(strings.TrimLeft(rest, " /per"), unit.begins) {
			return amount + "/" + unit.span
		}
	}
	return amount + "/1m"
}

func rateText(r policy.Rate) string { return decimal(r.Amount) + "/" + Duration(r.Per) }
