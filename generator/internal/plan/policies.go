package plan

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Layers are what Resolve is given beside the API: where policies come from that are not in the document, and what the
// package is to be called.
type Layers struct {
	// PolicyFile is the tree of the policy file; nil where there is none.
	PolicyFile *source.Value
	// Package is the package clause, Output the NAME of the header's second line, ImportPath the package's own import path
	// (empty where unknown).
	Package    string
	Output     string
	ImportPath string
	// Source is the path of the document relative to the output folder, for the header.
	Source string
	// Memory is what resgen.lock knows of the package's names.
	Memory Memory
	// Partial says that operations of the document were left out. A rule, policy, class or target that nothing here uses may then
	// be theirs, and is no error.
	Partial bool
	// File is the name of the output file of a wrapper; the client of a document has many. Twins asks for a further method, which
	// returns a runtime.Result, beside each one that has a ladder.
	File  string
	Twins bool

	// ownDefinitions are the places of definitions that must be used; nil for all.
	ownDefinitions map[source.Pos]bool
}

// Resolved are the policies of an API, every slice by the index of model.API.Operations.
type Resolved struct {
	// Plans are what the plain methods run. Of an operation that only streams it is the stream's plan.
	Plans []policy.Plan
	// Twins are what the stream twins run; nil for an operation that has none.
	Twins []*policy.Plan
	// Facts are what types and rungs are made from.
	Facts []annot.Facts
	// Why says which layer set each value of the plan, and WhyTargets those of the targets that it calls.
	Why, WhyTargets [][]Provenance
	// Effective and Removed are those of Operation.
	Effective []source.Value
	Removed   [][]Provenance
	// Sources are what the comment of each policy literal names, such as "llm.yaml: createChatCompletion.{retry,fallback},
	// document.timeout"; empty where everything is built in.
	Sources []string
	// Docs are the paragraphs that begin with "METHOD /path" and state the policy in a sentence; TwinDocs those of the stream
	// twins. They hold text of the document (the path): make a Comment of them.
	Docs     []string
	TwinDocs []string
	// say states another policy of an operation in such a paragraph.
	say []func(*policy.Plan) string
	// Targets are all targets that some operation names, primary first, with the addresses that the annotations give.
	Targets []policy.Target
}

// resolvePolicies merges the layers of each operation, decodes the result into its policy.Plan and refuses what is unsafe. It
// reports to list, and returns plans for all operations whatever it reports.
func resolvePolicies(api *model.API, l Layers, list *diag.List) Resolved {
	s := readShared(api, l.PolicyFile, list)
	owned := readOwn(api, &s, l.Partial, list)
	refer(&s, owned, list)
	s.refuseCircles(list)
	s.must = l.ownDefinitions
	sound := !slices.ContainsFunc(owned, func(o own) bool { return !o.sound })
	if sound && s.sound && len(owned) > 0 && !l.Partial { // what was dropped as wrong may have used it
		s.refuseUnused(list)
	}
	if !l.Partial {
		s.refuseMembers(list)
	}
	out := Resolved{Targets: s.namedTargets()}
	ladders := make(others, 0, len(api.Operations))
	for i := range api.Operations {
		r := s.resolve(&api.Operations[i], owned[i].layers)
		ladders = append(ladders, &refusal{r: &r, s: &s, list: list, whole: r.plan})
		if owned[i].sound {
			refusePolicy(&r, &s, list)
		}
		out.add(&r)
		out.WhyTargets = append(out.WhyTargets, s.targetValues(&r.plan))
		out.Effective = append(out.Effective, r.effective(&s))
		out.Removed = append(out.Removed, r.removed())
	}
	ladders.refuse()
	ladders.refuseSharedLimits()
	if sound && s.sound && !l.Partial {
		s.refuseUncounted(out.Plans, list)
	}
	return out
}

// resolution is one operation under resolution.
type resolution struct {
	op *model.Operation
	// tree is what the layers come to, timeouts the effective timeout class.
	tree     *tree
	timeouts *tree
	// plan is the whole policy, with what only a stream or only a whole answer needs.
	plan  policy.Plan
	facts annot.Facts
	// format is how the operation's items travel, NoStream where it streams nothing; whole says that it also, or only, answers at once.
	format policy.StreamFormat
	whole  bool
	// items says that a Go method answers item by item, in no format.
	items bool
}

// streams reports whether the operation answers item by item.
func (r *resolution) streams() bool { return r.format.Streams() || r.items }

// resolve turns the layers of an operation into its plan.
func (s *shared) resolve(op *model.Operation, layers []layer) resolution {
	r := resolution{op: op}
	r.format, r.whole = offers(op, streamFacts(op, layers))
	name := op.ID
	if bind, ok := op.Bind.(*model.FuncBinding); ok {
		r.items = bind.Answer.Streams()
		r.format, r.whole = policy.NoStream, !r.items
		name = bind.Method
	}
	r.tree = s.mergeLayers(layers, generates(layers, r.streams()))
	yieldToAuthors(r.tree)
	settings := annot.Decode(&r.tree.value)
	r.plan, r.facts = settings.Plan, settings.Facts
	r.plan.Operation = name
	r.factsOf(op)
	r.oneShot()
	r.timeoutsOf(s.classes)
	if r.plan.Retry.Attempts > 1 && len(r.plan.Retry.On) == 0 {
		r.plan.Retry.On = policy.RetryOn(r.plan.Idempotency)
		r.tree.setKinds("retry.on", r.plan.Retry.On, layerBuiltIn)
	}
	r.plan.Targets = s.targetsOf(&r.plan)
	r.limitHeaders(s)
	return r
}

// factsOf gives facts that nobody wrote their defaults, and settles how the operation streams.
func (r *resolution) factsOf(op *model.Operation) {
	if r.tree.written("idempotency") == nil {
		layer := layerBuiltIn
		if r.plan.Idempotency = byMethod(op); len(r.plan.IDs) > 0 {
			r.plan.Idempotency, layer = policy.Idempotent, layerIDs
		}
		r.tree.set("idempotency", r.plan.Idempotency.String(), layer)
	}
	if r.tree.written("hedgeable") == nil {
		r.plan.Hedgeable = r.plan.Idempotency == policy.Safe
		r.tree.set("hedgeable", strconv.FormatBool(r.plan.Hedgeable), layerBuiltIn)
	}
	if r.tree.written("errors.judge") == nil && doesWork(op) && policy.HasAnswers(r.plan.Errors.Preset) {
		r.plan.Errors.Judge = true
		r.tree.set("errors.judge", "true", layerBuiltIn)
	}
	if !r.format.Streams() {
		r.facts.Stream, r.plan.Stream = annot.StreamFacts{}, policy.Stream{}
		return
	}
	r.facts.Stream.Format = r.format
	if r.plan.Errors.Preset == openAI && r.tree.find("stream.error") == nil {
		r.facts.Stream.ErrorEvent, r.facts.Stream.ErrorPointer = "error", "/error"
		r.tree.set("stream.error.event", "error", layerPreset)
		r.tree.set("stream.error.pointer", "/error", layerPreset)
	}
	r.plan.Stream = r.facts.Stream.Stream
}

// layerIDs is what makes an operation idempotent whose requests name what they write.
const layerIDs = "ids"

const (
	openAI      = "openai"
	layerPreset = "preset " + openAI
)

// streamFacts are the framing that the layers name, server-sent events where they name none and the document has no stream either.
// What stands in defaults alone does not make an operation stream.
func streamFacts(op *model.Operation, layers []layer) policy.Stream {
	t, own := newTree(), false
	for i := range layers {
		t.lay(&layers[i].value, layers[i].name)
		if stream := layers[i].value.Get("stream"); stream != nil && layers[i].name != layerDefaults && layers[i].name != layerFileDefaults {
			own = stream.Kind == source.Map
		}
	}
	if !own || t.written("stream") == nil {
		return policy.Stream{}
	}
	settings := annot.Decode(&t.value)
	stream := settings.Facts.Stream.Stream
	if format, _ := offers(op, policy.Stream{}); !stream.Format.Streams() && !format.Streams() {
		stream.Format = policy.SSE
	}
	return stream
}

// doesWork reports whether the answer of an operation is the work that it was asked for: its method may do some, and it is told what. What has
// no body reads a record of work, or cancels one.
func doesWork(op *model.Operation) bool {
	bind, ok := op.Bind.(*model.HTTPBinding)
	if !ok || bind.Body == nil {
		return false
	}
	switch bind.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, "QUERY":
		return true
	default:
		return false
	}
}

// byMethod is the idempotency that RFC 9110, section 9.2, gives to an HTTP method (and RFC draft QUERY to its own); a Go method has none.
func byMethod(op *model.Operation) policy.Idempotency {
	bind, ok := op.Bind.(*model.HTTPBinding)
	if !ok {
		return policy.None
	}
	switch bind.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, "QUERY":
		return policy.Safe
	case http.MethodPut, http.MethodDelete:
		return policy.Idempotent
	default:
		return policy.None
	}
}

// add adds an operation: its plan for the plain method, and for the stream twin where it has one.
func (out *Resolved) add(r *resolution) {
	plain, twin, twinDoc := r.plan, (*policy.Plan)(nil), ""
	if r.format.Streams() && r.whole {
		twin = r.twin()
		twinDoc = r.doc(twin)
	}
	if r.whole {
		plain.Stream = policy.Stream{}
		plain.Timeout = policy.Timeout{Total: r.plan.Timeout.Total, Attempt: r.plan.Timeout.Attempt, Connect: r.plan.Timeout.Connect}
	}
	out.Plans = append(out.Plans, plain)
	out.Twins = append(out.Twins, twin)
	out.Facts = append(out.Facts, r.facts)
	out.Why = append(out.Why, r.provenance())
	out.Sources = append(out.Sources, r.source())
	out.Docs = append(out.Docs, r.doc(&plain))
	out.TwinDocs = append(out.TwinDocs, twinDoc)
	out.say = append(out.say, r.doc)
}

// twin is the plan of the stream beside a whole answer. It has the same rungs: what is fixed is said in items, and streams are kept apart from
// whole answers.
func (r *resolution) twin() *policy.Plan {
	p := r.plan
	p.Operation += "Stream"
	p.Errors.Partial = policy.Partial{}
	return &p
}

// exerciseOf is an exercise of those rungs that are left; none where nothing is left to exercise.
func exerciseOf(e policy.ExerciseConfig, left []policy.Rung) policy.ExerciseConfig {
	named := len(e.Rungs) > 0
	e.Rungs = slices.DeleteFunc(slices.Clone(e.Rungs), func(name string) bool {
		return !slices.ContainsFunc(left, func(rung policy.Rung) bool { return rung.Name == name })
	})
	if len(left) == 0 || named && len(e.Rungs) == 0 {
		return policy.ExerciseConfig{}
	}
	return e
}
