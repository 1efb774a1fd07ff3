package policy

import (
	"cmp"
	"strconv"
	"time"
)

// Finding is what an answer means.
type Finding struct {
	// Kind is what went wrong.
	Kind Kind
	// Verdict is what it says about the target.
	Verdict Verdict
	// Wait is how long the body asks to wait, where Waits says that it does.
	Wait  time.Duration
	Waits bool
	// Once says that one more attempt may help, and a third will not.
	Once bool
}

// Classify returns what an answer means: by the rules, after them by the preset's rows, and where none of them matches by the status. Inside
// an answer that had begun well (status 0) rules that name a status match by their pointer alone, and rows by the status that the error
// may name itself; where none matches, its status or its type decides, and without either it is a.Otherwise, else permanent: no status is invented for it.
// now is when the answer came; idempotency and attempt are as in ClassifyStatus.
func (e Errors) Classify(now time.Time, a Answer, idempotency Idempotency, attempt int) Finding {
	return e.classify(now, newReading(a), idempotency, attempt, nil)
}

// classify is Classify without a row.
func (e Errors) classify(now time.Time, a *reading, idempotency Idempotency, attempt int, without *row) Finding {
	for i := range e.Rules {
		if e.Rules[i].matches(a) {
			return a.found(e.Rules[i].Kind)
		}
	}
	if r := e.rowOf(a, without); r != nil {
		return r.finding(a, now)
	}
	if a.Status == 0 {
		return a.found(a.inBandKind())
	}
	if a.Otherwise != KindNone {
		return a.found(a.Otherwise)
	}
	k := ClassifyStatus(a.Status, idempotency, attempt)
	if k == KindNone {
		k = KindPermanent // a success that the document does not know
	}
	return a.found(k)
}

// rowOf returns the row of the preset that matches, without one of them; nil for none.
func (e Errors) rowOf(a *reading, without *row) *row {
	for r := range failuresOf(e.preset()) {
		if r != without && r.matches(a) {
			return r
		}
	}
	return nil
}

// preset returns the name of the preset.
func (e Errors) preset() string {
	if e.Preset == "" {
		return genericPreset
	}
	return e.Preset
}

// found is a failure of that kind.
func (r *reading) found(k Kind) Finding {
	return Finding{Kind: k, Verdict: VerdictOfStatus(r.Status, k)}
}

// finding is what a row says about an answer that it matches.
func (r *row) finding(a *reading, now time.Time) Finding {
	f := a.found(r.kind)
	f.Once = r.once
	switch {
	case r.counts:
		f.Verdict = Failure
	case r.once && a.Status >= statusBadRequest && a.Status < statusInternalServerError:
		f.Verdict = Answered // the model made something wrong of this request: the target works, and a bad request is always answered so
	}
	if r.wait.form != waitNone {
		f.Wait, f.Waits = r.wait.of(a, now)
	}
	return f
}

// matches reports whether the rule fits.
func (r ErrorRule) matches(a *reading) bool {
	if r.Status != 0 && r.Status != a.Status && (a.Status != 0 || r.Pointer == "") {
		return false
	}
	if r.Pointer == "" {
		return r.Status != 0 || r.Equals == ""
	}
	for _, t := range a.at(r.Pointer) {
		if r.Equals == "" || r.Equals == t.value {
			return true
		}
	}
	return false
}

// inBand says what the usual types of errors mean that come inside an answer which had begun well, where no row knows them.
var inBand = map[string]Kind{
	"overloaded_error": KindTransient, "overloaded": KindTransient, "server_error": KindTransient, "api_error": KindTransient,
	"internal_error": KindTransient, "internal_server_error": KindTransient, "service_unavailable_error": KindTransient,
	"rate_limit_error": KindThrottle, "rate_limit_exceeded": KindThrottle,
	"authentication_error": KindUnusable, "permission_error": KindUnusable, "billing_error": KindUnusable,
	"invalid_request_error": KindCaller,
}

// Where an error that comes inside an answer names a status of its own, and its type.
var (
	inBandCodes = []string{"/error/code", "/error/status", "/code", "/status"}
	inBandTypes = []string{"/error/type", "/type"}
)

// inBandStatus returns the status that an error names itself; 0 for none.
func (r *reading) inBandStatus() int {
	for _, place := range inBandCodes {
		for _, t := range r.at(place) {
			if status, err := strconv.Atoi(t.value); err == nil && status >= statusBadRequest && status < 600 {
				return status
			}
		}
	}
	return 0
}

// inBandKind returns what an error means that came inside an answer.
func (r *reading) inBandKind() Kind {
	for _, places := range [...][]string{inBandCodes, inBandTypes} {
		for _, place := range places {
			for _, t := range r.at(place) {
				if k, known := inBand[t.value]; known {
					return k
				}
			}
		}
	}
	if r.named != 0 {
		return ClassifyStatus(r.named, None, 1)
	}
	return cmp.Or(r.Otherwise, KindPermanent)
}
