package runtime

import (
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// mostServed is how much is kept of what an answer says of who gave it: it comes to logs and spans.
const mostServed = 200

// readServed takes what an answer, or an item of a stream, says of who gave it. The first that says so counts.
func (m *meter) readServed(value []byte) {
	if m.served != "" || jsontext.KindOf(value) != jsontext.String {
		return
	}
	if text, ok := jsontext.Text(value); ok {
		m.served = servedName(text)
	}
}

// servedName is a name that a server gave, fit to be shown.
func servedName(text string) string {
	if len(text) > mostServed {
		text = text[:mostServed]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == '\x7f' {
			return -1
		}
		return r
	}, text)
}

// serve notes what is asked for, towards a target that may ask another, and what the header says.
func (m *meter) serve(at *Attempt, req *wire.Request, header http.Header) {
	s := &at.op.plan.Served
	if !s.IsOn() {
		return
	}
	asked, served := "", ""
	if s.Asked != "" && at.machines().Layered {
		asked, _ = req.Scalar(s.Asked)
	}
	if s.Header != "" {
		served = servedName(header.Get(s.Header))
	}
	m.mu.Lock()
	m.asked, m.served = asked, served
	m.mu.Unlock()
}

// whoServed returns who gave the answer, and what was asked for, as far as that is known.
func (m *meter) whoServed() (served, asked string) {
	if m == nil {
		return "", ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.served, m.asked
}

// substitute finds out if the answer is of another than was asked for: then it is no equal one.
func (d *driver) substitute(now time.Time) {
	f := d.copy(d.won)
	served, asked := f.at.meter.whoServed()
	if !d.op.plan.Served.Substitutes(asked, served) {
		return
	}
	d.substituted = true
	d.level = max(d.level, policy.Alternate)
	if d.watched() {
		d.tellAttempt(now, f, Event{What: Substituted, Served: served, Asked: asked, Level: d.level})
	}
}

// whoServed returns who gave the answer of the call, as far as that is known.
func (d *driver) whoServed() string {
	served, _ := d.copy(d.won).at.meter.whoServed()
	return served
}

// substituteError is an answer of another than was asked for, which the caller does not want: see WithMinLevel.
type substituteError struct {
	served, asked string
	worst         Level
}

// Error says who answered, and what was asked for.
func (e *substituteError) Error() string {
	return fmt.Sprintf("answered by %q, and not by %q: nothing below %v is wanted", e.served, e.asked, e.worst)
}

// refuses returns why the answer that came is not taken: another than was asked for gave it, and the caller wants none of that level. It is as
// with a rung of that level, which is not taken either. nil where it is.
func (at Attempt) refuses() error {
	if at.scope == nil || !at.scope.bounded || at.meter == nil || at.op == nil || at.op.plan.Served.Asked == "" {
		return nil
	}
	served, asked := at.meter.whoServed()
	if max(policy.Alternate, at.op.level(at.Rung)) <= at.scope.worst || !at.op.plan.Served.Substitutes(asked, served) {
		return nil
	}
	return &substituteError{served: served, asked: asked, worst: at.scope.worst}
}
