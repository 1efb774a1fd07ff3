package plan

import (
	"fmt"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Layers of a Go interface, as provenance names them; they rank as defaults, path and operation do.
const (
	layerPackage   = "package"
	layerInterface = "interface"
	layerMethod    = "method"
)

// said is what the directives of an interface say, sorted out.
type said struct {
	pkg, own annot.Interface
	// methods are by the index of the API's operations.
	methods []saidMethod
}

// saidMethod is what is said of one method: the directives above it, and those above the type that name it.
type saidMethod struct {
	above, on source.Value
	skip      *source.Directive
}

// isAnnotated reports whether something is said of the method that a call would have to heed.
func (m *saidMethod) isAnnotated() bool { return len(m.above.Map)+len(m.on.Map) > 0 }

// at is where that is said first.
func (m *saidMethod) at() source.Span {
	for _, v := range []*source.Value{&m.above, &m.on} {
		if len(v.Map) > 0 {
			return source.Span{Pos: v.Map[0].KeyPos, Len: len(v.Map[0].Key)}
		}
	}
	return source.Span{}
}

// readSaid sorts out the directives of an interface.
func readSaid(api *model.API, list *diag.List) said {
	in := api.Interface
	s := said{pkg: annot.InterfaceDirectives(in.PackageDirectives, list), own: annot.InterfaceDirectives(in.Directives, list)}
	for _, on := range s.pkg.On {
		list.Add(diag.Diagnostic{
			Code: diag.MisplacedKey, Span: source.Span{Pos: on.Pos, Len: len(on.Method)}, What: "//resgen:on cannot stand at a package",
			Why: "it names a method, and a package has many interfaces", Fix: "move it above the type",
		})
	}
	names := make([]string, len(api.Operations))
	for i := range api.Operations {
		op := &api.Operations[i]
		names[i] = methodName(op)
		var m saidMethod
		m.above, m.skip = annot.Directives(op.Directives, list)
		var on []source.Directive
		for _, o := range s.own.On {
			if o.Method == names[i] {
				on = append(on, o.Directive)
			}
		}
		var skip *source.Directive
		if m.on, skip = annot.Directives(on, list); skip != nil {
			m.skip = skip
		}
		s.methods = append(s.methods, m)
	}
	for _, on := range s.own.On {
		if !slices.Contains(names, on.Method) {
			list.Add(noSuchMethod(in.Name, &on, names))
		}
	}
	return s
}

func noSuchMethod(iface string, on *annot.On, names []string) diag.Diagnostic {
	fix := diag.DidYouMean(on.Method, names)
	if fix == "" {
		fix = "name a method of the interface"
	}
	return diag.Diagnostic{
		Code: diag.NotReached, Span: source.Span{Pos: on.Pos, Len: len(on.Method)}, What: iface + " has no method " + quoted(on.Method),
		Why: "what is asked for would silently not happen", Fix: fix,
	}
}

func methodName(op *model.Operation) string {
	if bind, ok := op.Bind.(*model.FuncBinding); ok {
		return bind.Method
	}
	return op.ID
}

// document is what the type and its package say for all methods, as a document does.
func (s *said) document() *source.Value {
	doc := source.Value{Kind: source.Map}
	for _, shared := range []*source.Value{&s.pkg.Shared, &s.own.Shared} {
		for i := range shared.Map {
			f := &shared.Map[i]
			if have := doc.Get(f.Key); have != nil { // the type's definitions lie over those of its package
				for j := range f.Value.Map {
					have.Set(f.Value.Map[j])
				}
				continue
			}
			doc.Map = append(doc.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: f.Value.Clone()})
		}
	}
	if len(s.pkg.Own.Map) > 0 {
		doc.Map = append(doc.Map, source.Field{Key: "defaults", KeyPos: s.pkg.Own.Pos, Value: s.pkg.Own})
	}
	return &doc
}

// ownDefinitions are the places of the classes and targets that the type itself defines. What its package or a policy file defines may
// be another interface's.
func (s *said) ownDefinitions() map[source.Pos]bool {
	out := map[source.Pos]bool{}
	for i := range s.own.Shared.Map {
		for _, f := range s.own.Shared.Map[i].Value.Map {
			out[f.KeyPos] = true
		}
	}
	return out
}

// wrapped is the API without the methods that are passed through, each with the layers of what is said of it. at are the indexes of its
// operations in the whole API.
func (s *said) wrapped(api *model.API, list *diag.List) (wrapped *model.API, at []int) {
	var quiet []passing
	out := *api
	out.Operations, out.Raw = nil, s.document()
	for i := range api.Operations {
		op, m := api.Operations[i], &s.methods[i]
		bind, ok := op.Bind.(*model.FuncBinding)
		if !ok {
			continue
		}
		if why := passes(bind, m); why != "" {
			if !passed(&op, m, why, list) {
				quiet = append(quiet, passing{&op, why})
			}
			continue
		}
		op.Raw = nil
		for _, l := range []model.Annotation{{Layer: layerInterface, Value: s.own.Own}, {Layer: layerMethod, Value: m.above}, {Layer: layerMethod, Value: m.on}} {
			if len(l.Value.Map) > 0 {
				op.Raw = append(op.Raw, l)
			}
		}
		out.Operations = append(out.Operations, op)
		at = append(at, i)
	}
	reportPassing(api, quiet, list)
	return &out, at
}

// passing is a method that is passed through although nobody asked for that.
type passing struct {
	op  *model.Operation
	why string
}

// reportPassing warns of methods that are passed through: each where it stands, or all in one where they are many, or where their author is
// another.
func reportPassing(api *model.API, all []passing, list *diag.List) {
	const many, few = 8, 3
	in := api.Interface
	if len(all) <= many && !in.Foreign {
		for _, p := range all {
			name := methodName(p.op)
			list.Add(diag.Diagnostic{
				Code: diag.PassedThrough, Severity: diag.Warning, Span: source.Span{Pos: p.op.Pos, Len: len(name)},
				What: fmt.Sprintf("%s is passed through as it is: %s", p.op.ID, p.why), Why: whyPassed,
				Fix: "write `//resgen:skip` above the method, or `//resgen:on " + name + " skip` above the type, if that is meant",
			})
		}
		return
	}
	if len(all) == 0 {
		return
	}
	var names []string
	for _, p := range all[:min(len(all), few)] {
		names = append(names, methodName(p.op))
	}
	if more := len(all) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	what := fmt.Sprintf("%d of the %d methods of %s are passed through as they are: %s", len(all), len(api.Operations), in.Name, enumerate(names))
	if len(all) == 1 {
		what = fmt.Sprintf("%s is passed through as it is: %s", all[0].op.ID, all[0].why)
	}
	list.Add(diag.Diagnostic{
		Code: diag.PassedThrough, Severity: diag.Warning, Span: source.Span{Pos: in.Pos, Len: len(in.Name)}, What: what,
		Why: whyPassed + "; the comment of each says which it lacks",
		Fix: "nothing is to be done if that is meant; else wrap an interface of your own, whose methods take a context and return an error",
	})
}

const whyPassed = "without a context a call cannot be ended, and without an error nobody can be told that it was"

// passes says why a method is passed through; empty for one that is not.
func passes(bind *model.FuncBinding, m *saidMethod) string {
	switch {
	case m.skip != nil:
		return "//resgen:skip says so"
	case !bind.Passed():
		return ""
	case bind.Ctx < 0 && bind.Err < 0:
		return "it takes no context.Context and returns no error"
	case bind.Ctx < 0:
		return "it takes no context.Context"
	default:
		return "it returns no error"
	}
}

// passed reports whether it is well known that a method is passed through: its author asked for it, or is told that a policy does not hold.
func passed(op *model.Operation, m *saidMethod, why string, list *diag.List) bool {
	name := methodName(op)
	if m.isAnnotated() {
		fix := "remove the directive"
		if m.skip != nil {
			fix += ", or `//resgen:skip`"
		}
		list.Add(diag.Diagnostic{
			Code: diag.NotReached, Span: m.at(), What: fmt.Sprintf("%s has a policy, and is passed through: %s", op.ID, why),
			Why: "a policy that is written must be a policy that runs", Fix: fix,
			Related: []diag.Related{{Span: source.Span{Pos: op.Pos, Len: len(name)}, What: "the method is here"}},
		})
		return true
	}
	return m.skip != nil
}
