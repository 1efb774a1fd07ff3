package policy

import (
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// Answer is what rules are asked about: an answer of a target that is a failure, or seems to be one.
type Answer struct {
	// Status is its status code; 0 for an error inside an answer that had begun well.
	Status int
	// Header returns the value of a header field by its canonical name, empty where there is none; nil for no header.
	Header func(name string) string
	// Body is what is known of the body. It may be cut, and no JSON.
	Body []byte
	// Safe says that the operation changes nothing.
	Safe bool
	// Otherwise is what it means where no rule and no row matches; KindNone leaves that to the status.
	Otherwise Kind
}

// text is what there is at a place.
type text struct {
	value string // of a string, a number or a boolean; empty for an object or a list
	empty bool   // an empty string, object or list
}

// reading reads an answer for rows: each place once.
type reading struct {
	Answer

	named int // the status, or the one that an error inside an answer names itself; 0 for none
	known []known
}

// known is what a place holds.
type known struct {
	place string
	texts []text
}

func newReading(a Answer) *reading {
	r := &reading{Answer: a, named: a.Status}
	if a.Status < statusBadRequest {
		r.named = r.inBandStatus()
	}
	return r
}

// at returns the texts at a place, without those that are null.
func (r *reading) at(place string) []text {
	for i := range r.known {
		if r.known[i].place == place {
			return r.known[i].texts
		}
	}
	k := known{place: place, texts: r.find(place)}
	r.known = append(r.known, k)
	return k.texts
}

// mostTexts is how many texts of one place are looked at.
const mostTexts = 256

func (r *reading) find(place string) (texts []text) {
	name, isHeader := strings.CutPrefix(place, atHeader)
	switch {
	case isHeader && r.Header == nil:
		return nil
	case isHeader:
		if value := r.Header(name); value != "" {
			return []text{{value: value}}
		}
		return nil
	case place == atText:
		if kind := jsontext.KindOf(r.Body); kind == jsontext.Object || kind == jsontext.Array || kind == jsontext.Nothing {
			return nil
		}
		return []text{{value: string(r.Body)}}
	}
	pointers := jsontext.Compile(place)
	pointers.Each(r.Body, func(_ int, value []byte) {
		if t, ok := textOf(value); ok && len(texts) < mostTexts {
			texts = append(texts, t)
		}
	})
	return texts
}

// textOf returns what a JSON value is to rows; nothing for null.
func textOf(value []byte) (text, bool) {
	s, ok := jsontext.Text(value)
	if ok {
		return text{value: s, empty: isEmpty(value)}, true
	}
	return text{}, false
}

// isEmpty reports whether a JSON value says nothing: see hasSubstance.
func isEmpty(value []byte) bool { return !hasSubstance(value, 0) }
