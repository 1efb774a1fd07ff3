package annot

import (
	"regexp"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// duration is a key that is a Go duration string of more than nothing; durationOrZero may be 0s.
func duration[T any](key, doc string, at func(*T) *time.Duration) field[T] {
	return durationFrom(key, doc, time.Nanosecond, at)
}

func durationOrZero[T any](key, doc string, at func(*T) *time.Duration) field[T] {
	return durationFrom(key, doc, 0, at)
}

func durationFrom[T any](key, doc string, least time.Duration, at func(*T) *time.Duration) field[T] {
	return field[T]{
		key: key, doc: doc, shape: durationShape{least: least},
		put:  func(t *T, v *source.Value) { *at(t), _ = time.ParseDuration(v.Text) },
		take: func(t *T) (source.Value, bool) { return text(Duration(*at(t))), *at(t) != 0 },
	}
}

type durationShape struct{ least time.Duration }

func (s durationShape) check(c checker, v *source.Value) (source.Value, bool) {
	switch v.Kind {
	case source.String:
	case source.Number:
		if s.least == 0 && v.Text == "0" {
			c.bad(diag.BareDuration, v, c.quoted()+" is a bare number", "durations are written as Go writes them, with a unit", "write "+c.put("0s"))
			return source.Value{}, false
		}
		amount := v.Text
		if !amountPattern.MatchString(amount) {
			amount = "30"
		}
		c.bad(diag.BareDuration, v, c.quoted()+" is a bare number", "a number without a unit could mean seconds or milliseconds",
			"write "+c.put(amount+"s")+" or "+c.put(amount+"ms"))
		return source.Value{}, false
	default:
		c.wrongType(v, "a duration", "30s")
		return source.Value{}, false
	}
	d, err := time.ParseDuration(v.Text)
	if err == nil && d >= s.least && d <= LongestDuration {
		return *v, true
	}
	what, fix := " is no duration: "+quote(v.Text), "write "+c.put("30s")+"; units are h, m, s, ms, us, ns"
	switch {
	case err != nil:
	case d > LongestDuration:
		what, fix = " must be at most "+Duration(LongestDuration)+", which is ten years, not "+quote(v.Text), "write "+c.put(Duration(LongestDuration))
	case s.least == 0:
		what = " must not be negative, but is " + quote(v.Text)
	default:
		what = " must be more than nothing, not " + quote(v.Text)
	}
	c.bad(diag.BadDuration, v, c.quoted()+what, "durations are written as Go writes them, with a unit", fix)
	return source.Value{}, false
}

// LongestDuration is far beyond every duration that is meant, and so far below the longest there is that machines may add up what they
// are given.
const LongestDuration = 10 * 365 * 24 * time.Hour

// amountPattern is a number above nothing that may stand before a unit.
var amountPattern = regexp.MustCompile(`^(0\.0*)?[1-9][0-9]{0,8}(\.[0-9]{1,9})?$`)

func (durationShape) describe() description {
	return description{form: "duration", schema: &schema{Type: "string", Pattern: `^\+?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`}}
}

// Duration spells a duration as annotations do: 60s is "1m", not "1m0s".
func Duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-len("0s")]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-len("0m")]
	}
	return s
}
