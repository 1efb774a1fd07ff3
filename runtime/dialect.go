package runtime

import (
	"slices"

	"github.com/resgen-go/resgen/runtime/policy"
)

// dialect is what the answers of a provider mean.
type dialect struct {
	judge    *policy.Judge       // of answers of success; nil for none
	reads    *policy.Judge       // the same, that finds what is counted too; nil where nothing is, and for streams
	streamed *policy.StreamRules // what the items of streams mean; nil for nothing
	counted  *meterFields        // of answers; nil for none
	counting policy.Counting     // of what is counted
}

// dialectOf returns what the answers of a plan mean.
func dialectOf(p *policy.Plan) dialect {
	places, counting := policy.TokenPlacesOf(p), policy.CountingOf(p)
	d := dialect{
		judge: policy.NewJudge(p), streamed: policy.NewStreamRules(p.Errors.Preset, p.Stream),
		counted: meterFieldsOf(&places, p.Served, counting), counting: counting,
	}
	if d.counted != nil && !p.Stream.Format.Streams() {
		d.reads = policy.NewJudge(p, d.counted.places...)
	}
	return d
}

// dialectsOf returns what the answers of those endpoints mean that are other providers than the plan says, by name; nil where there are none.
func dialectsOf(p *policy.Plan) map[string]*dialect {
	var all map[string]*dialect
	for i := range p.Targets {
		for _, name := range slices.Concat(policy.Endpoints(p, p.Targets[i].Name), []string{p.Targets[i].Name}) {
			at := policy.PlanAt(p, name)
			if at == p {
				continue
			}
			if all == nil {
				all = map[string]*dialect{}
			}
			d := dialectOf(at)
			all[name] = &d
		}
	}
	return all
}

// at returns what the answers of an endpoint mean.
func (op *Operation) at(endpoint string) *dialect {
	if d := op.dialects[endpoint]; d != nil {
		return d
	}
	return &op.own
}
