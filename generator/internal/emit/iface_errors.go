package emit

import (
	"reflect"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// The packages that only wrappers of Go interfaces import, beside those of signatures.
const (
	errorsPath = "errors"
	slicesPath = "slices"
)

// emitClassifier prints what errors mean: rules in order, neighbours of one kind in one condition.
func (k *kit) emitClassifier(c *plan.Classifier) {
	kind := k.qual(policyPath, "Kind")
	var body []jen.Code
	for i := 0; i < len(c.Rules); i++ {
		r := &c.Rules[i]
		switch {
		case r.As != nil:
			held := jen.List(jen.Id("_"), jen.Id("ok")).Op(":=").Add(k.qual(errorsPath, "AsType").Types(k.typ(r.As))).Call(jen.Err())
			body = append(body, jen.If(held, jen.Id("ok")).Block(jen.Return(k.kind(r))))
		case r.Kind == 0:
			known := jen.Id("kind").Op(":=").Add(k.typ(r.Call)).Call(jen.Err())
			body = append(body, jen.If(known, jen.Id("kind").Op("!=").Add(k.qual(policyPath, "KindNone"))).Block(jen.Return(jen.Id("kind"))))
		default:
			test := k.asked(r)
			for i+1 < len(c.Rules) && c.Rules[i+1].Kind == r.Kind && c.Rules[i+1].As == nil {
				i++
				test.Op("||").Add(k.asked(&c.Rules[i]))
			}
			body = append(body, jen.If(test).Block(jen.Return(k.kind(r))))
		}
	}
	body = append(body, jen.Return(k.qual(policyPath, "KindNone")))
	k.doc(wrap(c.Func + " says what errors mean. It is set by " + c.Source + "."))
	k.add(jen.Func().Add(k.id(c.Func)).Params(jen.Err().Error()).Add(kind).Block(body...))
}

// asked is a condition on an error.
func (k *kit) asked(r *plan.ErrorRule) *jen.Statement {
	if r.Is != nil {
		return k.qual(errorsPath, "Is").Call(jen.Err(), k.typ(r.Is))
	}
	return k.typ(r.Call).Call(jen.Err())
}

// kind is the kind of a rule.
func (k *kit) kind(r *plan.ErrorRule) *jen.Statement {
	name, ok := constantName(reflect.ValueOf(r.Kind))
	if !ok {
		k.failf("no constant for the kind %v", r.Kind)
		return jen.Lit(0)
	}
	return k.qual(policyPath, name)
}
