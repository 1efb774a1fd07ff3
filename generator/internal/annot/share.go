package annot

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// share is a key that is a part of a whole: `5%` or 0.05.
func share[T any](key, doc string, at func(*T) *float64) field[T] {
	return field[T]{
		key: key, doc: doc, shape: shareShape{},
		put:  func(t *T, v *source.Value) { *at(t), _ = parseShare(v.Text) },
		take: func(t *T) (source.Value, bool) { return shareValue(*at(t)), *at(t) != 0 },
	}
}

type shareShape struct{}

func (shareShape) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind != source.Number && v.Kind != source.String {
		c.wrongType(v, "a share", "5%")
		return source.Value{}, false
	}
	x, ok := parseShare(v.Text)
	ok = ok && (v.Kind == source.Number || sharePattern.MatchString(v.Text)) // ParseFloat reads more than numbers: 0x1p-2, +5, inf
	if ok && x >= 0 && x <= 1 {
		return *v, true
	}
	fix := "write " + c.put("50%") + " or " + c.put("0.5")
	if ok && x > 1 && x <= 100 && v.Kind == source.Number && amountPattern.MatchString(v.Text) {
		fix = "write " + c.put(v.Text+"%")
	}
	c.bad(diag.BadValue, v, c.quoted()+" must be a share from 0 to 1, not "+quote(v.Text),
		"a share is written as a percentage or as a fraction of one", fix)
	return source.Value{}, false
}

// sharePattern is a share that is written as a text.
var sharePattern = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?%?$`)

func (shareShape) describe() description {
	return description{form: "a share, `5%` or `0.05`", schema: &schema{AnyOf: []*schema{
		{Type: "number", Minimum: new(0.0), Maximum: new(1.0)},
		{Type: "string", Pattern: `^(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)%$|^(1(\.0+)?|0(\.[0-9]+)?)$`},
	}}}
}

func parseShare(text string) (float64, bool) {
	digits, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsNaN(x) {
		return 0, false
	}
	if percent {
		x /= 100
	}
	return x, true
}

// shareValue prints a share as a percentage where that says exactly the same, else as a fraction.
func shareValue(x float64) source.Value {
	percent := strconv.FormatFloat(math.Round(x*1e6)/1e4, 'f', -1, 64) + "%"
	if back, ok := parseShare(percent); ok && back == x {
		return source.Value{Kind: source.String, Text: percent}
	}
	return source.Value{Kind: source.Number, Text: decimal(x)}
}
