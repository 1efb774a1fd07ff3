package plan

import (
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Resolve decides everything about the package that calls an API: names, types, what each method sends and reads, and the policy
// that it runs. It reads no files and prints nothing. What it has to say goes to list; whatever it reports, each operation of the
// API has a method in the result, and equal inputs give equal packages.
func Resolve(api *model.API, l Layers, list *diag.List) *Package {
	r := &resolver{api: api, layers: l, list: list, policies: resolvePolicies(api, l, list), types: newTyper(api)}
	r.exampleNames, r.clashes = map[string]string{}, map[source.Pos]bool{}
	r.shapeMethods()
	r.rehearse(func() {
		r.nameAll()
		r.servers()
	})
	r.nameAll()
	r.refuseBlindPointers()
	r.refuseBlindIDs()
	r.refuseBlindLacks()
	r.findVectors()
	r.findServed()
	r.partials()
	r.refuseOneShotHedges()
	r.refuseUnkept()
	out := &Package{
		Name: l.Package, Output: l.Output, ImportPath: l.ImportPath, Source: l.Source, Doc: packageDoc(api, l.Package),
	}
	out.Client = r.resolveClient()
	nameServed(out.Client.Operations)
	r.useInbound()
	out.Types = append(r.types.declare(), r.decls...)
	markUses(out)
	out.Renamed, out.Given = r.renamed, r.given
	r.checkSize(out)
	return out
}

// resolver is the state of one Resolve.
type resolver struct {
	api      *model.API
	layers   Layers
	list     *diag.List
	policies Resolved
	types    *typer
	// pkg is the package scope, client that of the Client's fields, options that of the names that begin with With.
	pkg, client, options *scope
	// asks are how operations are asked, methods what they become: one method each, and more where there is a stream twin, or where
	// bodies are offered in several media types.
	asks    []*ask
	methods []*method
	// paramFields are the parameters of each ask, by the index that they have in the binding.
	paramFields map[*ask][]Param
	// decls are the request structs and the interfaces of several answers.
	decls   []TypeDecl
	renamed []Renaming
	given   []Given
	// methodNames is the scope of the client's methods. heldNames are names that are held for those who had them before, by scope;
	// they are found in a rehearsal.
	methodNames *scope
	heldNames   map[string]map[string]bool
	rehearsing  bool

	schemes []Scheme
	// wirings and examples are found by the steps of rungs.
	wirings  []Wiring
	examples []Example
	// exampleNames are the constants of examples by the examples' names.
	exampleNames map[string]string
	// clashes are where names are wired that have another signature already.
	clashes map[source.Pos]bool
}

// method is one method of the client on its way.
type method struct {
	ask *ask
	// twin says that it is the stream beside a whole answer.
	twin bool
	// media is set for a further method, for another media type.
	media  *mediaTwin
	answer answer
	// goName and field are its names; several and variants those of the interface of its answers.
	goName, field string
	// pages is the name of the method that iterates over its pages; empty where there is none.
	pages    string
	several  string
	variants []string
}

// shapeMethods finds out what methods there are, and how each is asked and answered.
func (r *resolver) shapeMethods() {
	for i := range r.api.Operations {
		op := &r.api.Operations[i]
		bind, isHTTP := op.Bind.(*model.HTTPBinding)
		if !isHTTP {
			continue
		}
		a := r.ask(i, op, bind)
		r.asks = append(r.asks, a)
		first := len(r.methods)
		format, whole := offers(op, r.facts(i).Stream.Stream)
		if whole {
			r.methods = append(r.methods, &method{ask: a, answer: r.types.wholeAnswer(bind, r.types.answerContent)})
		}
		if format.Streams() {
			r.warnOtherStreams(op, bind, format)
			r.methods = append(r.methods, &method{ask: a, twin: whole, answer: r.streamAnswer(i, bind, format)})
		}
		r.addMediaTwins(r.methods[first])
	}
}

// packageDoc is the comment of the package.
func packageDoc(api *model.API, name string) Comment {
	title := oneLine(api.Title)
	if title == "" {
		title = "the API that " + api.Source + " describes"
	}
	return join(comment("Package "+name+" calls "+sentence(title)), comment(api.Doc))
}
