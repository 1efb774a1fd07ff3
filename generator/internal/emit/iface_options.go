package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitWrapperOptions prints the options: one for targets, one for what the runtime's own options say, one for each function or value.
func (k *kit) emitWrapperOptions() {
	f := k.pkg.Interface
	k.doc(plan.Comment{f.Option + " is what " + f.New + " takes."})
	k.add(jen.Type().Add(k.id(f.Option)).Func().Params(jen.Op("*").Add(k.qual(runtimePath, "Wrapper"))))
	if len(f.Targets) > 0 {
		k.doc(wrap(f.TargetOption + " gives the " + f.Name + " that is called as the target of that name: " + targetNames(f.Targets) + ". " +
			f.New + " fails without it."))
		k.wrapperOption(f.TargetOption, k.typeParams(), []jen.Code{jen.Id("name").String(), jen.Id("next").Add(k.typ(f.Type))},
			"WireTarget", jen.Id("name"), jen.Id("next"))
	}
	k.doc(plan.Comment{f.RuntimeOption + " gives options of package runtime: a group, an observer, a store of answers."})
	k.wrapperOption(f.RuntimeOption, nil, []jen.Code{jen.Id("opts").Op("...").Add(k.qual(runtimePath, "WrapperOption"))},
		"Apply", jen.Id("opts").Op("..."))
	for i := range k.pkg.Client.Wirings {
		w := &k.pkg.Client.Wirings[i]
		param, doc := "fn", w.Option+" gives what annotations call "+strconv.Quote(w.Name)+". "+f.New+" fails without it."+asksOther(w)
		if w.Value != nil {
			param, doc = "value", doc+" Every caller that the rung answers gets this very value."
		}
		t := wiredType(w)
		var params []jen.Code
		if names := k.needed(t); len(names) > 0 {
			params = k.typeParams(names...)
		}
		k.doc(wrap(doc))
		k.wrapperOption(w.Option, params, []jen.Code{jen.Id(param).Add(k.typ(t))}, "Wire", jen.Lit(w.Name), jen.Id(param))
	}
}

// targetNames lists the names of targets for a comment.
func targetNames(targets []plan.IfaceTarget) string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = strconv.Quote(t.Name)
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return strings.Join(names, "")
}

// wrapperOption prints one option: it has a method of the runtime's Wrapper called.
func (k *kit) wrapperOption(name string, typeParams, params []jen.Code, method string, args ...jen.Code) {
	apply := jen.Func().Params(jen.Id("w").Op("*").Add(k.qual(runtimePath, "Wrapper"))).Custom(oneLine, jen.Id("w").Dot(method).Call(args...))
	k.add(generic(jen.Func().Add(k.id(name)), typeParams).Params(params...).Add(k.id(k.pkg.Interface.Option)).Block(jen.Return(apply)))
}
