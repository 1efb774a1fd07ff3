package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// need is an option without which New fails.
type need struct {
	option string
	pos    source.Pos
}

// needs compares what New asks for: what compiles and fails when the program starts is no less broken.
func needs(from, to *plan.Package) []Change {
	before, after := needed(from), needed(to)
	has := func(all []need, option string) bool {
		return slices.ContainsFunc(all, func(n need) bool { return n.option == option })
	}
	var out []Change
	for _, n := range after {
		if !has(before, n.option) {
			out = append(out, Change{
				Class: Breaking, Key: "func " + constructor(to), New: Side{Value: "needs " + n.option, Pos: n.pos}, Note: "it fails without this option",
			})
		}
	}
	for _, n := range before {
		if !has(after, n.option) {
			out = append(out, Change{Class: Changed, Key: "func " + constructor(from), Old: Side{Value: "needs " + n.option, Pos: n.pos}})
		}
	}
	return out
}

// constructor is the function that makes the client.
func constructor(pkg *plan.Package) string {
	if pkg.Interface != nil {
		return pkg.Interface.New
	}
	return "New"
}

// needed lists the options that a client cannot be made without.
func needed(pkg *plan.Package) []need {
	var out []need
	add := func(option string, pos source.Pos) {
		if !slices.ContainsFunc(out, func(n need) bool { return n.option == option }) {
			out = append(out, need{option, pos})
		}
	}
	for i := range pkg.Client.Wirings {
		w := &pkg.Client.Wirings[i]
		add(w.Option, wiredAt(pkg, w.Name))
	}
	store := func(option string) string {
		if pkg.Interface != nil {
			return pkg.Interface.RuntimeOption + "(runtime." + option + ")"
		}
		return option
	}
	for i := range pkg.Client.Operations {
		op := &pkg.Client.Operations[i]
		if op.Policy.Cache.On {
			add(store("WithStore"), setAt(op, "cache"))
		}
		if s := &op.Policy.Cache.Semantic; s.On {
			add(store("WithSemanticStore"), setAt(op, "cache.semantic"))
			add(store("WithEmbedder("+strconv.Quote(s.Embedder)+")"), setAt(op, "cache.semantic.embedder"))
		}
	}
	if op := plan.SharesLimits(&pkg.Client); op != nil {
		add(store("WithLimitStore"), setAt(op, "limit.shared"))
	}
	for _, option := range toAddress(pkg) {
		add(option.option, option.pos)
	}
	return out
}

// toAddress lists the options that say where targets are for which nothing else does.
func toAddress(pkg *plan.Package) []need {
	var out []need
	for _, t := range pkg.Client.Targets {
		primary := t.Name == policy.PrimaryTarget
		switch {
		case len(t.AnyOf) > 0 || pkg.Interface != nil && primary:
		case pkg.Interface != nil:
			out = append(out, need{pkg.Interface.TargetOption + "(" + strconv.Quote(t.Name) + ")", targetAt(pkg, t.Name)})
		case primary && pkg.Client.BaseURL == "":
			out = append(out, need{option: "WithBaseURL"})
		case !primary && t.BaseURL == "":
			out = append(out, need{"WithTarget(" + strconv.Quote(t.Name) + ", WithBaseURL)", targetAt(pkg, t.Name)})
		}
	}
	return out
}

// addresses compares where the targets are by default.
func addresses(from, to *plan.Package) []Change {
	var out []Change
	for i := range from.Client.Targets {
		a := &from.Client.Targets[i]
		j := slices.IndexFunc(to.Client.Targets, func(t policy.Target) bool { return t.Name == a.Name })
		if j < 0 {
			continue
		}
		before, after := a.BaseURL, to.Client.Targets[j].BaseURL
		if a.Name == policy.PrimaryTarget {
			before, after = from.Client.BaseURL, to.Client.BaseURL
		}
		if before != after {
			out = append(out, Change{Class: Changed, Key: "targets." + a.Name + ".base-url", Old: Side{Value: before}, New: Side{Value: after}})
		}
	}
	return out
}

// setAt is where a value of an operation's policy was written.
func setAt(op *plan.Operation, path string) source.Pos {
	if p := setter(op.Why, path); p != nil {
		return p.Pos
	}
	return source.Pos{}
}

// wiredAt is where a function or a value is named first. That of a method that streams is named by the annotations of both methods.
func wiredAt(pkg *plan.Package, name string) source.Pos {
	for i := range pkg.Client.Operations {
		op := &pkg.Client.Operations[i]
		for j := range op.Policy.Fallback.Rungs {
			if f := op.Policy.Fallback.Rungs[j].Func; f != "" && (f == name || f+"Stream" == name) {
				return setAt(op, indexed(j))
			}
		}
		if op.Policy.Key.From == name {
			return setAt(op, "key")
		}
	}
	return source.Pos{}
}

// targetAt is where something of a target was written that a policy names.
func targetAt(pkg *plan.Package, name string) source.Pos {
	for i := range pkg.Client.Operations {
		op := &pkg.Client.Operations[i]
		for j := range op.Policy.Fallback.Rungs {
			if op.Policy.Fallback.Rungs[j].Target == name {
				return setAt(op, indexed(j))
			}
		}
		if op.Policy.Hedge.Target == name {
			return setAt(op, "hedge.target")
		}
		for _, p := range op.WhyTargets {
			if strings.HasPrefix(p.Path, "targets."+name+".") {
				return p.Pos
			}
		}
	}
	return source.Pos{}
}
