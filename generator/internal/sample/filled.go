package sample

import (
	"fmt"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// filled is a value as a type has it: what the type does not have is left out, and what it requires beside is added.
func (w *work) filled(t plan.GoType, v *source.Value) (source.Value, error) {
	switch t := t.(type) {
	case plan.Pointer:
		return w.filled(t.Elem, v)
	case plan.Slice:
		return w.filledList(t.Elem, v)
	case plan.MapOf:
		if v.Kind != source.Map {
			return *v, misfit(v, "an object")
		}
		return *v, nil
	case plan.Local:
		return w.filledLocal(t, v)
	case plan.Basic:
		return *v, fitsBasic(t, v)
	case plan.Qual:
		switch {
		case t.Name == "JSONText" || t.Name == "Time" || t.Name == "Date":
			return *v, fitsBasic(plan.Basic{Name: "string"}, v)
		case len(t.Args) == 1 && v.Kind == source.Null && t.Name != "Opt":
			return *v, nil
		case len(t.Args) == 1:
			return w.filled(t.Args[0], v)
		}
		return *v, nil
	default:
		return *v, nil
	}
}

func misfit(v *source.Value, want string) error {
	return fmt.Errorf("%w: %s where %s is wanted", ErrUnsolved, v.Kind, want)
}

// fitsBasic says what keeps a value from being one of a Go type.
func fitsBasic(t plan.Basic, v *source.Value) error {
	want := source.Number
	switch t.Name {
	case "string":
		want = source.String
	case "bool":
		want = source.Bool
	}
	if v.Kind != want {
		return misfit(v, want.String())
	}
	return nil
}

func (w *work) filledList(elem plan.GoType, v *source.Value) (source.Value, error) {
	if v.Kind != source.List {
		return *v, misfit(v, "a list")
	}
	out := source.Value{Kind: source.List, List: make([]source.Value, len(v.List))}
	for i := range v.List {
		var err error
		if out.List[i], err = w.filled(elem, &v.List[i]); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (w *work) filledLocal(t plan.Local, v *source.Value) (source.Value, error) {
	switch d := w.decls[t.Name].(type) {
	case *plan.EnumDecl:
		return *v, fitsBasic(d.Base, v)
	case *plan.DefinedDecl:
		return w.filled(d.Type, v)
	case *plan.StructDecl:
		if v.Kind != source.Map {
			return *v, misfit(v, "an object")
		}
		return w.object(d, v)
	case *plan.UnionDecl:
		return w.filledVariant(d, v)
	default:
		return *v, misfit(v, "a "+t.Name)
	}
}

// filledVariant is the value as the variant has it that keeps the most of it.
func (w *work) filledVariant(d *plan.UnionDecl, v *source.Value) (source.Value, error) {
	best, most := *v, -1
	err := misfit(v, "a "+d.Name)
	for i := range d.Variants {
		variant := &d.Variants[i]
		if tag := v.Get(d.Discriminator); len(variant.Tags) > 0 && (tag == nil || !slices.Contains(variant.Tags, tag.Text)) {
			continue
		}
		one, wrong := w.filled(variant.Type, v)
		if wrong != nil {
			continue
		}
		if n := kept(v, &one); n > most {
			best, most, err = one, n, nil
		}
	}
	return best, err
}

// kept is how many parts of a value another one has.
func kept(v, of *source.Value) int {
	n := 1
	for i := range v.Map {
		if have := of.Get(v.Map[i].Key); have != nil {
			n += kept(&v.Map[i].Value, have)
		}
	}
	for i := range min(len(v.List), len(of.List)) {
		n += kept(&v.List[i], &of.List[i])
	}
	return n
}
