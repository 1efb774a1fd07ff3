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
		amount := v.Text
		if !amountPattern.MatchString(amount) {
			amount = "500"
		}
		c.bad(diag.BadValue, v, c.quoted()+" is an amount without a span of time", "an amount alone could be meant for a second or for a minute",
			"write "+c.put(amount+"/1m")+" or "+c.put(amount+"/1s"))
		return source.Value{}, false
	default:
		c.wrongType(v, "a rate", "500/1m")
		return source.Value{}, false
	}
	if _, ok := parseRate(v.Text); ok {
		return *v, true
	}
	c.bad(diag.BadValue, v, c.quoted()+" is no rate: "+quote(v.Text),
		"a rate is an amount above 0, a slash and a span of time as Go writes it: AMOUNT/DURATION", "write "+c.put(likelyRate(v.Text)))
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
	return policy.Rate{Amount: x, Per: per}, errAmount == nil && errSpan == nil && x > 0 && x <= mostAmount && per > 0 && per <= LongestDuration
}

// wordsPattern is an amount, whatever stands between, a number of units and a unit: "500 per minute", "60/1d", "20rps", "9,000 / 2 hours".
var wordsPattern = regexp.MustCompile(`^([0-9]{1,3}(?:,[0-9]{3})+|[0-9.]+)(?: requests| tokens)?[ /]*(?:rp|tp|per|p)?[ /+]*([0-9]{0,4}) ?([a-z]*)$`)

// likelyRate is what the author of a text that is no rate may have meant.
func likelyRate(text string) string {
	const usual = "500"
	m := wordsPattern.FindStringSubmatch(strings.ToLower(text))
	if m == nil {
		return usual + "/1m"
	}
	amount := strings.ReplaceAll(m[1], ",", "")
	if !amountPattern.MatchString(amount) {
		amount = usual
	}
	n, err := strconv.Atoi(m[2])
	if err != nil || n == 0 {
		n = 1
	}
	for _, unit := range []struct {
		begins, span string
		times        int
	}{{"ms", "ms", 1}, {"s", "s", 1}, {"h", "h", 1}, {"d", "h", hoursOfDay}, {"w", "h", 7 * hoursOfDay}, {"mo", "h", 30 * hoursOfDay}, {"", "m", 1}} {
		if strings.HasPrefix(m[3], unit.begins) {
			return amount + "/" + strconv.Itoa(n*unit.times) + unit.span
		}
	}
	return amount + "/1m"
}

const hoursOfDay = 24

func rateText(r policy.Rate) string { return decimal(r.Amount) + "/" + Duration(r.Per) }
