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

// minRate is `min-rate`: `5/s over 10s`, or an object with that and `enforce`.
func minRate() field[timeouts] {
	return field[timeouts]{
		key: "min-rate",
		doc: "How fast the content of a stream has to come, over which time: items or bytes, `5/s over 10s` or `200B/s over 10s`. Counted is the " +
			"time in which the target is waited for. Before the first content a stream that is slower is a timeout, so that the time must be longer " +
			"than the first content may take; after it, it is a slow call to the breaker, and with `{rate: 5/s over 10s, enforce: true}` an error too.",
		shape: either{kind: source.String, first: minRateShape{}, second: minRateKeys},
		put: func(t *timeouts, v *source.Value) {
			if v.Kind == source.String {
				t.MinRate, _ = parseMinRate(v.Text)
				return
			}
			minRateKeys.decode(t, v)
		},
		take: func(t *timeouts) (source.Value, bool) {
			if t.MinRate.Enforce {
				return minRateKeys.encode(t), true
			}
			return text(minRateText(t.MinRate)), t.MinRate != policy.MinRate{}
		},
	}
}

var minRateKeys = record[timeouts]{
	{
		key: "rate", doc: "The rate, and the time over which it is measured.", shape: minRateShape{},
		put: func(t *timeouts, v *source.Value) {
			r, _ := parseMinRate(v.Text)
			t.MinRate.PerSecond, t.MinRate.Bytes, t.MinRate.Over = r.PerSecond, r.Bytes, r.Over
		},
		take: func(t *timeouts) (source.Value, bool) { return text(minRateText(t.MinRate)), t.MinRate.PerSecond != 0 },
	},
	flag("enforce", "End a stream that is slower with an error, also after its first content.",
		func(t *timeouts) *bool { return &t.MinRate.Enforce }),
}

type minRateShape struct{}

var minRatePattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)(B?)/s over ((?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+)$`)

func (minRateShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != source.String {
		c.wrongType(v, "a rate over a time", "5/s over 10s")
		return source.Value{}, false
	}
	if _, ok := parseMinRate(v.Text); ok {
		return *v, true
	}
	c.bad(diag.BadValue, v, c.quoted()+" is no rate over a time: "+quote(v.Text),
		"it is items or bytes a second, and the time over which they are counted, at least 100ms: AMOUNT[B]/s over DURATION",
		"write "+c.put("5/s over 10s")+" or "+c.put("200B/s over 10s"))
	return source.Value{}, false
}

func (minRateShape) describe() description {
	return description{form: "a rate over a time, `5/s over 10s`", schema: &schema{Type: "string", Pattern: minRatePattern.String()}}
}

// leastOver is the shortest time over which a rate is measured.
const leastOver = 100 * time.Millisecond

func parseMinRate(text string) (policy.MinRate, bool) {
	m := minRatePattern.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return policy.MinRate{}, false
	}
	x, errAmount := strconv.ParseFloat(m[1], 64)
	over, errOver := time.ParseDuration(m[3])
	r := policy.MinRate{PerSecond: x, Bytes: m[2] != "", Over: over}
	return r, errAmount == nil && errOver == nil && x > 0 && x <= mostAmount && over >= leastOver && over <= LongestDuration
}

func minRateText(r policy.MinRate) string {
	unit := ""
	if r.Bytes {
		unit = "B"
	}
	return decimal(r.PerSecond) + unit + "/s over " + Duration(r.Over)
}
