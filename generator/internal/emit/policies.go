package emit

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// planLiterals returns the policies of operations as literals; false where one of them cannot be printed.
func (k *kit) planLiterals(ops []plan.Operation) (plans []*node, ok bool) {
	plans = make([]*node, len(ops))
	for i := range ops {
		n, err := literalOf(reflect.ValueOf(ops[i].Policy))
		if err != nil {
			k.failf("policy of %s: %w", ops[i].GoName, err)
			return nil, false
		}
		plans[i] = n
	}
	return plans, true
}

// emitPolicies prints what was decided: one policy.Plan for each method, the values that several of them share, and the constants
// that static rungs answer with.
func emitPolicies(k *kit) {
	ops := withPolicies(k.pkg.Client.Operations)
	plans, ok := k.planLiterals(ops)
	if !ok {
		return
	}
	stem := ""
	if k.pkg.Interface != nil {
		stem = k.pkg.Interface.Stem
	}
	shared := share(ops, plans, k.taken(), stem)
	k.annotatedPolicies(ops, plans)
	k.builtInPolicies(ops, plans)
	for _, s := range shared {
		name := s.node.name
		k.doc(nil, name+" is shared by several policies.")
		k.add(jen.Var().Add(k.id(name)).Op("=").Add(s.node.value(len("var = ") + len(name))))
	}
	for _, e := range k.pkg.Client.Examples {
		k.doc(nil, e.Const+" is what a static rung answers with.")
		k.add(jen.Const().Add(k.id(e.Const)).Op("=").Add(stringLit(e.JSON)))
	}
}

// withPolicies are the operations with a policy of their own.
func withPolicies(all []plan.Operation) []plan.Operation {
	return slices.DeleteFunc(slices.Clone(all), func(op plan.Operation) bool { return op.PolicyOf != "" })
}

func policyVar(op *plan.Operation) string { return op.Field + "Policy" }

// annotatedPolicies prints those that somebody set, each with the annotations that did.
func (k *kit) annotatedPolicies(ops []plan.Operation, plans []*node) {
	for i, n := range plans {
		if op := &ops[i]; op.Source != "" {
			k.doc(wrap(policyVar(op) + " is set by " + op.Source + "."))
			k.add(jen.Var().Add(k.id(policyVar(op))).Op("=").Add(n.broken()))
		}
	}
}

// builtInPolicies prints the others, one a line: there is nothing to say about them.
func (k *kit) builtInPolicies(ops []plan.Operation, plans []*node) {
	first := true
	for i, n := range plans {
		op := &ops[i]
		if op.Source != "" {
			continue
		}
		if first {
			k.doc(plan.Comment{"The policies from here on are built in: no annotation sets any of them."})
			k.file.Line()
			first = false
		}
		k.add(jen.Var().Add(k.id(policyVar(op))).Op("=").Add(n.literal(jen.Options{Open: "{", Close: "}", Separator: ","}, 0)))
	}
}

// wrap breaks a sentence into lines at its spaces.
func wrap(sentence string) plan.Comment {
	var out plan.Comment
	var line strings.Builder
	for word := range strings.FieldsSeq(sentence) {
		if line.Len() > 0 && line.Len()+len(word) >= lineWidth {
			out = append(out, line.String())
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word)
	}
	return append(out, line.String())
}
