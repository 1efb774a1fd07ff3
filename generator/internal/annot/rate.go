package annot

import (
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
	return description{form: "a rate, `500/1m`", schema: &schema{
		Type: "string", Pattern: `^[0-9]+(\.[0-9]+)?/([0-9]+(\.[0-9]*)?)?(ns|us|µs|ms|s|m|h)([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))*$`,
	}}
}

// mostAmount is what fits into every counter, and far beyond any limit that is meant.
const mostAmount = 1e12

// parseRate reads AMOUNT/DURATION. The duration may be a unit alone.
func parseRate(text string) (policy.Rate, bool) {
	amount, span, found := strings.Cut(text, "/")
	x, err := strconv.ParseFloat(amount, 64)
	if !found || err != nil || !digitsOnly(amount) || !(x > 0 && x <= mostAmount) {
		return policy.Rate{}, false
	}
	per, err := time.ParseDuration(span)
	if err != nil && !strings.ContainsAny(span, "0123456789") {
		per, err = time.ParseDuration("1" + span)
	}
	return policy.Rate{Amount: x, Per: per}, err == nil && per > 0
}

// digitsOnly reports a plain decimal: no sign, no exponent, no name of a number.
func digitsOnly(s string) bool { return strings.Trim(s, "0123456789.") == "" }

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
