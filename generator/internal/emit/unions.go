package emit

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitUnion prints a struct that keeps the raw JSON, with a constructor and an accessor for each variant. Variants that are not known
// survive: they are in Raw.
func (k *kit) emitUnion(d *plan.UnionDecl) {
	k.doc(d.Doc)
	k.add(jen.Type().Add(k.id(d.Name)).Custom(jen.Options{Open: "struct{", Close: "}"}, k.qual(wirePath, "Union")))
	for i := range d.Variants {
		v := &d.Variants[i]
		k.doc(plan.Comment{v.Of + " returns the " + d.Name + " that holds v."})
		k.add(jen.Func().Add(k.id(v.Of)).Params(jen.Id("v").Add(k.typ(v.Type))).Id(d.Name).Custom(oneLine,
			jen.Return(jen.Id(d.Name).Values(k.qual(wirePath, "UnionOf").Call(append([]jen.Code{jen.Id("v")}, k.setTag(d, v)...)...))),
		))
		k.doc(plan.Comment{"As" + v.Name + " returns the " + v.Name + " that u holds, and whether it holds one."})
		k.add(jen.Func().Params(jen.Id("u").Id(d.Name)).Add(k.id("As"+v.Name)).Params().
			Params(jen.Id("v").Add(k.typ(v.Type)), jen.Id("ok").Bool()).Block(
			jen.Id("ok").Op("=").Add(k.qual(wirePath, "As")).
				Call(append([]jen.Code{jen.Id("u").Dot("Union"), jen.Op("&").Id("v")}, k.tests(d, v)...)...),
			jen.Return(jen.Id("v"), jen.Id("ok")),
		))
	}
	if d.TagMethod != "" {
		k.emitTagged(d)
		k.doc(plan.Comment{d.TagMethod + " returns what tells the variants apart; empty where it is missing."})
		k.add(jen.Func().Params(jen.Id("u").Id(d.Name)).Add(k.id(d.TagMethod)).Params().String().Custom(oneLine,
			jen.Return(k.qual(wirePath, "TagOf").Call(jen.Id("u").Dot("Union"), jen.Lit(d.Discriminator))),
		))
	}
}

// emitTagged makes a missing discriminator an error, where every variant has one.
func (k *kit) emitTagged(d *plan.UnionDecl) {
	if !d.IsStrict || slices.ContainsFunc(d.Variants, func(v plan.Variant) bool { return len(v.Tags) == 0 }) {
		return
	}
	k.doc(plan.Comment{"UnmarshalJSON keeps the value as it came. An object without " + strconv.Quote(d.Discriminator) + " is an error."})
	k.add(jen.Func().Params(jen.Id("u").Op("*").Id(d.Name)).Id("UnmarshalJSON").Params(jen.Id("data").Index().Byte()).Error().Block(
		jen.Return(k.qual(wirePath, "UnmarshalTagged").Call(jen.Op("&").Id("u").Dot("Union"), jen.Id("data"), jen.Lit(d.Discriminator))),
	))
}

// tests are what a value must pass to be of the variant.
func (k *kit) tests(d *plan.UnionDecl, v *plan.Variant) []jen.Code {
	tests := k.unionTag(d, v)
	if len(v.Except) > 0 {
		tests = append(tests, k.qual(wirePath, "Except").Add(stringArgs(append([]string{d.Discriminator}, v.Except...))))
	}
	if len(v.Kinds) > 0 {
		tests = append(tests, k.qual(wirePath, "Kinds").Call(litStrings(v.Kinds)...))
	}
	if len(v.Required) > 0 {
		tests = append(tests, k.qual(wirePath, "Required").Add(stringArgs(v.Required)))
	}
	return tests
}

// setTag has a constructor set the first of the discriminator's values where the value has none. A variant that is a union has one.
func (k *kit) setTag(d *plan.UnionDecl, v *plan.Variant) []jen.Code {
	if local, ok := k.under(v.Type).(plan.Local); ok {
		if _, nested := k.decls[local.Name].(*plan.UnionDecl); nested {
			return nil
		}
	}
	return k.unionTag(d, v)
}

// unionTag is the test for the discriminator's values.
func (k *kit) unionTag(d *plan.UnionDecl, v *plan.Variant) []jen.Code {
	if len(v.Tags) == 0 {
		return nil
	}
	return []jen.Code{k.qual(wirePath, "Tag").Add(stringArgs(append([]string{d.Discriminator}, v.Tags...)))}
}
