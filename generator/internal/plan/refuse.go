package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// refusePolicy reports what is unsafe, or without effect, in the effective policy of one operation. What the plan alone shows,
// policy.Plan.Validate finds; here it gets its place, its reason and its fix.
func refusePolicy(r *resolution, s *shared, list *diag.List) {
	c := &refusal{r: r, s: s, list: list, whole: r.plan}
	if !r.format.Streams() {
		c.whole.Stream = policy.Stream{}
	}
	c.goOnly()
	c.documentsOnly()
	c.timeout()
	c.key()
	c.oneShot()
	c.rungRepeats()
	c.patchesSpace()
	c.hedgeLayered()
	c.memberRungs()
	c.unseen()
	c.fitUnstated()
	c.patchWithoutPrice()
	if c.r.tree.written("limit") != nil && c.whole.Limit == (policy.LimitConfig{}) { // the plan does not show what says nothing
		c.limitWithoutRate("limit")
	}
	for _, def := range s.targets {
		if c.calls(def.name) && def.tree.written("limit") != nil && s.target(def.name).Limit == (policy.LimitConfig{}) {
			c.limitWithoutRate("targets." + def.name + ".limit")
		}
	}
	for _, p := range c.whole.Validate() {
		c.problem(p)
	}
}

// calls reports whether the operation sends anything to a target.
func (c *refusal) calls(target string) bool {
	if slices.ContainsFunc(c.whole.Targets, func(t policy.Target) bool { return slices.Contains(t.AnyOf, target) }) {
		return true
	}
	return target == policy.PrimaryTarget || c.whole.Hedge.Max > 0 && c.whole.Hedge.Target == target ||
		slices.ContainsFunc(c.whole.Fallback.Rungs, func(r policy.Rung) bool { return r.Sort == policy.RungTarget && r.Target == target })
}

// refusal reports to list what is wrong with one resolution.
type refusal struct {
	r     *resolution
	s     *shared
	list  *diag.List
	whole policy.Plan
}

// problem turns a problem of the plan into a diagnostic.
func (c *refusal) problem(p policy.Problem) {
	switch p.Code {
	case policy.TotalTooShort:
		c.totalTooShort()
	case policy.StreamSilence:
		c.streamSilence(p)
	case policy.RetryInDoubt:
		c.retryInDoubt()
	case policy.RungMayDuplicate:
		c.rungMayDuplicate(p)
	case policy.RetryLayered:
		c.retryLayered()
	case policy.ProbesZero:
		c.probesZero(p)
	case policy.AttemptsExceedTotal:
		c.attemptsExceedTotal()
	case policy.ReserveBelowSlow:
		c.reserveBelowSlow(p)
	case policy.KeySourceMissing:
		c.keySourceMissing(p)
	case policy.HedgeInDoubt, policy.HedgeKeyBusy, policy.HedgeNotHedgeable, policy.HedgeMayDuplicate, policy.HedgeTooLate:
		c.hedge(p)
	case policy.CacheNotSafe, policy.CacheKeepsNothing, policy.StaleWithoutRung, policy.RungWithoutCache, policy.CacheRungIdle:
		c.cache(p)
	case policy.SemanticThreshold, policy.SemanticSubject, policy.SemanticEmbedder, policy.SemanticTurn, policy.SemanticSpace:
		c.semantic(p)
	case policy.PartialShape:
		c.partialShape(p)
	case policy.DataNotAccepted:
		c.data(p)
	case policy.IDsUnused:
		c.idsUnused()
	case policy.SpaceOfRung, policy.SpaceOfHedge, policy.SpaceOfCache:
		c.space(p)
	case policy.ExerciseNotSafe, policy.ExerciseWithoutRungs, policy.ExerciseUnknownRung, policy.ServeNotEqual:
		c.exercise(p)
	case policy.MembersShape, policy.WeightShape, policy.AffinityShape: // refused where they are defined
	case policy.SharedShape, policy.LimitWithoutRate, policy.TokensNotCounted, policy.CostWithoutPrice:
		c.limit(p)
	case policy.ShedWindowShort:
		c.shedWindowShort()
	case policy.BulkheadBelowLimit:
		c.bulkheadBelowLimit(p)
	default:
		c.unsound(p)
	}
}

// name is the operation as diagnostics name it.
func (c *refusal) name() string { return "operation " + quoted(c.r.op.ID) }

// at is the innermost place that some layer wrote for one of the fields, in their order: where the field itself was filled in, what
// caused it is next. An operation that nobody annotated has its own place.
func (c *refusal) at(fields ...string) source.Span {
	for _, field := range fields {
		for field != "" {
			if v := c.find(field); v != nil && v.Pos.IsValid() {
				return source.Span{Pos: v.Pos, Len: len(v.Text)}
			}
			field = parent(field)
		}
	}
	return source.Span{Pos: c.r.op.Pos}
}

// parent is the path without its last step.
func parent(field string) string {
	i := max(strings.LastIndex(field, "."), strings.LastIndex(field, "["))
	if i < 0 {
		return ""
	}
	return field[:i]
}

// find returns the value of a field, wherever it is defined: "timeout.total" in its class, "targets.NAME.breaker" in its target.
func (c *refusal) find(field string) *source.Value {
	if key, ok := strings.CutPrefix(field, "timeout."); ok {
		return c.r.timeouts.find(key)
	}
	rest, ok := strings.CutPrefix(field, "targets.")
	if !ok {
		return c.r.tree.find(field)
	}
	for _, def := range c.s.targets {
		if key, ok := strings.CutPrefix(rest, def.name+"."); ok {
			return def.tree.find(key)
		}
	}
	return nil
}

// related points at the place of a field that somebody wrote, if there is one.
func (c *refusal) related(field, what string) []diag.Related {
	v := c.find(field)
	if v == nil || !v.Pos.IsValid() {
		return nil
	}
	return []diag.Related{{Span: source.Span{Pos: v.Pos, Len: len(v.Text)}, What: what}}
}

// timeout refuses an operation without a total.
func (c *refusal) timeout() {
	if c.whole.Timeout.Total > 0 {
		return
	}
	d := diag.Diagnostic{
		Code: diag.NoTimeout, Span: c.at("timeout"), What: c.name() + " has no timeout",
		Why: "a call without an end holds its goroutine, connection and permit for as long as the dependency likes",
		Fix: "remove `timeout: null`; the built-in class then holds",
	}
	if class := c.r.tree.written("timeout"); class != nil {
		d.Span, d.What, d.Fix = c.at("timeout.total"), "the timeout class "+quoted(class.Text)+" has no total", "write `total: 30s`"
	}
	c.list.Add(d)
}

// key refuses a keyed operation whose key cannot travel, and warns of a key that no operation sends.
func (c *refusal) key() {
	keyed := c.whole.Idempotency == policy.Keyed
	switch written := c.r.tree.written("key"); {
	case keyed && c.whole.Key.Header == "" && !c.isFunc():
		fix := "add `key: {in: header, name: Idempotency-Key}`"
		if written != nil {
			fix = "add `name: Idempotency-Key` to `key`"
		}
		c.list.Add(diag.Diagnostic{
			Code: diag.KeyedWithoutKey, Span: c.at("idempotency"), What: c.name() + " is keyed, but no header carries its key",
			Why: "without the key, every retry is a new request to the server", Fix: fix,
		})
	case keyed && c.whole.Key.Source == policy.KeyParam && c.whole.Key.From != "":
		c.keyParam()
	case !keyed && written != nil && c.ownKey():
		c.list.Add(diag.Diagnostic{
			Code: diag.KeyWithoutKeyed, Severity: diag.Warning, Span: c.at("key"),
			What: c.name() + ` has a "key", but is ` + quoted(c.whole.Idempotency.String()) + " and sends none",
			Why:  "only a keyed operation sends an idempotency key", Fix: "add `idempotency: keyed`, or remove `key`",
		})
	}
}

// ownKey reports whether the key was described for this operation, and not by defaults for all that are keyed.
func (c *refusal) ownKey() bool {
	for path, layer := range c.r.tree.layers {
		if strings.HasPrefix(path, "key.") && (layer == layerOperation || layer == layerMethod || strings.HasPrefix(layer, "rule ")) {
			return true
		}
	}
	return false
}

// isFunc reports whether the operation is a Go method.
func (c *refusal) isFunc() bool {
	_, ok := c.r.op.Bind.(*model.FuncBinding)
	return ok
}

// params are the names of the operation's parameters.
func (c *refusal) params() []string {
	var names []string
	switch bind := c.r.op.Bind.(type) {
	case *model.HTTPBinding:
		for i := range bind.Params {
			names = append(names, bind.Params[i].Name)
		}
	case *model.FuncBinding:
		for _, p := range bind.Params {
			names = append(names, p.Name)
		}
	}
	return names
}

// keyParam refuses a key from a parameter that the operation does not have.
func (c *refusal) keyParam() {
	names := c.params()
	if slices.Contains(names, c.whole.Key.From) {
		return
	}
	fix := diag.DidYouMean(c.whole.Key.From, names)
	if fix == "" {
		fix = "name one of the operation's parameters, or write `source: uuidv7`"
	}
	c.list.Add(diag.Diagnostic{
		Code: diag.UnknownName, Span: c.at("key.param"), What: c.name() + " has no parameter " + quoted(c.whole.Key.From),
		Why: "its idempotency key is to come from there", Fix: fix,
	})
}

func (c *refusal) keySourceMissing(p policy.Problem) {
	key := c.whole.Key.Source.String()
	c.list.Add(diag.Diagnostic{
		Code: diag.MissingKey, Span: c.at("key.source", "key"), What: c.name() + ": " + p.Text,
		Why: "without its name the key comes from nowhere", Fix: "add `" + key + ": NAME` to `key`, or write `source: uuidv7`",
	})
}

// quoted puts text of a document into a diagnostic.
func quoted(s string) string {
	const longest = 80
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "..."
	}
	return strconv.Quote(s)
}
