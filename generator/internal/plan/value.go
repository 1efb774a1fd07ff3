package plan

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// misfit is what keeps a value from being one of a type.
type misfit struct {
	pos source.Pos
	// what says it of the value at pos, as in "is a string, and not a number".
	what string
	// soft says that the value may pass all the same: an enum has values that the document does not list.
	soft bool
}

// fits checks a value that an author wrote against a type. It returns nil where it is one; a hard misfit comes before a soft one.
func (t *typer) fits(e model.Elem, v *source.Value) *misfit {
	f := fitter{typer: t, tried: map[attempt]*misfit{}}
	return f.fits(e, v)
}

// fitter checks one value. It remembers what it tried: unions within unions would have it try the same value once for each way
// that leads there.
type fitter struct {
	*typer

	tried map[attempt]*misfit
}

type attempt struct {
	decl  *declared
	value *source.Value
}

func (t *fitter) fits(e model.Elem, v *source.Value) *misfit {
	if v.Kind == source.Null && (t.nullable(e) || t.formOf(e.Type) == anyForm) {
		return nil
	}
	end := t.follow(e.Type)
	switch typ := end.typ.(type) {
	case model.Primitive:
		return fitsPrimitive(typ.Kind, v)
	case model.Enum:
		return fitsEnum(typ, v)
	case model.JSONText:
		return fitsPrimitive(model.String, v)
	case model.Array:
		return t.fitsArray(typ, v)
	case model.Map:
		return t.fitsMap(typ.Elem, v)
	case model.Object:
		return t.fitsObject(typ, v)
	case model.Union:
		return t.fitsOnce(end.decl, typ, v)
	default:
		return nil
	}
}

// fitsOnce tries a value for a union, or remembers how that ended.
func (t *fitter) fitsOnce(decl *declared, u model.Union, v *source.Value) *misfit {
	key := attempt{decl, v}
	if m, known := t.tried[key]; known && decl != nil {
		return m
	}
	t.tried[key] = unfit(v, "is one of its own type without end") // for a union that holds itself
	t.tried[key] = t.fitsUnion(u, v)
	return t.tried[key]
}

func unfit(v *source.Value, format string, args ...any) *misfit {
	return &misfit{pos: v.Pos, what: fmt.Sprintf(format, args...)}
}

// expect is the misfit of a value of another kind.
func expect(v *source.Value, want string) *misfit {
	return unfit(v, "is %s, and not %s", kindName(v.Kind), want)
}

func kindName(k source.Kind) string {
	switch k {
	case source.Null:
		return "null"
	case source.Bool:
		return "a boolean"
	case source.Number:
		return "a number"
	case source.String:
		return "a text"
	case source.Map:
		return "an object"
	case source.List:
		return "a list"
	default:
		return "no value"
	}
}

// harder returns the misfit that weighs more.
func harder(a, b *misfit) *misfit {
	if a == nil || b != nil && a.soft && !b.soft {
		return b
	}
	return a
}

func fitsPrimitive(k model.PrimitiveKind, v *source.Value) *misfit {
	switch k {
	case model.Bool:
		return kindOnly(v, source.Bool, "a boolean")
	case model.String:
		return kindOnly(v, source.String, "a text")
	case model.Bytes:
		return fitsText(v, "base64", func(s string) error {
			_, err := base64.StdEncoding.DecodeString(s)
			return err //nolint:wrapcheck // only whether there is one counts
		})
	case model.Time:
		return fitsText(v, "an RFC 3339 time", func(s string) error {
			_, err := time.Parse(time.RFC3339, s)
			return err //nolint:wrapcheck // only whether there is one counts
		})
	case model.Date:
		return fitsText(v, "a date such as 2006-01-02", func(s string) error {
			_, err := time.Parse(time.DateOnly, s)
			return err //nolint:wrapcheck // only whether there is one counts
		})
	case model.Int, model.Int32, model.Int64, model.Uint32, model.Uint64:
		return fitsInteger(k, v)
	case model.Float32, model.Float64, model.Number:
		return kindOnly(v, source.Number, "a number")
	case model.Null:
		return kindOnly(v, source.Null, "null")
	case model.Binary:
		return unfit(v, "cannot be written down: the type is raw bytes")
	default:
		return nil
	}
}

func kindOnly(v *source.Value, k source.Kind, want string) *misfit {
	if v.Kind != k {
		return expect(v, want)
	}
	return nil
}

func fitsText(v *source.Value, want string, parse func(string) error) *misfit {
	if v.Kind != source.String {
		return expect(v, want)
	}
	if parse(v.Text) != nil {
		return unfit(v, "%q is not %s", v.Text, want)
	}
	return nil
}

func fitsInteger(k model.PrimitiveKind, v *source.Value) *misfit {
	if v.Kind != source.Number {
		return expect(v, "an integer")
	}
	var err error
	switch k {
	case model.Int32:
		_, err = strconv.ParseInt(v.Text, 10, 32)
	case model.Uint32:
		_, err = strconv.ParseUint(v.Text, 10, 32)
	case model.Uint64:
		_, err = strconv.ParseUint(v.Text, 10, 64)
	default:
		_, err = strconv.ParseInt(v.Text, 10, 64)
	}
	if err != nil {
		return unfit(v, "%s is no integer of the type's range", v.Text)
	}
	return nil
}

func fitsEnum(e model.Enum, v *source.Value) *misfit {
	if m := fitsPrimitive(e.Base, v); m != nil {
		return m
	}
	known := make([]string, len(e.Values))
	for i := range e.Values {
		known[i] = e.Values[i].Text
	}
	if slices.Contains(known, v.Text) {
		return nil
	}
	const most = 8
	list := strings.Join(known[:min(most, len(known))], ", ")
	if len(known) > most {
		list += ", ..."
	}
	return &misfit{pos: v.Pos, what: fmt.Sprintf("%q is none of the known values (%s)", v.Text, list), soft: true}
}

func (t *fitter) fitsArray(a model.Array, v *source.Value) *misfit {
	if v.Kind != source.List {
		return expect(v, "a list")
	}
	var worst *misfit
	for i := range v.List {
		worst = harder(worst, t.fits(a.Elem, &v.List[i]))
	}
	return worst
}

func (t *fitter) fitsMap(elem model.Elem, v *source.Value) *misfit {
	if v.Kind != source.Map {
		return expect(v, "an object")
	}
	var worst *misfit
	for i := range v.Map {
		worst = harder(worst, t.fits(elem, &v.Map[i].Value))
	}
	return worst
}

// fitsObject checks members and what is missing. Members that are not listed are unknown to the Go type, which would drop them.
func (t *fitter) fitsObject(o model.Object, v *source.Value) *misfit {
	if isFreeForm(o) {
		if o.Additional != nil {
			return t.fitsMap(*o.Additional, v)
		}
		return kindOnly(v, source.Map, "an object")
	}
	if v.Kind != source.Map {
		return expect(v, "an object")
	}
	fields := make(map[string]*model.Field, len(o.Fields))
	var worst *misfit
	for i := range o.Fields {
		f := &o.Fields[i]
		fields[f.Name] = f
		if f.Required && !f.WriteOnly && v.Get(f.Name) == nil {
			worst = harder(worst, unfit(v, "has no %q, which is required", f.Name))
		}
	}
	for i := range v.Map {
		member := &v.Map[i]
		switch f := fields[member.Key]; {
		case f != nil:
			worst = harder(worst, t.fits(f.Elem, &member.Value))
		case o.Additional != nil:
			worst = harder(worst, t.fits(*o.Additional, &member.Value))
		default:
			worst = harder(worst, &misfit{pos: member.KeyPos, what: fmt.Sprintf("has %q, which the type does not have", member.Key)})
		}
	}
	return worst
}

// fitsUnion checks the variant that the discriminator names, else whether any variant fits.
func (t *fitter) fitsUnion(u model.Union, v *source.Value) *misfit {
	if u.Discriminator != nil && v.Kind == source.Map {
		tag := v.Get(u.Discriminator.Field)
		for i := range u.Variants {
			if tag != nil && slices.Contains(u.Variants[i].Tags, tag.Text) {
				return t.fits(model.Elem{Type: u.Variants[i].Type}, v)
			}
		}
	}
	var soft *misfit
	for i := range u.Variants {
		m := t.fits(model.Elem{Type: u.Variants[i].Type}, v)
		if m == nil {
			return nil
		}
		if m.soft {
			soft = m
		}
	}
	if soft != nil {
		return soft
	}
	return unfit(v, "is none of the types that may stand there")
}

// CompactJSON is a value as JSON on one line.
func CompactJSON(v *source.Value) string {
	text, _ := source.JSON(v)
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return strings.TrimSpace(string(text)) // a tree prints as JSON
	}
	return b.String()
}
