package compare

import (
	"go/types"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

// Client is one side of a comparison: a plan, and what the code declares that is printed from it, sorted by name.
type Client struct {
	Plan    *plan.Package
	Objects []types.Object
}

// Clients says what differs between two clients, worst first.
func Clients(from, to *Client) []Change {
	pairs := paired(from.Plan, to.Plan)
	out := features(from, to, pairs)
	out = append(out, needs(from.Plan, to.Plan)...)
	out = append(out, addresses(from.Plan, to.Plan)...)
	out = append(out, passed(from.Plan, to.Plan, Loosened)...)
	out = append(out, passed(to.Plan, from.Plan, Tightened)...)
	for _, p := range pairs {
		out = append(out, p.changes()...)
	}
	return order(out)
}

// passed are the methods of a Go interface that the first of two wrappers wraps and the other one passes through: nothing of them changes for the
// compiler, and no policy holds any more.
func passed(wraps, passes *plan.Package, class Class) []Change {
	if wraps.Interface == nil || passes.Interface == nil {
		return nil
	}
	var out []Change
	for i := range wraps.Interface.Methods {
		m := &wraps.Interface.Methods[i]
		through := slices.ContainsFunc(passes.Interface.Methods, func(o plan.Method) bool { return o.Name == m.Name && o.Operation < 0 })
		if m.Operation < 0 || !through {
			continue
		}
		op := wraps.Client.Operations[m.Operation].Model
		c := Change{Class: class, Operation: op.ID, Key: "policies", Old: Side{Value: "as annotated", Pos: op.Pos}, New: Side{Value: "none: it is passed through"}}
		if class == Tightened {
			c.Old, c.New = c.New, c.Old
		}
		out = append(out, c)
	}
	return out
}

// pair is an operation that both sides have, with its methods.
type pair struct {
	from, to []*plan.Operation
}

// paired finds the operations that both sides have: by their names, and those whose name has changed by what they request.
func paired(from, to *plan.Package) []pair {
	olds, news := byOperation(from), byOperation(to)
	var out []pair
	match := func(same func(a, b *plan.Operation) bool) {
		olds = slices.DeleteFunc(olds, func(a []*plan.Operation) bool {
			j := slices.IndexFunc(news, func(b []*plan.Operation) bool { return same(a[0], b[0]) })
			if j < 0 {
				return false
			}
			out = append(out, pair{a, news[j]})
			news = slices.Delete(news, j, j+1)
			return true
		})
	}
	match(func(a, b *plan.Operation) bool { return a.Model.ID == b.Model.ID })
	match(func(a, b *plan.Operation) bool { return request(a) != "" && request(a) == request(b) })
	return out
}

// byOperation groups the methods of a client by their operations, in order.
func byOperation(pkg *plan.Package) [][]*plan.Operation {
	var out [][]*plan.Operation
	at := map[string]int{}
	for i := range pkg.Client.Operations {
		op := &pkg.Client.Operations[i]
		j, ok := at[op.Model.ID]
		if !ok {
			j = len(out)
			at[op.Model.ID] = j
			out = append(out, nil)
		}
		out[j] = append(out[j], op)
	}
	return out
}

// request is "METHOD /path"; empty for a Go method.
func request(op *plan.Operation) string {
	if bind, ok := op.Model.Bind.(*model.HTTPBinding); ok {
		return bind.Request()
	}
	return ""
}

// changes are those of an operation that are no matter of Go types.
func (p *pair) changes() []Change {
	a, b := p.from[0], p.to[0]
	out := Policies(a, b)
	sides := func(from, to string) (Side, Side) {
		return Side{Value: from, Pos: a.Model.Pos}, Side{Value: to, Pos: b.Model.Pos}
	}
	if from, to := request(a), request(b); from != to {
		c := Change{Class: Changed, Operation: b.Model.ID, Key: "request"}
		c.Old, c.New = sides(from, to)
		out = append(out, c)
	}
	if a.Model.ID != b.Model.ID {
		c := Change{Class: Changed, Operation: b.Model.ID, Key: "operationId", Note: "errors, logs and metrics name the operation so"}
		c.Old, c.New = sides(a.Model.ID, b.Model.ID)
		out = append(out, c)
	}
	return out
}

// renamed are the methods of the pairs that have another name, and those of their pages, by the old name.
func renamed(pairs []pair) map[string]string {
	out := map[string]string{}
	for _, p := range pairs {
		for i := range min(len(p.from), len(p.to)) {
			if a, b := p.from[i], p.to[i]; a.GoName != b.GoName {
				out[a.GoName] = b.GoName
				if a.Pages != nil && b.Pages != nil && a.Pages.GoName != b.Pages.GoName {
					out[a.Pages.GoName] = b.Pages.GoName
				}
			}
		}
	}
	return out
}
