package sample

import (
	"errors"
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// The reasons for which there is no sample; errors wrap them and say where.
var (
	// ErrEndless is a type that requires one of itself.
	ErrEndless = errors.New("every value holds another one of its type")
	// ErrUnsolved is a limit of the document that no value was found for.
	ErrUnsolved = errors.New("no value was found")
	// ErrNoSuccess is an operation of which no success is known.
	ErrNoSuccess = errors.New("no successful answer is known")
	// ErrTooLarge is a value with too many parts to be of use.
	ErrTooLarge = errors.New("the smallest value has too many parts")
)

// mostParts bounds a sample: what is larger would be no help in a test.
const mostParts = 20_000

// Maker makes the samples of a package. It only reads the plan. Safe for concurrent use.
type Maker struct {
	pkg   *plan.Package
	decls map[string]plan.TypeDecl
}

// New returns the maker of a client's samples.
func New(pkg *plan.Package) *Maker {
	m := &Maker{pkg: pkg, decls: make(map[string]plan.TypeDecl, len(pkg.Types))}
	for _, d := range pkg.Types {
		m.decls[plan.NameOf(d)] = d
	}
	return m
}

// Request returns what the operation's method is to be given after ctx, as a literal of its parameter's type; the zero Literal for a method
// that takes ctx alone. The JSON of a request struct has the names of its Go fields for keys.
func (m *Maker) Request(op *plan.Operation) (plan.Literal, error) {
	if op.Request.Param == nil {
		return plan.Literal{}, nil
	}
	if b := op.Request.Body; b != nil && strings.Contains(b.MediaType, "*") {
		return plan.Literal{}, fmt.Errorf("request of %s: %w: only the caller knows which of %s it is", op.GoName, ErrUnsolved, b.MediaType)
	}
	w := m.work(asked)
	var v source.Value
	var err error
	if d := m.requestStruct(op.Request.Param); d != nil {
		v, err = w.record(op, d)
	} else {
		v, err = w.value(op.Request.Param, bodyLimits(op))
	}
	if err != nil {
		return plan.Literal{}, fmt.Errorf("request of %s: %w", op.GoName, err)
	}
	return plan.Literal{Type: op.Request.Param, JSON: plan.CompactJSON(&v)}, nil
}

// requestStruct is the struct of an operation's own that a parameter points to; nil where it is something else.
func (m *Maker) requestStruct(param plan.GoType) *plan.StructDecl {
	p, _ := param.(plan.Pointer)
	local, _ := p.Elem.(plan.Local)
	d, _ := m.decls[local.Name].(*plan.StructDecl)
	if d == nil || !d.IsRequest {
		return nil
	}
	return d
}

// record is a request struct of which what is required is set.
func (w *work) record(op *plan.Operation, d *plan.StructDecl) (source.Value, error) {
	out := source.Value{Kind: source.Map}
	bind, _ := op.Model.Bind.(*model.HTTPBinding)
	limits := map[string]*model.Limits{}
	required, routes := map[string]bool{}, map[string]bool{}
	for i := range op.Request.Params {
		p := &op.Request.Params[i]
		required[p.Field], routes[p.Field] = p.Required || p.In == "path", p.In == "path"
		if bind != nil && i < len(bind.Params) && bind.Params[i].Name == p.Name {
			limits[p.Field] = bind.Params[i].Limits
		}
	}
	if b := op.Request.Body; b != nil && b.Field != "" {
		required[b.Field], limits[b.Field] = b.Required, bodyLimits(op)
	}
	for i := range d.Fields {
		f := &d.Fields[i]
		if !required[f.Name] {
			continue
		}
		v, err := w.value(f.Type, limits[f.Name])
		if routes[f.Name] && err == nil && isEmpty(&v) {
			if v, err = w.value(f.Type, withItem(limits[f.Name])); err == nil && isEmpty(&v) {
				err = fmt.Errorf("%w: an empty one would be another route", ErrUnsolved)
			}
		}
		if err != nil {
			return out, fmt.Errorf("%s: %w", f.Name, err)
		}
		out.Map = append(out.Map, source.Field{Key: f.Name, Value: v})
	}
	return out, nil
}

// isEmpty reports whether nothing of a value would be written into a path.
func isEmpty(v *source.Value) bool {
	return v.Kind == source.List && len(v.List) == 0 || v.Kind == source.Map && len(v.Map) == 0 || v.Kind == source.String && v.Text == ""
}

// withItem are limits of a list or a map that has something in it.
func withItem(l *model.Limits) *model.Limits {
	with := model.Limits{MaxLength: -1}
	if l != nil {
		with = *l
	}
	with.MinItems, with.MinMembers = max(with.MinItems, 1), max(with.MinMembers, 1)
	return &with
}

// bodyLimits are the limits of a request body.
func bodyLimits(op *plan.Operation) *model.Limits {
	bind, _ := op.Model.Bind.(*model.HTTPBinding)
	if bind == nil || bind.Body == nil || op.Request.Body == nil {
		return nil
	}
	for i := range bind.Body.Contents {
		if c := &bind.Body.Contents[i]; c.MediaType == op.Request.Body.MediaType {
			return c.Limits
		}
	}
	return nil
}
