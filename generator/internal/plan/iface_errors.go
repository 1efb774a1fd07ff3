package plan

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// classify makes the functions that say what errors mean: one for all methods of equal rules.
func (r *ifaceResolver) classify() {
	r.classifiers = make([]string, len(r.wrapped.Operations))
	for i := range r.wrapped.Operations {
		rules := r.errorRules(r.policies.Facts[i].Go)
		if len(rules) == 0 {
			continue
		}
		at := slices.IndexFunc(r.out.Classifiers, func(c Classifier) bool { return reflect.DeepEqual(c.Rules, rules) })
		if at < 0 {
			at = len(r.out.Classifiers)
			r.out.Classifiers = append(r.out.Classifiers, r.classifier(i, rules))
		}
		r.classifiers[i] = r.out.Classifiers[at].Func
	}
}

// classifier is a new function, named after the interface where its rules are for all methods, else after the method.
func (r *ifaceResolver) classifier(i int, rules []ErrorRule) Classifier {
	op, name := &r.wrapped.Operations[i], r.api.Interface.Name
	stem := "classify" + r.names.stem
	names := []string{stem, stem + "Errors"}
	layer := ""
	for _, why := range r.policies.Why[i] {
		if why.Path == "errors" || strings.HasPrefix(why.Path, "errors.") {
			layer = why.Layer
		}
	}
	if layer == layerMethod || strings.HasPrefix(layer, "rule ") {
		method := stem + capital(methodName(op))
		names, name = []string{method, method + "Errors"}, op.ID
	}
	return Classifier{
		Func:   r.names.pkg.allot([]wish{{id: "classifier", text: name, names: names}}, nil)[0],
		Source: oneLine(path.Base(r.policies.Facts[i].Go[0].Pos.File) + ": " + name + ".errors"),
		Rules:  rules,
	}
}

// errorRules resolves the Go names of rules. One that cannot be resolved is reported.
func (r *ifaceResolver) errorRules(rules []annot.GoRule) []ErrorRule {
	out := make([]ErrorRule, 0, len(rules))
	for i := range rules {
		rule := &rules[i]
		symbol := model.GoSymbol{Why: "nothing is known of the package"}
		if find := r.api.Interface.Symbol; find != nil {
			symbol = find(rule.Name)
		}
		one := ErrorRule{Kind: rule.Kind}
		if one.Kind == policy.KindNone && symbol.Sort != model.ErrorKind {
			one.Kind = policy.KindTransient
		}
		var t GoType
		if symbol.Type != nil {
			t = r.typer.typ(symbol.Type)
			r.symbols = append(r.symbols, symbol.Type)
		}
		switch {
		case symbol.Sort == model.ErrorVar && (rule.Sort == annot.GoName || rule.Sort == annot.GoIs):
			one.Is = t
		case symbol.Sort == model.ErrorType && (rule.Sort == annot.GoName || rule.Sort == annot.GoAs):
			one.As = t
		case symbol.Sort == model.ErrorTest && (rule.Sort == annot.GoName || rule.Sort == annot.GoFunc):
			one.Call = t
		case symbol.Sort == model.ErrorKind && rule.Kind == policy.KindNone && (rule.Sort == annot.GoName || rule.Sort == annot.GoFunc):
			one.Call = t
		default:
			r.noSymbol(rule, &symbol)
			continue
		}
		out = append(out, one)
	}
	return out
}

// noSymbol reports a name that does not say what an error means.
func (r *ifaceResolver) noSymbol(rule *annot.GoRule, symbol *model.GoSymbol) {
	wants := map[annot.GoSort]string{
		annot.GoName: "a variable of type error, a type of errors, or a func(error) bool", annot.GoIs: "a variable of type error",
		annot.GoAs: "a type of errors", annot.GoFunc: "a func(error) bool, or, for all kinds at once, a func(error) policy.Kind",
	}
	why := symbol.Why
	if why == "" {
		why = "is of another sort"
	}
	fix := "name " + wants[rule.Sort]
	if symbol.Near != "" {
		fix = "did you mean " + quoted(symbol.Near) + "?"
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.NoSuchSymbol, Span: source.Span{Pos: rule.Pos, Len: len(rule.Name)}, What: quoted(rule.Name) + " does not say what an error is: it " + why,
		Why: "the generated code asks it of each error", Fix: fix,
	})
}
