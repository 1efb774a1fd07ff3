package policy

// Counting says how the numbers of an answer come to what limits and bills count. The zero value takes cached tokens for a part of the input,
// counts all of it, and reserves what answers are observed to use.
type Counting struct {
	// CachedOnTop says that Usage.Input does not include Cached and CacheWrite; ReasoningOnTop, that Output does not include Reasoning.
	CachedOnTop, ReasoningOnTop bool
	// Uncached says that limits leave out the input that was cached.
	Uncached bool
	// Most says that limits reserve all the output that a request allows.
	Most bool
}

// CountingOf returns how the tokens of an operation are counted, by its Tokens and its preset.
func CountingOf(p *Plan) Counting {
	places, counts := TokenPlacesOf(p), countsOf(p)
	return Counting{
		CachedOnTop:    anyNamed(places.Cached, cachedOnTop) || anyNamed(places.CacheWrite, cachedOnTop),
		ReasoningOnTop: anyNamed(places.Reasoning, reasoningOnTop),
		Uncached:       counts.Input == CountUncached,
		Most:           counts.Output == CountMax,
	}
}

// countsOf returns what the limits of an operation's provider count.
func countsOf(p *Plan) TokenCounts { return p.Tokens.Counts.or(tokenForms[p.Errors.Preset].counts) }

// limitOf returns a limit as the operation's provider enforces it.
func limitOf(p *Plan, l LimitConfig) LimitConfig {
	if !l.CountsTokens() {
		return l
	}
	counts := countsOf(p)
	if l.Slice <= 0 {
		l.Slice = counts.Slice
	}
	if counts.Separate == CountApart && l.Tokens.bounds() {
		if !l.InputTokens.bounds() {
			l.InputTokens = l.Tokens
		}
		if !l.OutputTokens.bounds() {
			l.OutputTokens = l.Tokens
		}
		l.Tokens = Rate{}
	}
	return l
}

// Translate returns usage that is counted so as another provider counts: with cached and reasoning tokens a part of the other numbers, or on top
// of them.
func (c Counting) Translate(u Usage, to Counting) Usage {
	all, plain := c.input(u)
	if u.Input = all; to.CachedOnTop {
		u.Input = plain
	}
	all, shown := c.output(u)
	if u.Output = all; to.ReasoningOnTop {
		u.Output = shown
	}
	return u
}

// input returns the tokens of a request: all of them, and those that were neither read from a cache nor written to one.
func (c Counting) input(u Usage) (all, plain int64) {
	cached, written := max(u.Cached, 0), max(u.CacheWrite, 0)
	if c.CachedOnTop {
		plain = max(u.Input, 0)
		return plain + cached + written, plain
	}
	all = max(u.Input, 0)
	return all, max(all-cached-written, 0)
}

// output returns the tokens of an answer: all of them, and those that are shown.
func (c Counting) output(u Usage) (all, shown int64) {
	hidden := max(u.Reasoning, 0)
	if c.ReasoningOnTop {
		shown = max(u.Output, 0)
		return shown + hidden, shown
	}
	all = max(u.Output, 0)
	return all, max(all-hidden, 0)
}

// counted returns the usage that limits count.
func (c Counting) counted(u Usage) Usage {
	in, _ := c.input(u)
	if c.Uncached {
		in = max(in-max(u.Cached, 0), 0)
	}
	out, _ := c.output(u)
	return Usage{Input: in, Output: out}
}
