package plan

import (
	"reflect"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// resolveClient makes the client: its operations, then what they need.
func (r *resolver) resolveClient() Client {
	var c Client
	r.paramFields = map[*ask][]Param{}
	for _, m := range r.methods {
		if _, done := r.paramFields[m.ask]; !done {
			r.paramFields[m.ask] = r.typeRequest(m.ask)
		}
	}
	r.nameOptions()
	for _, m := range r.methods {
		c.Operations = append(c.Operations, r.operation(m, r.paramFields[m.ask]))
	}
	r.declareHeaders()
	c.Targets = slices.Clone(r.policies.Targets)
	if c.BaseURL = primaryURL(c.Targets); c.BaseURL == "" {
		c.BaseURL, c.BasePath = r.clientServer()
	}
	c.Servers = r.servers()
	c.Schemes, c.Wirings, c.Examples = r.schemes, r.wirings, r.examples
	return c
}

// primaryURL is the address that annotations give to the primary target, which wins over the document's servers.
func primaryURL(targets []policy.Target) string {
	for i := range targets {
		if targets[i].Name == policy.PrimaryTarget {
			return targets[i].BaseURL
		}
	}
	return ""
}

// plan is the policy that a method runs.
func (r *resolver) plan(m *method) policy.Plan {
	switch {
	case m.media != nil && m.media.plan != nil:
		return *m.media.plan
	case m.media != nil:
		return r.plan(m.media.of)
	}
	if twin := r.policies.Twins[m.ask.index]; m.twin && twin != nil {
		return *twin
	}
	return r.policies.Plans[m.ask.index]
}

// why says which layer set each value of a method's policy. A stream beside a whole answer, and a
// method for another media type, may have less than that: see resolution.twin and planMediaTwin.
func (r *resolver) why(m *method) []Provenance {
	why, rungs := r.policies.Why[m.ask.index], r.policies.Plans[m.ask.index].Fallback.Rungs
	if !m.twin && (m.media == nil || m.media.plan == nil) {
		return why
	}
	p := r.plan(m)
	why = slices.DeleteFunc(slices.Clone(why), func(v Provenance) bool {
		i := rungOf(v.Path)
		switch {
		case i >= 0 && i < len(rungs):
			return !slices.ContainsFunc(p.Fallback.Rungs, func(rung policy.Rung) bool { return rung.Name == rungs[i].Name })
		case strings.HasPrefix(v.Path, "cache."):
			return !p.Cache.On
		case strings.HasPrefix(v.Path, "exercise."):
			return p.Exercise.Share <= 0
		case strings.HasPrefix(v.Path, "hedge."):
			return p.Hedge.Max <= 0
		default:
			return false
		}
	})
	for i := range why {
		if why[i].Path == "exercise.rungs" {
			left := source.Value{Kind: source.List}
			for _, name := range p.Exercise.Rungs {
				left.List = append(left.List, source.Value{Kind: source.String, Text: name})
			}
			why[i].Value = annot.Flow(&left)
		}
	}
	return why
}

// operation makes one method of the client.
func (r *resolver) operation(m *method, params []Param) Operation {
	op, i := m.ask.op, m.ask.index
	out := Operation{
		Model: op, GoName: m.goName, Field: m.field, Doc: join(m.doc(), r.linksDoc(m)), PolicyDoc: policyComment(op, r.policies.Docs[i]),
		Source: oneLine(r.policies.Sources[i]), Policy: r.plan(m), Why: r.why(m), WhyTargets: r.policies.WhyTargets[i],
		Effective: r.policies.Effective[i], Removed: r.policies.Removed[i],
	}
	if m.twin && r.policies.TwinDocs[i] != "" {
		out.PolicyDoc = policyComment(op, r.policies.TwinDocs[i])
	}
	if t := m.media; t != nil {
		if t.plan != nil {
			out.PolicyDoc = policyComment(op, t.doc)
		} else {
			out.PolicyOf = t.of.goName
		}
		if t.asks {
			out.AnswerOf = t.of.goName
		} else {
			out.RequestOf = t.of.goName
		}
	}
	out.Request = r.request(m, params)
	out.Response = r.response(m)
	out.Steps = r.steps(m, &out)
	out.Pages = r.pages(m, &out)
	out.MostOutput = r.mostOutput(m.ask, &out.Policy)
	if key := &out.Policy.Key; out.Policy.Idempotency == policy.Keyed && key.Source == policy.KeyFunc && key.From != "" {
		r.wired(m, key.From, r.written(m.ask, "key"), Wiring{Result: stringType}, false)
	}
	if key := conversationKey(&out.Policy); key != "" {
		r.wired(m, key, op.Pos, Wiring{Func: conversationFunc()}, false)
	}
	return out
}

// conversationKey is the name of the function that says to which conversation a call belongs; empty where no target wants to know.
func conversationKey(p *policy.Plan) string {
	for i := range p.Targets {
		if key := p.Targets[i].Affinity.Key; key != "" {
			return key
		}
	}
	return ""
}

// conversationFunc is its type.
func conversationFunc() GoType {
	ctx, text := Named{Type: Qual{Path: "context", Name: "Context"}}, Named{Type: stringType}
	return FuncOf{Params: []Named{ctx}, Results: []Named{text}}
}

func policyComment(op *model.Operation, text string) Comment {
	if bind, ok := op.Bind.(*model.HTTPBinding); ok {
		return requestComment(bind.Request()+".", text)
	}
	return comment(text)
}

// written is where the value of an annotation path, or the first one below it, was written; where the operation is if nobody did.
func (r *resolver) written(a *ask, path string) source.Pos {
	for _, why := range r.policies.Why[a.index] {
		if why.Pos.IsValid() && (why.Path == path || strings.HasPrefix(why.Path, path+".")) {
			return why.Pos
		}
	}
	return a.op.Pos
}

// doc is the author's text of a method. A stream twin refers to the plain method for it.
func (m *method) doc() Comment {
	op := m.ask.op
	if t := m.media; t != nil {
		what := m.goName + " is " + t.of.goName + " with the answer in "
		if t.asks {
			what = m.goName + " is " + t.of.goName + " with a body of "
		}
		return withDeprecation(comment(what+mediaType(t.media)+"."), op.Deprecated)
	}
	text := summarize(op.Summary, op.Doc)
	if !m.twin {
		fallback := m.goName + " is the operation " + op.ID + "."
		if op.Derived {
			fallback = m.goName + " sends " + m.ask.bind.Request() + "."
		}
		return describeMethod(m.goName, text, fallback, op.Deprecated)
	}
	return withDeprecation(comment(m.goName+" is "+m.ask.goName+" with the answer item by item."), op.Deprecated)
}

// fixedOptions are the options that every client has, or gets with the first of what they are for.
var fixedOptions = map[string]bool{
	"WithBaseURL": true, "WithHTTPClient": true, "WithRequestEditor": true, "WithTarget": true, "WithGroup": true, "WithStore": true,
	"WithEmbedder": true, "WithSemanticStore": true, "WithLimitStore": true,
	"WithObserver": true, "WithBearer": true, "WithBearerFunc": true, "WithAPIKey": true, "WithBasicAuth": true,
	tokensOption: true,
}

// nameOptions names the options of credentials. The first scheme of each kind has the short name, or the one that had it before;
// the others of a kind have names of their own.
func (r *resolver) nameOptions() {
	r.options = newScope(func(name string) bool { return fixedOptions[name] || r.pkg.taken[name] })
	short := r.shortOptions()
	var tier []wish
	var own []int
	for i := range r.api.Schemes {
		s := &r.api.Schemes[i]
		r.schemes = append(r.schemes, Scheme{Model: *s, Option: shortOption(s.Kind)})
		if short[s.Kind] != s.Name {
			own = append(own, i)
			tier = append(tier, wish{
				id: optionID(s.Name), pos: s.Pos, text: s.Name,
				names: []string{"With" + ident(s.Name, ""), "With" + ident(s.Name, "") + "Credential", "With" + verbatim(s.Name, "")},
			})
		}
	}
	for i, name := range r.allot(r.options, tier) {
		r.schemes[own[i]].Option = name
		if r.schemes[own[i]].Model.Kind == model.Bearer {
			r.options.taken[name+"Func"] = true
		}
	}
	r.nameTokensOptions()
}

// shortOptions are the schemes whose options have the short names, by kind.
func (r *resolver) shortOptions() map[model.SchemeKind]string {
	short := map[model.SchemeKind]string{}
	for i := range r.api.Schemes {
		s := &r.api.Schemes[i]
		if _, taken := short[s.Kind]; !taken || r.layers.Memory.had(optionID(s.Name), shortOption(s.Kind)) {
			short[s.Kind] = s.Name
		}
	}
	for i := range r.api.Schemes {
		if s := &r.api.Schemes[i]; short[s.Kind] == s.Name {
			r.given = append(r.given, Given{ID: optionID(s.Name), Name: shortOption(s.Kind), First: true})
		}
	}
	return short
}

// optionID says whose an option is: see Given.ID.
func optionID(scheme string) string { return "option " + scheme }

func shortOption(k model.SchemeKind) string {
	switch k {
	case model.Basic:
		return "WithBasicAuth"
	case model.APIKey:
		return "WithAPIKey"
	case model.Bearer:
		return "WithBearer"
	default:
		return "WithBearer"
	}
}

// wiring returns the function or value of that name, which it adds where it is new. ok is false where the name has another
// signature already. What a rung uses has a field of the Client; what only the runtime asks for (the source of a key) has none.
func (r *resolver) wiring(name string, w Wiring, needsField bool) (field string, ok bool) {
	at := slices.IndexFunc(r.wirings, func(have Wiring) bool { return have.Name == name })
	if at < 0 {
		w.Name, w.Option = name, r.wiringOption(name)
		r.wirings = append(r.wirings, w)
		at = len(r.wirings) - 1
	}
	have := &r.wirings[at]
	if needsField && have.Field == "" {
		stem := unexported(strings.TrimPrefix(have.Option, "With"))
		have.Field = r.client.allot([]wish{{id: name, text: name, names: []string{stem, stem + "Rung"}}}, nil)[0]
	}
	return have.Field, sameType(have.Request, w.Request) && sameType(have.Result, w.Result) && sameType(have.Value, w.Value) && sameType(have.Func, w.Func)
}

func (r *resolver) wiringOption(name string) string {
	option := "With" + ident(name, "")
	return r.allot(r.options, []wish{{id: "option for " + name, text: name, names: []string{option, option + "Rung"}}})[0]
}

// sameType reports whether two types are spelled alike.
func sameType(a, b GoType) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case Pointer:
		other, ok := b.(Pointer)
		return ok && sameType(a.Elem, other.Elem)
	case Slice:
		other, ok := b.(Slice)
		return ok && sameType(a.Elem, other.Elem)
	case MapOf:
		other, ok := b.(MapOf)
		return ok && sameType(a.Elem, other.Elem)
	case Qual:
		other, ok := b.(Qual)
		return ok && a.Path == other.Path && a.Name == other.Name && slices.EqualFunc(a.Args, other.Args, sameType)
	case Basic, Local, TypeRef:
		return a == b
	default:
		return reflect.DeepEqual(a, b)
	}
}
