package codec

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Loan is a text in memory that is used again for another, once it is given back. Those who are about to show the text to others say so first, and take
// that back when nobody can read it any more; whoever never does so keeps the memory from being used again, and no more than that: it is left to the
// collector.
type Loan struct {
	buf   []byte
	shown atomic.Int32 // to how many
}

var loans = sync.Pool{New: func() any { return new(Loan) }}

// slack is how many bytes of a buffer may be empty while it is lent: it may be held for as long as an answer takes.
const slack = 512

// MarshalLoan is MarshalNoting to memory that may be given back; of is nil where it is not worth it.
func MarshalLoan(v any, long *LongMembers) (text []byte, of *Loan, err error) {
	if v == nil {
		return []byte("null"), nil, nil
	}
	e := encoders.Get().(*buffered) //nolint:forcetypeassert // nothing else is in the pool
	defer e.release()
	l := loans.Get().(*Loan) //nolint:forcetypeassert // nothing else is in the pool
	out, err := e.into(l.buf, v, long)
	switch {
	case err != nil:
		loans.Put(l)
		return nil, nil, err
	case isGivenAway(out): // and l begins anew
		return slices.Clip(out), nil, nil
	case cap(out) > 2*len(out)+slack || cap(out) > keptBuffer:
		text = owned(out)
		if l.buf = out; cap(out) > keptBuffer {
			l.buf = nil
		}
		loans.Put(l)
		return text, nil, nil
	default:
		l.buf = out
		return slices.Clip(out), l, nil
	}
}

// Show says that others are shown the text.
func (l *Loan) Show() { l.shown.Add(1) }

// Hide takes one Show back: they read no more of it, and have kept nothing of it.
func (l *Loan) Hide() { l.shown.Add(-1) }

// Free gives the memory back, and reports whether it will be used again. Neither the text nor l may be used any more.
func (l *Loan) Free() bool {
	if l.shown.Load() != 0 {
		return false
	}
	spoil(l.buf)
	loans.Put(l)
	return true
}
