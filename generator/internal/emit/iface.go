package emit

import (
	"reflect"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

// emitInterface prints the wrapper of a Go interface: its type, how it is made, its methods, and the policies that they run.
func emitInterface(k *kit) {
	k.emitConstraint()
	k.doc(plan.Comment{
		"This file needs a runtime that is at least as new as resgen was when it generated it. Where this line does not compile, run",
		"go get github.com/resgen-go/resgen@latest, or generate the file again with the resgen that go.mod names.",
	})
	k.add(jen.Const().Id("_").Op("=").Add(k.qual(runtimePath, "AtLeastV0_1")))
	k.emitWrapperType()
	k.emitWrapperNew()
	k.emitUnwrap()
	k.emitChoose()
	k.emitWrapperOptions()
	for i := range k.pkg.Interface.Methods {
		k.emitMethod(&k.pkg.Interface.Methods[i])
	}
	for i := range k.pkg.Interface.Classifiers {
		k.emitClassifier(&k.pkg.Interface.Classifiers[i])
	}
	k.emitWrapperSpec()
	emitPolicies(k)
}

// emitConstraint prints the build constraint of the file, if it has one.
func (k *kit) emitConstraint() {
	if c := k.pkg.Interface.Constraint; c != "" {
		line := "//go:build " + c
		if commentLine(c) != "// "+c {
			k.failf("the header cannot hold %q", line)
			return
		}
		k.file.HeaderComment(line)
	}
}

// typeParams are the wrapper's type parameters as they are declared; those of the list only, where there is one.
func (k *kit) typeParams(only ...string) []jen.Code {
	var params []jen.Code
	for _, p := range k.pkg.Interface.TypeParams {
		if len(only) == 0 || slices.Contains(only, p.Name) {
			params = append(params, k.id(p.Name).Add(k.typ(p.Constraint)))
		}
	}
	return params
}

// needed are the type parameters that a type mentions, with those that their constraints mention.
func (k *kit) needed(t plan.GoType) []string {
	var names []string
	note := func(t plan.GoType) {
		if ref, ok := t.(plan.TypeRef); ok {
			names = append(names, ref.Name)
		}
	}
	plan.Mentioned(t, note)
	for range k.pkg.Interface.TypeParams {
		for _, p := range k.pkg.Interface.TypeParams {
			if slices.Contains(names, p.Name) {
				plan.Mentioned(p.Constraint, note)
			}
		}
	}
	return names
}

// generic adds type parameters to a declaration, if there are any.
func generic(s *jen.Statement, params []jen.Code) *jen.Statement {
	if len(params) > 0 {
		s.Types(params...)
	}
	return s
}

// wrapper is the wrapper's type with its type parameters as arguments.
func (k *kit) wrapper() *jen.Statement {
	s := k.id(k.pkg.Interface.Wrapper)
	args := make([]jen.Code, len(k.pkg.Interface.TypeParams))
	for i, p := range k.pkg.Interface.TypeParams {
		args[i] = k.id(p.Name)
	}
	return generic(s, args)
}

// receiver is the receiver of the wrapper's methods.
func (k *kit) receiver() *jen.Statement { return jen.Id("w").Op("*").Add(k.wrapper()) }

func (k *kit) emitWrapperType() {
	f := k.pkg.Interface
	iface := k.typ(f.Type)
	fields := []jen.Code{k.id(f.Next).Add(iface.Clone())}
	for _, t := range f.Targets {
		fields = append(fields, k.id(t.Field).Add(iface.Clone()))
	}
	for i := range k.pkg.Client.Wirings {
		if w := &k.pkg.Client.Wirings[i]; w.Field != "" {
			fields = append(fields, k.id(w.Field).Add(k.typ(wiredType(w))))
		}
	}
	for i := range f.Methods {
		if m := &f.Methods[i]; m.Operation >= 0 {
			fields = append(fields, k.id(m.Field).Op("*").Add(k.qual(runtimePath, "Operation")))
		}
	}
	k.doc(plan.Comment{
		f.Wrapper + " is " + article(f.Name) + " " + f.Name + " that calls another one under the policies at the end of this file. It is as safe for",
		"concurrent use as what it calls; make it once.",
	})
	k.add(generic(jen.Type().Add(k.id(f.Wrapper)), k.typeParams()).Struct(fields...))
	k.doc(nil)
	implements := jen.Var().Id("_").Add(iface.Clone()).Op("=").Parens(jen.Op("*").Add(k.wrapper())).Call(jen.Nil())
	if len(f.TypeParams) > 0 {
		implements = generic(jen.Func().Id("_"), k.typeParams()).Params().Block(implements)
	}
	k.add(implements)
}

// article is the one before a name.
func article(name string) string {
	switch name[0] {
	case 'A', 'E', 'I', 'O', 'a', 'e', 'i', 'o':
		return "an"
	default:
		return "a"
	}
}

// wiredType is the type of what an option wires.
func wiredType(w *plan.Wiring) plan.GoType {
	if w.Value != nil {
		return w.Value
	}
	return w.Func
}

func (k *kit) emitWrapperNew() {
	f := k.pkg.Interface
	k.doc(plan.Comment{
		f.New + " returns a wrapper of next. It checks the options, and that every rung and target is wired: what is missing is an error",
		"now, not in the outage.",
	})
	wiring := func() *jen.Statement { return jen.Id("wiring") }
	wired := func(name string, typ jen.Code) *jen.Statement { return k.qual(runtimePath, name).Types(typ) }
	values := []jen.Code{k.id(f.Next).Op(":").Id("next")}
	for _, t := range f.Targets {
		values = append(values, k.id(t.Field).Op(":").Add(wired("WiredTarget", k.typ(f.Type))).Call(wiring(), jen.Lit(t.Name)))
	}
	for i := range k.pkg.Client.Wirings {
		if w := &k.pkg.Client.Wirings[i]; w.Field != "" {
			values = append(values, k.id(w.Field).Op(":").Add(wired("Wired", k.typ(wiredType(w)))).Call(wiring(), jen.Lit(w.Name)))
		}
	}
	for i := range f.Methods {
		m := &f.Methods[i]
		if m.Operation < 0 {
			continue
		}
		args := []jen.Code{jen.Id(policyVar(&k.pkg.Client.Operations[m.Operation]))}
		if m.Classifier != "" {
			args = append(args, k.id(m.Classifier))
		}
		values = append(values, k.id(m.Field).Op(":").Add(wiring()).Dot("Operation").Call(args...))
	}
	k.add(generic(jen.Func().Add(k.id(f.New)), k.typeParams()).
		Params(jen.Id("next").Add(k.typ(f.Type)), jen.Id("opts").Op("...").Add(k.id(f.Option))).
		Params(jen.Op("*").Add(k.wrapper()), jen.Error()).Block(
		wiring().Op(":=").Add(k.qual(runtimePath, "NewWrapper")).Call(jen.Id(k.wrapperSpecVar()), jen.Id("next"), jen.Id("opts").Op("...")),
		jen.Id("w").Op(":=").Op("&").Add(k.wrapper()).Custom(lines, values...),
		jen.If(jen.Err().Op(":=").Add(wiring()).Dot("Err").Call(), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Id("w"), jen.Nil()),
	))
}

func (k *kit) emitUnwrap() {
	f := k.pkg.Interface
	if f.Unwrap == "" {
		return
	}
	k.doc(plan.Comment{f.Unwrap + " returns what " + f.New + " wrapped."})
	k.add(jen.Func().Params(k.receiver()).Add(k.id(f.Unwrap)).Params().Add(k.typ(f.Type)).Block(jen.Return(jen.Id("w").Dot(f.Next))))
}

// emitChoose prints the method that finds the implementation of a target.
func (k *kit) emitChoose() {
	f := k.pkg.Interface
	if len(f.Targets) == 0 {
		return
	}
	k.doc(plan.Comment{f.Choose + " returns the " + f.Name + " of a target."})
	answer := func(t plan.IfaceTarget) *jen.Statement { return jen.Return(jen.Id("w").Dot(t.Field)) }
	var body jen.Code
	if len(f.Targets) == 1 {
		body = jen.If(jen.Id("name").Op("==").Lit(f.Targets[0].Name)).Block(answer(f.Targets[0]))
	} else {
		cases := make([]jen.Code, len(f.Targets))
		for i, t := range f.Targets {
			cases[i] = jen.Case(jen.Lit(t.Name)).Block(answer(t))
		}
		body = jen.Switch(jen.Id("name")).Block(cases...)
	}
	k.add(jen.Func().Params(k.receiver()).Add(k.id(f.Choose)).Params(jen.Id("name").String()).Add(k.typ(f.Type)).Block(
		body, jen.Return(jen.Id("w").Dot(f.Next)),
	))
}

func (s *scope) wrapperSpecVar() string { return s.pkg.Interface.Spec }

// emitWrapperSpec prints the wrapper's name and the targets that policies name.
func (k *kit) emitWrapperSpec() {
	fields := []jen.Code{jen.Id("Name").Op(":").Lit(k.pkg.Interface.Name)}
	targets := k.pkg.Client.Targets
	if len(targets) == 1 && reflect.DeepEqual(targets[0], policy.Target{Name: policy.PrimaryTarget}) { // it is there anyway
		targets = nil
	}
	if n, err := literalOf(reflect.ValueOf(targets)); err != nil {
		k.failf("targets: %w", err)
	} else if len(targets) > 0 {
		fields = append(fields, jen.Id("Targets").Op(":").Add(n.value(0)))
	}
	name := k.wrapperSpecVar()
	k.doc(plan.Comment{name + " is the wrapper's name in errors and events, and the targets that policies name."})
	k.add(jen.Var().Id(name).Op("=").Add(k.qual(runtimePath, "WrapperSpec")).Custom(lines, fields...))
}
