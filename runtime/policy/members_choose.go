package policy

import "time"

// wanted is what a call wants of a choice.
type wanted struct {
	tenant string
	home   uint64    // of the conversation that the call belongs to; 0 is none
	only   memberSet // of which the choice is; empty is all
	shun   memberSet // that do not take the attempt
	avoid  memberSet // that are taken only if there is no other
	last   memberSet // that are taken only if there is none but them, of those to be avoided
	prefer memberSet // that is taken if it is well
	again  bool      // the attempt is not the first, or a copy of it: it is nobody's trial
}

// choice is the answer.
type choice struct {
	member    *Member   // nil where there is none
	notBefore time.Time // when one may be asked again, where there is none; zero is never
	paused    bool      // that one asked for a pause: its breaker lets calls through
	shunned   bool      // there are members that are well, and do not take the attempt
}

// standing is how a member stands for one choice.
type standing uint8

const (
	isOut standing = iota
	onTrial
	lagging
	isWell
)

// draws are the random numbers of a choice, made before its lock is taken: their source is somebody else's code.
type draws [3]float64

func drawsOf(rand func() float64) draws { return draws{rand(), rand(), rand()} }

// choose chooses the member of an attempt.
func (g *Members) choose(now time.Time, w *wanted, rand func() float64) choice {
	d := drawsOf(rand)
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.clock.tick(now)
	var look look
	answer := g.look(now, t, w, &look)
	if look.all() == 0 {
		return answer
	}
	m := g.preferred(t, w, &look)
	if m == nil {
		m = g.drawn(t, w, &look, d)
	}
	if look.lagging&^m.bit() != 0 {
		g.passOver(look.lagging &^ m.bit())
	}
	m.chosen, m.passed = t, 0
	return choice{member: m}
}

// look is what a choice sees of the members.
type look struct {
	trial, lagging, well memberSet
	shares               [MembersMost]float64
}

func (l *look) all() memberSet { return l.trial | l.lagging | l.well }

// keep leaves only the members of a set, if any is left then.
func (l *look) keep(s memberSet) {
	if l.all()&s == 0 {
		return
	}
	l.trial, l.lagging, l.well = l.trial&s, l.lagging&s, l.well&s
}

// look looks at the members. Where none can be asked, the answer says when one can.
func (g *Members) look(now time.Time, t int64, w *wanted, l *look) (answer choice) {
	for i := range g.list {
		m := &g.list[i]
		if w.only != 0 && !w.only.has(i) {
			continue
		}
		s, notBefore, paused := m.stand(now, t, w.tenant)
		switch {
		case s == isOut:
			if answer.notBefore.IsZero() || !notBefore.IsZero() && notBefore.Before(answer.notBefore) {
				answer.notBefore, answer.paused = notBefore, paused
			}
			continue
		case w.shun.has(i):
			answer.shunned = true
			continue
		case s == onTrial:
			l.trial |= m.bit()
		case s == lagging:
			l.lagging |= m.bit()
		case s == isWell:
			l.well |= m.bit()
		}
		l.shares[i] = m.share(t)
	}
	if w.again && l.well|l.lagging != 0 {
		l.trial = 0
	}
	l.keep(^w.avoid)
	l.keep(^w.last)
	return answer
}

// stand says how a member stands, and, where it is out, until when.
func (m *Member) stand(now time.Time, t int64, tenant string) (s standing, notBefore time.Time, paused bool) {
	s = isWell
	if b := m.machines.Breaker; b != nil && !b.admits.Load() {
		m.out = true
		if notBefore, open := b.Peek(now); open {
			return isOut, notBefore, false
		}
		s = onTrial
	} else if m.out {
		m.out = false
		m.pace = pace{} // what it was before says nothing
		m.returns(t)
	}
	if p := m.machines.Pause; p != nil && !p.isFree() {
		p = p.Of(now, tenant)
		if until := p.Until(now); !until.IsZero() {
			if !p.isDue(now) {
				return isOut, until, true
			}
			s = onTrial
		}
	}
	if s == isWell && m.lags(t) {
		s = lagging
	}
	return s, time.Time{}, false
}

// isDue reports whether the next call probes the pause.
func (p *Pause) isDue(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.long && !now.Before(p.probe)
}

// preferred returns the member that the call comes with, nil if it has none, or that one is not well.
func (g *Members) preferred(t int64, w *wanted, l *look) *Member {
	if w.prefer != 0 {
		if s := w.prefer & l.well; s != 0 {
			return g.first(s)
		}
		return nil
	}
	if w.home == 0 || w.again || !g.homes.cfg.isOn() {
		return nil
	}
	home, moved := g.homeOf(t, w.home)
	ready := l.well.has(home) && g.list[home].hasRoom() || !moved && l.trial.has(home)
	if ready {
		return &g.list[home]
	}
	return nil
}

// first returns the member of a set that has one.
func (g *Members) first(s memberSet) *Member {
	for i := range g.list {
		if s.has(i) {
			return &g.list[i]
		}
	}
	return nil
}

// drawn returns the better of two that are drawn.
func (g *Members) drawn(t int64, w *wanted, l *look, d draws) *Member {
	if m := g.draw(l.all(), l, d[0]); m != nil && g.isTried(t, m, l) {
		return m
	}
	pool := l.well
	if pool == 0 {
		pool = l.lagging
	}
	if pool == 0 {
		pool = l.trial
	}
	m := g.better(l, pool, d)
	if w.home != 0 && !w.again && g.homes.cfg.isOn() {
		g.homes.move(t, w.home, m.index)
	}
	return m
}

// isTried reports whether a call that has drawn the member is one to find out with.
func (*Members) isTried(t int64, m *Member, l *look) bool {
	return l.trial.has(m.index) || l.lagging.has(m.index) && m.isDue(t)
}

// halfCall is added to loads that are compared: where few calls are in flight the shares are then nearest to the weights (as seats are in
// Sainte-Laguë's method).
const halfCall = 0.5

// better draws two of a pool and returns the better one; and where neither has room, one that has.
func (g *Members) better(l *look, pool memberSet, d draws) *Member {
	a := g.draw(pool, l, d[1])
	b := g.draw(pool&^a.bit(), l, d[2])
	if b == nil {
		return a
	}
	loadA, roomA := a.load()
	loadB, roomB := b.load()
	switch {
	case roomA && !roomB:
		return a
	case roomB && !roomA:
		return b
	case !roomA:
		for i := range g.list {
			if m := &g.list[i]; pool.has(i) && m != a && m != b && m.hasRoom() {
				return m
			}
		}
	}
	if (loadB+halfCall)/l.shares[b.index] < (loadA+halfCall)/l.shares[a.index] {
		return b
	}
	return a
}

// draw draws a member of a set by its share; nil if the set is empty.
func (g *Members) draw(s memberSet, l *look, draw float64) *Member {
	var sum float64
	for i := range g.list {
		if s.has(i) {
			sum += l.shares[i]
		}
	}
	var drawn *Member
	at := draw * sum
	for i := range g.list {
		if !s.has(i) {
			continue
		}
		drawn = &g.list[i]
		if at -= l.shares[i]; at < 0 {
			break
		}
	}
	return drawn
}

// load returns the permits that are in use, of all operations where they share a bulkhead, and whether one is free.
func (m *Member) load() (load float64, room bool) {
	if b := m.machines.Bulkhead; b != nil && b.cfg.MaxConcurrent > 0 {
		used, limit := b.use()
		return float64(used), used < limit || b.PerTenant()
	}
	return float64(m.flying.Load()), true
}

// hasRoom reports whether the member has a free permit.
func (m *Member) hasRoom() bool {
	_, room := m.load()
	return room
}

// use returns how many permits are held, and how many there may be.
func (b *Bulkhead) use() (used, limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held.n, b.limit
}

// passOver counts that members that lag were passed over.
func (g *Members) passOver(s memberSet) {
	for i := range g.list {
		if s.has(i) {
			g.list[i].passed++
		}
	}
}
