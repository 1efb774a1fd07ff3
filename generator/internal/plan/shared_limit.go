package plan

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// sharedWithoutRate refuses a shared limit of nothing that processes can share.
func (c *refusal) sharedWithoutRate(p policy.Problem) {
	d := diag.Diagnostic{
		Code: diag.SharedWithoutRate, Span: c.at(p.Field), What: quoted(p.Field) + " is no limit of requests or tokens",
		Why: "what lies in the store are buckets of requests and of tokens: there is nothing for the other processes to draw on",
		Fix: "add `requests: 500/1m`, or what the provider's documentation says, or remove `shared`", Related: c.where(),
	}
	if strings.HasSuffix(p.Field, ".cost") {
		d.What = quoted(p.Field) + " bounds money beside `shared`"
		d.Why = "what was spent is not kept in the store: each process would spend the whole amount"
		d.Fix = "remove `shared`, and write `replicas: 4`, or how many there are, so that each process has its part; or remove `cost`"
	}
	c.list.Add(d)
}

// sharedLimit is where a shared limit has its numbers.
type sharedLimit struct {
	cfg  policy.LimitConfig
	span source.Span
}

// refuseSharedLimits refuses limits of one name that have other numbers.
func (o others) refuseSharedLimits() {
	seen, told := map[string]sharedLimit{}, map[source.Span]bool{}
	for _, c := range o {
		for _, target := range endpointsOf(&c.whole) {
			cfg, field := policy.TargetOf(&c.whole, target).Limit, "limit"
			if own := "targets." + target + ".limit"; c.find(own) != nil {
				field = own
			}
			name, span := policy.SharedName(&cfg, target), c.at(field+".shared")
			if name == "" {
				continue
			}
			cfg.Headers = policy.LimitHeadersNone
			first, ok := seen[name]
			if !ok {
				seen[name] = sharedLimit{cfg, span}
				continue
			}
			if first.cfg == cfg || told[span] {
				continue
			}
			told[span] = true
			c.list.Add(diag.Diagnostic{
				Code: diag.SharedLimitDiffers, Span: span, What: "the shared limit " + quoted(cfg.Shared) + " has other numbers elsewhere",
				Why:     "all that name it draw on the same buckets, which cannot be filled and emptied by two rules",
				Fix:     "write the limit once, in a named policy that both `use`, or give this one a name of its own",
				Related: []diag.Related{{Span: first.span, What: "here it has other numbers"}},
			})
		}
	}
}

// endpointsOf lists the targets that a plan may have machines for.
func endpointsOf(p *policy.Plan) []string {
	names := []string{policy.PrimaryTarget}
	for i := range p.Targets {
		if name := p.Targets[i].Name; name != policy.PrimaryTarget {
			names = append(names, name)
		}
	}
	return names
}

// SharesLimits returns an operation of a client that has a limit in a store; nil where there is none.
func SharesLimits(client *Client) *Operation {
	for i := range client.Operations {
		op := &client.Operations[i]
		for _, target := range endpointsOf(&op.Policy) {
			if policy.TargetOf(&op.Policy, target).Limit.Shared != "" {
				return op
			}
		}
	}
	return nil
}
