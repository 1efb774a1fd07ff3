package runtime

// GroupOption changes how a Group is made.
type GroupOption interface{ applyGroup(g *Group) }

type groupOption func(g *Group)

func (o groupOption) applyGroup(g *Group) { o(g) }

// WithRand sets the source of jitter: numbers in [0, 1), safe for concurrent use. The default is that of math/rand/v2. Tests and
// simulations that must repeat themselves give their own; nil keeps the default.
func WithRand(rand func() float64) GroupOption {
	return groupOption(func(g *Group) {
		if rand != nil {
			g.rand = rand
		}
	})
}
