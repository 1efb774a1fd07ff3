package emit

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

// wrapped is a method of a wrapper on its way into the file.
type wrapped struct {
	*kit
	*plan.Method

	// op is the operation; nil for a method that is passed through.
	op *plan.Operation
}

// emitMethod prints a method, and the twin that says how good its answer is.
func (k *kit) emitMethod(m *plan.Method) {
	w := &wrapped{kit: k, Method: m}
	if m.Operation < 0 {
		k.doc(m.Doc, m.Name+" is passed through as it is.")
		k.add(w.head(m.Name, w.results()).Block(w.passed()...))
		return
	}
	w.op = &k.pkg.Client.Operations[m.Operation]
	k.doc(join(w.op.Doc, w.op.PolicyDoc))
	if m.Twin == "" {
		k.add(w.head(m.Name, w.results()).Block(w.body()...))
		return
	}
	k.add(w.head(m.Name, w.results()).Block(w.byTwin()...))
	k.doc(plan.Comment{m.Twin + " is " + m.Name + ", and says by which rung, and how good, the answer is."})
	result := k.qual(runtimePath, "Result").Types(w.value())
	k.add(w.head(m.Twin, []jen.Code{result, jen.Error()}).Block(slices.Concat(w.before(), []jen.Code{jen.Return(w.call("Result"))})...))
}

// join puts an empty line between the author's words and what the policy says.
func join(doc, policyDoc plan.Comment) plan.Comment {
	if len(doc) == 0 || len(policyDoc) == 0 {
		return slices.Concat(doc, policyDoc)
	}
	return slices.Concat(doc, plan.Comment{""}, policyDoc)
}

// head is a method's declaration up to its body.
func (w *wrapped) head(name string, results []jen.Code) *jen.Statement {
	var params []jen.Code
	var names []jen.Code // of one type
	for i, p := range w.Params {
		last := i == len(w.Params)-1
		names = append(names, w.id(p.Name))
		if next := i + 1; !last && (!w.Variadic || next < len(w.Params)-1) && reflect.DeepEqual(p.Type, w.Params[next].Type) {
			continue
		}
		params = append(params, jen.List(names...).Add(w.paramType(p.Type, w.Variadic && last)))
		names = nil
	}
	s := jen.Func().Params(w.receiver()).Add(w.id(name)).Params(params...)
	switch {
	case len(results) == 0:
		return s
	case len(results) == 1 && !w.named():
		return s.Add(results[0])
	default:
		return s.Params(results...)
	}
}

// named reports whether the results have names.
func (w *wrapped) named() bool { return len(w.Results) > 0 && w.Results[0].Name != "" }

func (w *wrapped) results() []jen.Code {
	results := make([]jen.Code, len(w.Results))
	for i, r := range w.Results {
		results[i] = w.typ(r.Type)
		if w.named() {
			results[i] = w.id(r.Name).Add(w.typ(r.Type))
		}
	}
	return results
}

// args are the parameters as the method hands them on: the key of an attempt is its own, and more than one attempt must not share a slice
// that the language made for the call.
func (w *wrapped) args() []jen.Code {
	args := w.listed()
	if w.Variadic {
		args[len(args)-1] = jen.Add(args[len(args)-1]).Op("...")
	}
	return args
}

// listed are the parameters with those that are variadic as one list.
func (w *wrapped) listed() []jen.Code {
	args := make([]jen.Code, len(w.Params))
	for i, p := range w.Params {
		arg := w.id(p.Name)
		if w.op != nil && i == w.Key {
			arg = jen.Id("at").Dot("Key")
			if _, plain := p.Type.(plan.Basic); !plain {
				arg = w.typ(p.Type).Call(arg)
			}
		}
		if w.Variadic && i == len(w.Params)-1 && w.op != nil && repeats(&w.op.Policy) {
			arg = w.qual(slicesPath, "Clone").Call(arg)
		}
		args[i] = arg
	}
	return args
}

// repeats reports whether a call may call more than once.
func repeats(p *policy.Plan) bool {
	return p.Retry.Attempts > 1 || p.Hedge.Max > 0 || len(p.Fallback.Rungs) > 0
}

// passed is the body of a method that is passed through.
func (w *wrapped) passed() []jen.Code {
	call := jen.Id("w").Dot(w.pkg.Interface.Next).Dot(w.Name).Call(w.args()...)
	if len(w.Results) == 0 {
		return []jen.Code{call}
	}
	return []jen.Code{jen.Return(call)}
}

// body is the body of a resilient method.
func (w *wrapped) body() []jen.Code {
	body := w.before()
	call := w.call("")
	switch {
	case w.Answer == model.LazyStream:
		return append(body, jen.Return(call))
	case len(w.Values) == 0:
		return append(body, jen.List(jen.Id("_"), jen.Err()).Op(w.assign()).Add(call), jen.Return(jen.Err()))
	case len(w.Values) == 1 && w.Err == 1:
		return append(body, jen.Return(call))
	}
	if len(w.Values) > 1 {
		body = append([]jen.Code{w.valuesType()}, body...)
	}
	return append(body, jen.List(jen.Id("res"), jen.Err()).Op(":=").Add(call), jen.Return(w.unpacked(jen.Id("res"))...))
}

// assign is how err is given its value: results with names declare it.
func (w *wrapped) assign() string {
	if w.named() && w.Results[w.Err].Name == "err" {
		return "="
	}
	return ":="
}

// byTwin is the body of a method that has a twin.
func (w *wrapped) byTwin() []jen.Code {
	args := make([]jen.Code, len(w.Params))
	for i, p := range w.Params {
		args[i] = w.id(p.Name)
		if w.Variadic && i == len(w.Params)-1 {
			args[i] = w.id(p.Name).Op("...")
		}
	}
	call := jen.Id("w").Dot(w.Twin).Call(args...)
	if len(w.Values) == 0 {
		return []jen.Code{jen.List(jen.Id("_"), jen.Err()).Op(w.assign()).Add(call), jen.Return(jen.Err())}
	}
	return []jen.Code{
		jen.List(jen.Id("res"), jen.Err()).Op(":=").Add(call), jen.Return(w.unpacked(jen.Id("res").Dot("Value"))...),
	}
}

// before is what a method does before the call: a key that its caller gave goes with the context.
func (w *wrapped) before() []jen.Code {
	if w.Key < 0 {
		return nil
	}
	key := w.id(w.Params[w.Key].Name)
	if _, plain := w.Params[w.Key].Type.(plan.Basic); !plain {
		key = jen.String().Call(key)
	}
	return []jen.Code{jen.Id("ctx").Op("=").Add(w.qual(runtimePath, "WithIdempotencyKey")).Call(jen.Id("ctx"), key)}
}

// valuesType declares what several values are put in.
func (w *wrapped) valuesType() jen.Code {
	fields := make([]jen.Code, len(w.Values))
	for i, at := range w.Values {
		fields[i] = jen.Id(valueField(i)).Add(w.typ(w.Results[at].Type))
	}
	return jen.Type().Id("values").Struct(fields...)
}

func valueField(i int) string { return "v" + strconv.Itoa(i) }

// unpacked are the method's results where v holds its values, and err its error.
func (w *wrapped) unpacked(v *jen.Statement) []jen.Code {
	results := make([]jen.Code, len(w.Results))
	for i, at := range w.Values {
		results[at] = v.Clone()
		if len(w.Values) > 1 {
			results[at] = v.Clone().Dot(valueField(i))
		}
	}
	results[w.Err] = jen.Err()
	return results
}

// value is the type that one attempt returns.
func (w *wrapped) value() *jen.Statement {
	switch len(w.Values) {
	case 0:
		return jen.Struct()
	case 1:
		return w.typ(w.Results[w.Values[0]].Type)
	default:
		return jen.Id("values")
	}
}
