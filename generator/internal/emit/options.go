package emit

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitOptions prints the options of New: those that every client has, one for each credential, one for each function or value that is
// wired in Go.
func emitOptions(k *kit) {
	k.doc(plan.Comment{"Option is what New takes. Options that return a runtime.Option are for targets too: see WithTarget."})
	k.add(jen.Type().Id("Option").Op("=").Add(k.qual(runtimePath, "ClientOption")))
	k.emitBaseOptions()
	k.emitServers()
	for i := range k.pkg.Client.Schemes {
		k.emitCredential(&k.pkg.Client.Schemes[i])
	}
	for i := range k.pkg.Client.Wirings {
		w := &k.pkg.Client.Wirings[i]
		param, doc := "f", w.Option+" gives what annotations call "+strconv.Quote(w.Name)+". New fails without it."+asksOther(w)
		if w.Value != nil {
			param, doc = "v", doc+" Every caller that the rung answers gets this very value."
		}
		k.option(plan.Comment{doc}, w.Option,
			jen.Id("Option"), []jen.Code{jen.Id(param).Add(k.wired(w))}, "WithWired", jen.Lit(w.Name), jen.Id(param))
	}
}

// option prints one option: it hands its arguments to the runtime's function of the given name.
func (k *kit) option(doc plan.Comment, name string, result jen.Code, params []jen.Code, call string, args ...jen.Code) {
	k.doc(doc)
	k.add(jen.Func().Add(k.id(name)).Params(params...).Add(result).Block(jen.Return(k.qual(runtimePath, call).Call(args...))))
}

func (k *kit) emitBaseOptions() {
	both := k.qual(runtimePath, "Option")
	client := jen.Id("Option")
	k.option(k.baseURLDoc(), "WithBaseURL", both, []jen.Code{jen.Id("url").String()}, "WithBaseURL", jen.Id("url"))
	k.option(plan.Comment{
		"WithHTTPClient sends through c, with its cookie jar, proxy and transport. Where operations stream, its Timeout must be 0: it would cut them.",
	}, "WithHTTPClient", both.Clone(), []jen.Code{jen.Id("c").Op("*").Add(k.qual(httpPath, "Client"))}, "WithHTTPClient", jen.Id("c"))
	k.option(plan.Comment{"WithRequestEditor calls edit before every attempt is sent. An error ends the attempt."},
		"WithRequestEditor", both.Clone(), []jen.Code{jen.Id("edit").Func().Params(jen.Op("*").Add(k.qual(httpPath, "Request"))).Error()},
		"WithRequestEditor", jen.Id("edit"))
	k.option(plan.Comment{"WithTarget gives a target its own address, credentials and HTTP client."},
		"WithTarget", client, []jen.Code{jen.Id("name").String(), jen.Id("opts").Op("...").Add(k.qual(runtimePath, "TargetOption"))},
		"WithTarget", jen.Id("name"), jen.Id("opts").Op("..."))
	k.option(plan.Comment{"WithGroup shares breakers, limits, bulkheads and budgets with the other clients of the group."},
		"WithGroup", client.Clone(), []jen.Code{jen.Id("g").Op("*").Add(k.qual(runtimePath, "Group"))}, "WithGroup", jen.Id("g"))
	k.option(plan.Comment{"WithObserver tells o what the runtime does."},
		"WithObserver", client.Clone(), []jen.Code{jen.Id("o").Add(k.qual(runtimePath, "Observer"))}, "WithObserver", jen.Id("o"))
	if plan.SharesLimits(&k.pkg.Client) != nil {
		k.option(plan.Comment{
			"WithLimitStore gives the store of limits that all replicas share, such as package runtime/redisstore makes one. New fails without it.",
		}, "WithLimitStore", client.Clone(), []jen.Code{jen.Id("s").Add(k.qual(runtimePath, "LimitStore"))}, "WithLimitStore", jen.Id("s"))
	}
	if slices.ContainsFunc(k.pkg.Client.Operations, func(op plan.Operation) bool { return op.Policy.Cache.On }) {
		k.option(plan.Comment{"WithStore gives the store that answers are kept in, such as package runtime/cache makes one. New fails without it."},
			"WithStore", client.Clone(), []jen.Code{jen.Id("s").Add(k.qual(runtimePath, "Store"))}, "WithStore", jen.Id("s"))
	}
	if slices.ContainsFunc(k.pkg.Client.Operations, func(op plan.Operation) bool { return op.Policy.Cache.Semantic.On }) {
		k.option(plan.Comment{"WithEmbedder gives the embedder of that name, by which caches find what means the same. New fails without it."},
			"WithEmbedder", client.Clone(), []jen.Code{jen.Id("name").String(), jen.Id("e").Add(k.qual(runtimePath, "Embedder"))},
			"WithEmbedder", jen.Id("name"), jen.Id("e"))
		k.option(plan.Comment{"WithSemanticStore gives the store of those caches, such as package runtime/semantic makes one. New fails without it."},
			"WithSemanticStore", client.Clone(), []jen.Code{jen.Id("s").Add(k.qual(runtimePath, "SemanticStore"))}, "WithSemanticStore", jen.Id("s"))
	}
}

func (k *kit) baseURLDoc() plan.Comment {
	const sets = "WithBaseURL sets the address that requests go to. "
	switch c := &k.pkg.Client; {
	case c.BaseURL != "":
		return plan.Comment{sets + "The default is " + strconv.Quote(c.BaseURL) + "."}
	case c.BasePath != "":
		return plan.Comment{sets + "New fails without it. The document's own ends in " + strconv.Quote(c.BasePath) + "."}
	default:
		return plan.Comment{sets + "New fails without it."}
	}
}

// emitCredential prints the option that gives a scheme its credential.
func (k *kit) emitCredential(s *plan.Scheme) {
	both := k.qual(runtimePath, "Option")
	name := jen.Lit(s.Model.Name)
	quoted := strconv.Quote(s.Model.Name)
	text := func(param string) []jen.Code { return []jen.Code{jen.Id(param).String()} }
	switch s.Credential() {
	case plan.Token:
		k.option(plan.Comment{s.Option + " gives the bearer token of the scheme " + quoted + "."},
			s.Option, both, text("token"), "WithCredential", name, jen.Id("token"))
		k.option(plan.Comment{s.Option + "Func asks f for the bearer token of the scheme " + quoted + " before every attempt."},
			s.Option+"Func", both.Clone(), []jen.Code{k.credentialFunc()}, "WithCredentialFunc", name.Clone(), jen.Id("f"))
		k.emitTokens(s)
	case plan.UserPassword:
		k.option(plan.Comment{s.Option + " gives user and password of the scheme " + quoted + "."},
			s.Option, both, []jen.Code{jen.List(jen.Id("user"), jen.Id("password")).String()}, "WithBasicCredential", name, jen.Id("user"), jen.Id("password"))
	case plan.HeaderKey, plan.QueryKey, plan.CookieKey:
		k.option(plan.Comment{s.Option + " gives the key of the scheme " + quoted + "."},
			s.Option, both, text("key"), "WithCredential", name, jen.Id("key"))
	default:
		k.failf("scheme %q: no option for its credential", s.Model.Name)
	}
}

func (k *kit) credentialFunc() *jen.Statement {
	return jen.Id("f").Func().Params(k.qual(contextPath, "Context")).Params(jen.String(), jen.Error())
}
