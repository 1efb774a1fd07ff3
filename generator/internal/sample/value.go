package sample

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// direction is who writes a value: a member that only the other side sets is left out.
type direction uint8

const (
	asked direction = iota
	answered
)

// work makes one sample.
type work struct {
	*Maker

	way direction
	// open are the declarations that are being made, so that a type in itself ends.
	open map[string]bool
	// parts is how many values were made so far.
	parts int
}

func (m *Maker) work(way direction) *work { return &work{Maker: m, way: way, open: map[string]bool{}} }

// value makes a value of a type, within limits.
func (w *work) value(t plan.GoType, l *model.Limits) (source.Value, error) {
	if w.parts++; w.parts > mostParts {
		return source.Value{}, ErrTooLarge
	}
	switch t := t.(type) {
	case plan.Basic:
		return basic(t, l)
	case plan.Local:
		return w.local(t, l)
	case plan.Pointer:
		return w.value(t.Elem, l)
	case plan.Slice:
		if t.Elem == (plan.Basic{Name: "byte"}) {
			return text(base64.StdEncoding.EncodeToString([]byte("bytes"))), nil
		}
		return w.list(t.Elem, l)
	case plan.MapOf:
		return w.members(t.Elem, l)
	case plan.Qual:
		return w.qual(t, l)
	default:
		return source.Value{}, fmt.Errorf("%w: a %T has no JSON", ErrUnsolved, t)
	}
}

// basic makes a scalar of Go's own types.
func basic(t plan.Basic, l *model.Limits) (source.Value, error) {
	switch t.Name {
	case "string":
		return textValue(l)
	case "bool":
		return source.Value{Kind: source.Bool, Text: "true"}, nil
	default:
		return numberValue(t.Name, l)
	}
}

// local makes a value of a declared type.
func (w *work) local(t plan.Local, l *model.Limits) (source.Value, error) {
	if w.open[t.Name] {
		return source.Value{}, fmt.Errorf("%s: %w", t.Name, ErrEndless)
	}
	w.open[t.Name] = true
	defer delete(w.open, t.Name)
	switch d := w.decls[t.Name].(type) {
	case *plan.EnumDecl:
		return enumValue(d)
	case *plan.StructDecl:
		return w.object(d, nil)
	case *plan.UnionDecl:
		return w.union(d)
	case *plan.DefinedDecl:
		if l == nil {
			l = d.Limits
		}
		return w.value(d.Type, l)
	default:
		return source.Value{}, fmt.Errorf("%w: %s has no JSON", ErrUnsolved, t.Name)
	}
}

// enumValue is the first value of an enum.
func enumValue(d *plan.EnumDecl) (source.Value, error) {
	literal := d.Values[0].Literal
	switch d.Base.Name {
	case "string":
		s, err := strconv.Unquote(literal)
		if err != nil {
			return source.Value{}, fmt.Errorf("%w: %s", ErrUnsolved, literal)
		}
		return text(s), nil
	case "bool":
		return source.Value{Kind: source.Bool, Text: literal}, nil
	default:
		return source.Value{Kind: source.Number, Text: literal}, nil
	}
}

// object makes what an object requires. Members that are given stay.
func (w *work) object(d *plan.StructDecl, given *source.Value) (source.Value, error) {
	out := source.Value{Kind: source.Map}
	for i := range d.Fields {
		f := &d.Fields[i]
		if have := given.Get(f.JSON); have != nil {
			v, err := w.filled(f.Type, have)
			if err != nil {
				return out, fmt.Errorf("%s: %w", f.JSON, err)
			}
			out.Map = append(out.Map, source.Field{Key: f.JSON, Value: v})
			continue
		}
		if !w.requires(f) {
			continue
		}
		var limits *model.Limits
		if f.Model != nil {
			limits = f.Model.Limits
		}
		v, err := w.value(f.Type, limits)
		if f.Model != nil && f.Model.Elem.Type == (model.Primitive{Kind: model.Null}) {
			v, err = source.Value{Kind: source.Null}, nil
		}
		if errors.Is(err, ErrEndless) && f.Model != nil && f.Model.Elem.Nullable {
			v, err = source.Value{Kind: source.Null}, nil
		}
		if err != nil {
			return out, fmt.Errorf("%s: %w", f.JSON, err)
		}
		out.Map = append(out.Map, source.Field{Key: f.JSON, Value: v})
	}
	if d.Additional.Name != "" && given != nil {
		for _, f := range given.Map {
			if out.Get(f.Key) == nil {
				out.Map = append(out.Map, f)
			}
		}
	}
	return out, nil
}

// requires reports whether a member must be there, in the direction of the sample.
func (w *work) requires(f *plan.Field) bool {
	if f.Model == nil {
		return !f.OmitZero
	}
	if w.way == asked && f.Model.ReadOnly || w.way == answered && f.Model.WriteOnly {
		return false
	}
	return f.Model.Required
}

// list makes a list with as many items as there must be.
func (w *work) list(elem plan.GoType, l *model.Limits) (source.Value, error) {
	out := source.Value{Kind: source.List}
	if l == nil {
		return out, nil
	}
	for i := range l.MinItems {
		v, err := w.value(elem, l.Items)
		if err != nil {
			return out, fmt.Errorf("[%d]: %w", i, err)
		}
		if l.Unique && i > 0 && !differ(&v, int(i), l.Items) {
			return out, fmt.Errorf("[%d]: %w: %d items must differ", i, ErrUnsolved, l.MinItems)
		}
		out.List = append(out.List, v)
	}
	return out, nil
}

// differ makes the nth of several values that must differ another than the first; false where that is not known to be allowed.
func differ(v *source.Value, n int, l *model.Limits) bool {
	if l != nil {
		return false
	}
	switch v.Kind {
	case source.String:
		v.Text += strconv.Itoa(n)
		return true
	case source.Number:
		v.Text = strconv.Itoa(n + 1)
		return true
	default:
		return false
	}
}

// members makes an object of which no member is listed, with as many as there must be.
func (w *work) members(elem plan.GoType, l *model.Limits) (source.Value, error) {
	out := source.Value{Kind: source.Map}
	if l == nil {
		return out, nil
	}
	for i := range l.MinMembers {
		key := "key" + strconv.FormatInt(i, 10)
		v, err := w.value(elem, l.Items)
		if err != nil {
			return out, fmt.Errorf("%s: %w", key, err)
		}
		out.Map = append(out.Map, source.Field{Key: key, Value: v})
	}
	return out, nil
}

// qual makes a value of a type of another package.
func (w *work) qual(t plan.Qual, l *model.Limits) (source.Value, error) {
	switch {
	case t.Name == "JSONText" && len(t.Args) == 1:
		inner, err := w.value(t.Args[0], nil)
		return text(plan.CompactJSON(&inner)), err
	case len(t.Args) == 1: // wire.Opt, wire.Null, wire.OptNull
		v, err := w.value(t.Args[0], l)
		if err != nil && t.Name != "Opt" {
			return source.Value{Kind: source.Null}, nil
		}
		return v, err
	case t.Name == "Time":
		return text(sampleTime), nil
	case t.Name == "Date":
		return text(sampleDate), nil
	case t.Name == "Number":
		return numberValue("float64", l)
	case t.Name == "Content":
		return text("content"), nil
	case t.Name == "RawMessage":
		return text("text"), nil
	default:
		return source.Value{}, fmt.Errorf("%w: %s.%s has no JSON", ErrUnsolved, t.Path, t.Name)
	}
}

// text is a string as a value.
func text(s string) source.Value { return source.Value{Kind: source.String, Text: s} }
