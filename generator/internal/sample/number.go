package sample

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// numberValue is a number of a Go type: an example of the document's, 1, or what is nearest to it within the limits.
func numberValue(goType string, l *model.Limits) (source.Value, error) {
	whole := !strings.HasPrefix(goType, "float")
	if l == nil {
		return source.Value{Kind: source.Number, Text: "1"}, nil
	}
	var candidates []string
	for i := range l.Examples {
		if l.Examples[i].Kind == source.Number {
			candidates = append(candidates, l.Examples[i].Text)
		}
	}
	candidates = append(candidates, "1", "0", nearest(l, whole))
	for _, c := range candidates {
		if isNumber(goType, c, l) {
			return source.Value{Kind: source.Number, Text: c}, nil
		}
	}
	return source.Value{}, fmt.Errorf("%w: a number within its limits", ErrUnsolved)
}

// nearest is a number within bounds.
func nearest(l *model.Limits, whole bool) string {
	step := 0.5
	if whole {
		step = 1
	}
	if l.Multiple > 0 {
		step = l.Multiple
	}
	n := 1.0
	switch {
	case l.Least != nil:
		n = math.Ceil(*l.Least/step) * step
		if l.Above && n <= *l.Least {
			n += step
		}
		if l.Most != nil && !whole && l.Multiple == 0 && n > *l.Most {
			n = (*l.Least + *l.Most) / 2
		}
	case l.Most != nil:
		n = math.Floor(*l.Most/step) * step
		if l.Below && n >= *l.Most {
			n -= step
		}
	case l.Multiple > 0:
		n = l.Multiple
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// isNumber reports whether a number is one of a Go type, within limits.
func isNumber(goType, text string, l *model.Limits) bool {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !fitsGo(goType, text) {
		return false
	}
	if l.Least != nil && (n < *l.Least || l.Above && n == *l.Least) || l.Most != nil && (n > *l.Most || l.Below && n == *l.Most) {
		return false
	}
	if l.Multiple > 0 {
		times := n / l.Multiple
		return math.Abs(times-math.Round(times)) < 1e-9
	}
	return true
}

// fitsGo reports whether a Go type holds a number.
func fitsGo(goType, text string) bool {
	bits := 64
	if strings.HasSuffix(goType, "32") {
		bits = 32
	}
	var err error
	switch {
	case strings.HasPrefix(goType, "uint"):
		_, err = strconv.ParseUint(text, 10, bits)
	case strings.HasPrefix(goType, "int"):
		_, err = strconv.ParseInt(text, 10, bits)
	default:
		_, err = strconv.ParseFloat(text, bits)
	}
	return err == nil
}
