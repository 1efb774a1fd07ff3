package status

import "time"

const (
	// calm is how long nothing bad must happen for an episode to be over.
	calm = time.Minute
	// recent is how long ago what ended is told of.
	recent = 15 * time.Minute
)

// episode is a time in which something bad happened again and again, with less than calm between. The zero value is none.
type episode struct {
	since, last time.Time // of its first bad thing and its last
	good        time.Time // when something went well after the last; zero if nothing did
	bad, all    uint64
}

// goesOn reports whether the episode has begun and is not over.
func (ep *episode) goesOn(now time.Time) bool { return ep.bad > 0 && now.Sub(ep.last) <= calm }

// add counts something. If it is bad and the episode was over, that one is returned, and another begins.
func (ep *episode) add(now time.Time, bad bool) (over episode) {
	if bad && ep.bad > 0 && !ep.goesOn(now) {
		over, *ep = *ep, episode{}
	}
	switch {
	case bad && ep.bad == 0:
		*ep = episode{since: now}
		fallthrough
	case bad:
		ep.last, ep.good = now, time.Time{}
		ep.bad++
	case ep.bad > 0 && ep.good.IsZero():
		ep.good = now
	}
	if ep.bad > 0 {
		ep.all++
	}
	return over
}

// matters reports whether the episode was more than a rare fault among very many calls: one in a hundred.
func (ep *episode) matters() bool { return ep.bad > 0 && isShare(int(ep.bad), int(ep.all), 100) }

// isShare reports whether some of all are at least one in so many.
func isShare(some, all, oneIn int) bool { return some > 0 && some*oneIn >= all }

const (
	// slot is the grain of a count of what happened lately, and slots how many there are: five minutes.
	slot  = 10 * time.Second
	slots = 30
	// minute is how many slots the last minute is, with the one that has begun.
	minute = 7
)

// lately counts what happened in the last minutes. The zero value has counted nothing.
type lately struct {
	at    [slots]int64 // the number of the slot that was counted here
	count [slots]int
}

// add counts one.
func (l *lately) add(now time.Time) {
	number := now.UnixNano() / int64(slot)
	i := number % slots
	if i < 0 {
		return // before 1970: no clock of a machine that calls anything
	}
	if l.at[i] != number {
		l.at[i], l.count[i] = number, 0
	}
	l.count[i]++
}

// sum returns what was counted in the last so many slots.
func (l *lately) sum(now time.Time, last int64) (sum int) {
	number := now.UnixNano() / int64(slot)
	for i := range l.at {
		if number-l.at[i] < last {
			sum += l.count[i]
		}
	}
	return sum
}
