package emit_test

import (
	"cmp"
	"path/filepath"
	"time"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

const (
	runtimePath = "github.com/resgen-go/resgen/runtime"
	policyPath  = runtimePath + "/policy"
)

func qual(path, name string, args ...plan.GoType) plan.GoType {
	return plan.Qual{Path: path, Name: name, Args: args}
}

var (
	contextType = qual("context", "Context")
	errorType   = basic("error")
)

func named(name string, t plan.GoType) plan.Named { return plan.Named{Name: name, Type: t} }

// unnamed are results without names.
func unnamed(types ...plan.GoType) []plan.Named {
	out := make([]plan.Named, len(types))
	for i, t := range types {
		out[i].Type = t
	}
	return out
}

// ifaceImports are those that every wrapper's file may have.
func ifaceImports() []plan.Import {
	var all []plan.Import
	for _, path := range []string{"context", "errors", "io", "iter", "slices", "time", runtimePath, policyPath} {
		all = append(all, plan.Import{Path: path, Name: filepath.Base(path)})
	}
	return all
}

// wrapping is a wrapper on its way: methods are added to it.
type wrapping struct{ *plan.Package }

func wrapper(pkg, name string) wrapping {
	stem := string(name[0]|' ') + name[1:]
	return wrapping{&plan.Package{
		Name: pkg, Output: name, ImportPath: "example.com/" + pkg, Source: stem + ".go",
		Interface: &plan.Interface{
			Name: name, Type: local(name), File: stem + "_resilient.gen.go", Stem: stem, Spec: stem + "Spec",
			Wrapper: "Resilient" + name, New: "NewResilient" + name, Option: name + "Option",
			TargetOption: "With" + name + "Target", RuntimeOption: "With" + name + "Runtime",
			Unwrap: "Unwrap", Next: "next", Choose: "target", Imports: ifaceImports(),
		},
	}}
}

// pass adds a method that is passed through.
func (w wrapping) pass(m plan.Method) {
	m.Operation, m.Ctx, m.Key = -1, -1, -1
	w.Interface.Methods = append(w.Interface.Methods, m)
}

// method adds a method: its context comes first where it says nothing else, and its error last.
func (w wrapping) method(m plan.Method, p policy.Plan, doc string, steps ...plan.Step) {
	m.Operation = len(w.Client.Operations)
	m.Params = append([]plan.Named{named("ctx", contextType)}, m.Params...)
	m.Err = -1
	for i, r := range m.Results {
		if r.Type == errorType {
			m.Err = i
		}
	}
	for i := range m.Results {
		if i != m.Err {
			m.Values = append(m.Values, i)
		}
	}
	if m.Key == 0 {
		m.Key = -1
	}
	if m.Field == "" {
		m.Field = string(m.Name[0]|' ') + m.Name[1:]
	}
	p.Operation, p.Idempotency = m.Name, cmp.Or(p.Idempotency, policy.Safe)
	w.Interface.Methods = append(w.Interface.Methods, m)
	w.Client.Operations = append(w.Client.Operations, plan.Operation{
		Model: &model.Operation{ID: w.Interface.Name + "." + m.Name}, GoName: m.Name, Field: w.Interface.Stem + m.Name,
		Doc: plan.Comment{m.Name + " is what its author says."}, PolicyDoc: plan.Comment{w.Interface.Name + "." + m.Name + ". " + doc},
		Source: w.Interface.Stem + ".go: " + w.Interface.Name + "." + m.Name + ".{retry,timeout}", Policy: p, Steps: steps,
	})
}

// plainStore is an interface of the plainest kind.
func plainStore() *plan.Package {
	w := wrapper("kinds", "Store")
	once := policy.Plan{Timeout: policy.Timeout{Total: 2 * time.Second, Attempt: time.Second}}
	w.method(plan.Method{Name: "Get", Params: []plan.Named{named("key", basic("string"))}, Results: unnamed(local("Item"), errorType), Answer: model.OneValue},
		recommended(""), "Tried up to 2 times within 90s.")
	w.method(plan.Method{Name: "Put", Params: []plan.Named{named("key", basic("string")), named("item", local("Item"))}, Results: unnamed(errorType)},
		once, "Tried once within 2s.")
	w.pass(plan.Method{
		Name: "Close", Results: unnamed(errorType), Doc: plan.Comment{"Close frees what the store holds.", "", "It is passed through: it takes no context."},
	})
	return w.Package
}

// modelLadder is an interface with rungs of every sort, streams, and methods of odd shapes.
func modelLadder() *plan.Package {
	w := wrapper("kinds", "Model")
	w.Client.Targets = []policy.Target{{Name: policy.PrimaryTarget}, {Name: "secondary"}}
	w.Interface.Targets = []plan.IfaceTarget{{Name: "secondary", Field: "secondary"}}
	small := plan.FuncOf{Params: unnamed(contextType, local("ChatRequest")), Results: unnamed(local("ChatReply"), errorType)}
	w.Client.Wirings = []plan.Wiring{
		{Name: "smallModel", Option: "WithModelSmallModel", Field: "smallModel", Func: small},
		{Name: "apology", Option: "WithModelApology", Field: "apology", Value: local("ChatReply")},
	}
	w.Interface.Classifiers = []plan.Classifier{{
		Func: "classifyModel", Source: "model.go: Model.errors",
		Rules: []plan.ErrorRule{
			{Call: local("kindOf")},
			{Kind: policy.KindTransient, Call: local("isTransient")},
			{Kind: policy.KindTransient, Is: local("errBusy")},
			{Kind: policy.KindThrottle, As: pointer(local("quotaError"))},
			{Kind: policy.KindReset, Is: qual("io", "ErrUnexpectedEOF")},
		},
	}}
	ladder := recommended("")
	ladder.Fallback.Rungs = []policy.Rung{
		{Name: "other", Sort: policy.RungTarget, Target: "secondary", Level: policy.Alternate, When: anyKind()},
		{Name: "small", Sort: policy.RungFunc, Func: "smallModel", Level: policy.Reduced, When: anyKind()},
		{Name: "sorry", Sort: policy.RungStatic, Func: "apology", Level: policy.Canned, When: anyKind()},
	}
	in := []plan.Named{named("in", local("ChatRequest"))}
	w.method(plan.Method{
		Name: "Complete", Params: in, Results: unnamed(local("ChatReply"), errorType), Answer: model.OneValue, Twin: "CompleteResult",
		Classifier: "classifyModel",
	}, ladder, "Tried up to 2 times within 90s; falls back to others.",
		plan.FuncStep{Rung: 2, Name: "small", Wiring: "smallModel"}, plan.StaticStep{Rung: 3, Name: "sorry", Wiring: "apology"})
	items := qual("iter", "Seq2", local("Chunk"), errorType)
	w.method(plan.Method{Name: "Chat", Params: in, Results: unnamed(items), Answer: model.LazyStream}, recommended(""), "Streamed.")
	w.method(plan.Method{Name: "Tokens", Params: in, Results: unnamed(qual("iter", "Seq", basic("string")), errorType), Answer: model.SeqStream},
		recommended(""), "Streamed.")
	w.method(plan.Method{
		Name: "Events", Params: in, Results: unnamed(plan.ChanOf{Dir: model.ReceiveOnly, Elem: local("Chunk")}, errorType),
		Answer: model.ChanStream,
	}, recommended(""), "Streamed.")
	w.method(plan.Method{Name: "Audio", Params: in, Results: unnamed(qual("io", "ReadCloser"), errorType), Answer: model.ReaderStream},
		recommended(""), "Streamed.")
	w.method(plan.Method{
		Name: "Watch", Params: in, Results: unnamed(plan.ChanOf{Elem: local("Chunk")}, plan.FuncOf{}, errorType),
		Answer: model.HeldValue,
	}, recommended(""), "Tried up to 2 times within 90s.")
	w.method(plan.Method{
		Name: "Count", Params: in, Results: []plan.Named{named("words", basic("int")), named("ok", basic("bool")), named("err", errorType)},
		Answer: model.SeveralValues,
	}, recommended(""), "Tried up to 2 times within 90s.")
	w.method(plan.Method{Name: "Odd", Params: in, Results: unnamed(errorType, basic("int")), Answer: model.OneValue}, recommended(""), "Tried up to 2 times.")
	w.method(plan.Method{Name: "Log", Params: append(in, named("args", slice(basic("any")))), Variadic: true, Results: unnamed(errorType)},
		recommended(""), "Tried up to 2 times.")
	keyed := recommended("")
	keyed.Idempotency, keyed.Key = policy.Keyed, policy.Key{Source: policy.KeyParam, From: "key"}
	w.method(plan.Method{Name: "Send", Params: []plan.Named{named("key", local("Key")), named("text", basic("string"))}, Key: 1, Results: unnamed(errorType)},
		keyed, "Tried up to 2 times with one idempotency key.")
	cached := recommended("")
	cached.Cache = policy.CacheConfig{On: true, TTL: time.Minute}
	w.method(plan.Method{Name: "Embed", Params: in, Results: unnamed(slice(basic("float32")), errorType), Answer: model.OneValue, Asks: []int{1}},
		cached, "Cached for 1m.")
	w.pass(plan.Method{Name: "Name", Results: unnamed(basic("string")), Doc: plan.Comment{"Name is passed through: it takes no context."}})
	w.pass(plan.Method{Name: "Stop", Doc: plan.Comment{"Stop is passed through: it takes no context."}})
	return w.Package
}

// genericRepo is an interface with type parameters.
func genericRepo() *plan.Package {
	w := wrapper("kinds", "Repo")
	k, v := plan.TypeRef{Name: "K"}, plan.TypeRef{Name: "V"}
	w.Interface.Type = plan.LocalOf{Name: "Repo", Args: []plan.GoType{k, v}}
	w.Interface.TypeParams = []plan.TypeParam{
		{Name: "K", Constraint: plan.InterfaceOf{Embeds: []plan.GoType{plan.UnionOf{Terms: []plan.Term{{Tilde: true, Type: basic("string")}, {Type: basic("int")}}}}}},
		{Name: "V", Constraint: plan.LocalOf{Name: "Entity", Args: []plan.GoType{k}}},
	}
	w.Client.Targets = []policy.Target{{Name: policy.PrimaryTarget}, {Name: "eu"}, {Name: "us"}}
	w.Interface.Targets = []plan.IfaceTarget{{Name: "eu", Field: "eu"}, {Name: "us", Field: "us"}}
	w.Client.Wirings = []plan.Wiring{{
		Name: "lookup", Option: "WithRepoLookup", Field: "lookup",
		Func: plan.FuncOf{Params: unnamed(contextType, k), Results: unnamed(v, errorType)},
	}, {Name: "known", Option: "WithRepoKnown", Field: "known", Value: slice(k)}}
	ladder := recommended("")
	ladder.Fallback.Rungs = []policy.Rung{
		{Name: "eu", Sort: policy.RungTarget, Target: "eu", Level: policy.Alternate, When: anyKind()},
		{Name: "us", Sort: policy.RungTarget, Target: "us", Level: policy.Alternate, When: anyKind()},
		{Name: "lookup", Sort: policy.RungFunc, Func: "lookup", Level: policy.Reduced, When: anyKind()},
	}
	w.method(plan.Method{Name: "Get", Params: []plan.Named{named("k", k)}, Results: unnamed(v, errorType), Answer: model.OneValue}, ladder, "Falls back.",
		plan.FuncStep{Rung: 3, Name: "lookup", Wiring: "lookup"})
	w.method(plan.Method{Name: "All", Results: unnamed(qual("iter", "Seq2", k, v), errorType), Answer: model.Seq2Stream}, recommended(""), "Streamed.")
	w.method(plan.Method{Name: "Keys", Results: unnamed(slice(k), plan.KeyedMap{Key: k, Elem: slice(v)}, errorType), Answer: model.SeveralValues},
		recommended(""), "Tried up to 2 times.")
	return w.Package
}
