package plan

import (
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Price is what the requests of a rung to a target cost at the dearest, and how long they may be.
type Price struct {
	// Input and Output are what PerPrice tokens of the request, and of the answer, cost.
	Input, Output float64
	// MaxInput is the most tokens of a request, MaxOutput those of an answer; 0 is not bounded.
	MaxInput, MaxOutput int64
}

// PerPrice is the number of tokens that a price is for.
const PerPrice = 1_000_000

// IsPriced reports whether some price is known.
func (o *Operation) IsPriced() bool {
	p := &o.Policy
	return slices.ContainsFunc(p.Targets, func(t policy.Target) bool { return t.Price.IsKnown() }) || p.PricesRungs()
}

// PriceAt returns what a rung's requests to a target cost, rung 0 being the operation itself; false where that is not known.
func (o *Operation) PriceAt(rung int, target string) (Price, bool) {
	known, ok := dearest(&o.Policy, rung, target)
	if !ok {
		return Price{}, false
	}
	price := Price{Input: known.AtMost(PerPrice, 0), Output: known.AtMost(0, PerPrice), MaxOutput: o.MostOutput}
	if fits := policy.FitsOf(&o.Policy); fits != nil {
		if price.MaxInput = fits[rung].MaxInput; rung == 0 && target != policy.PrimaryTarget { // the target that gets copies
			price.MaxInput = fits[len(fits)-1].MaxInput
		}
	}
	return price, true
}

// dearest returns the price of a rung's requests to a target: of members that of the dearest kind of token each. It is not known where one is
// not.
func dearest(p *policy.Plan, rung int, target string) (policy.Price, bool) {
	t := policy.TargetOf(p, target)
	own := rung > 0 && p.Fallback.Rungs[rung-1].Price.IsKnown()
	if price := *policy.PriceOf(p, rung, &t.Price); own || len(t.AnyOf) == 0 {
		return price, price.IsKnown()
	}
	all := policy.Price{Free: true}
	for _, member := range t.AnyOf {
		m := policy.MemberOf(p, target, member).Price
		if !m.IsKnown() {
			return m, false
		}
		if !m.Free {
			all.Free = false
		}
		all.Input = max(all.Input, m.Input, m.Cached, m.CacheWrite)
		all.Output = max(all.Output, m.Output, m.Reasoning)
	}
	return all, true
}

// mostOutput is the most output that a request can ask for, in tokens, as the document bounds the field of that; 0 is not bounded. Where there
// are several, all of them are.
func (r *resolver) mostOutput(a *ask, p *policy.Plan) int64 {
	if a.body == nil || a.body.codec != JSONCodec {
		return 0
	}
	var most int64
	places := policy.TokenPlacesOf(p)
	for _, pointer := range places.Max {
		f := r.fieldAt(a.body.elem.Type, pointer)
		switch {
		case f == nil:
		case f.Most == 0:
			return 0
		default:
			most = max(most, f.Most)
		}
	}
	return most
}

// fieldAt is the field that a pointer leads to, through objects alone; nil for none.
func (r *resolver) fieldAt(typ model.Type, pointer string) *model.Field {
	steps, err := source.ParsePointer(pointer)
	if err != nil {
		return nil
	}
	var f *model.Field
	for _, step := range steps {
		o, isObject := r.types.follow(typ).typ.(model.Object)
		i := fieldIndex(o, step)
		if !isObject || i < 0 {
			return nil
		}
		f = &o.Fields[i]
		typ = f.Elem.Type
	}
	return f
}
