package policy

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// ReadLimits returns what the headers of a response say about the limits of its target. get returns the value of a header field by its
// canonical name, empty where there is none; received is when the response came, by our clock: dates are read against the response's own
// Date where it has one. What is negative, not a number, of another unit or beyond a year says nothing, and so does everything beside a
// limit of 0 or less, by which some say that they do not know.
//
// LimitHeadersDraft reads RateLimit and RateLimit-Policy, in the forms of draft-ietf-httpapi-ratelimit-headers-10 ("default";r=50;t=30) and of
// -07 (limit=100, remaining=50, reset=30), else RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset of -06. The fields of the other
// families are listed with them.
func ReadLimits(family LimitHeaders, received time.Time, get func(name string) string) (said LimitReadings) {
	r := limitReader{get: get, received: received}
	if family == LimitHeadersDraft {
		said[BucketRequests] = r.draft()
		return said
	}
	if int(family) >= len(limitFamilies) {
		return said
	}
	for _, fields := range limitFamilies[family] {
		for i := range fields {
			f := &fields[i]
			said[f.bucket] = pressing(said[f.bucket], r.field(f))
		}
		if said != (LimitReadings{}) {
			break
		}
	}
	return said
}

// limitReader reads the headers of one response.
type limitReader struct {
	get      func(name string) string
	received time.Time
}

// field reads what a limit's header fields say.
func (r *limitReader) field(f *limitField) (said LimitReading) {
	limit := firstItem(r.get(f.limit))
	if said.Limit, _ = amountOf(limit); limit != "" && said.Limit <= 0 {
		return LimitReading{}
	}
	said.Remaining, said.HasRemaining = amountOf(firstItem(r.get(f.remaining)))
	if said.Remaining <= 0 && f.zeroUnknown {
		said.HasRemaining = false
	}
	if said.Limit <= 0 && !said.HasRemaining {
		return LimitReading{}
	}
	said.Window = f.window
	for _, name := range f.reset {
		if said.Reset = r.reset(r.get(name), f.unit); said.Reset > 0 {
			break
		}
	}
	return said
}

// triple reads a limit, what remains of it, and its reset, from a header field each.
func (r *limitReader) triple(limit, remaining, reset string) LimitReading {
	return r.field(&limitField{limit: limit, remaining: remaining, reset: []string{reset}})
}

// pressing returns the reading that presses more, of two of one bucket.
func pressing(r, other LimitReading) LimitReading {
	if r == (LimitReading{}) {
		return other
	}
	if other.Limit > 0 && (r.Limit <= 0 || other.Limit < r.Limit) {
		r.Limit, r.Window = other.Limit, other.Window
	}
	if other.HasRemaining && (!r.HasRemaining || presses(other.Remaining, other.Reset, r.Remaining, r.Reset)) {
		r.Remaining, r.HasRemaining, r.Reset = other.Remaining, true, other.Reset
	}
	return r
}

// firstItem returns the first item of a list, without its parameters: a limit may be followed by the policies that it comes from.
func firstItem(value string) string {
	if i := strings.IndexAny(value, ",;"); i >= 0 {
		value = value[:i]
	}
	return strings.TrimSpace(value)
}

// mostAmount is the most that a limit is believed to be.
const mostAmount = 1e12

// amountOf reads an amount: a plain decimal, from 0 to mostAmount.
func amountOf(text string) (float64, bool) {
	if text == "" || len(text) > 32 || text[0] < '0' || text[0] > '9' {
		return 0, false
	}
	for _, c := range []byte(text) {
		if c != '.' && (c < '0' || c > '9') {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x > mostAmount {
		return 0, false
	}
	return x, true
}

// mostReset is the longest reset that is believed: a year.
const mostReset = 366 * 24 * time.Hour

// reset reads a reset in any of the forms that are in use, as the time that is left: a Go duration ("6m0s", "20ms"); an RFC 3339 date; an HTTP
// date; a number, of which the unit says what it is. What is past, or beyond a year, is 0: unknown.
func (r *limitReader) reset(value string, unit resetUnit) time.Duration {
	value = strings.TrimSpace(value)
	if value == "" || len(value) > 64 {
		return 0
	}
	var left time.Duration
	if x, ok := amountOrEpoch(value); ok {
		left = r.untilNumber(x, unit)
	} else if d, err := time.ParseDuration(value); err == nil {
		left = d
	} else if at, err := time.Parse(time.RFC3339, value); err == nil {
		left = at.Sub(r.date())
	} else if at, ok := parseDate(value, r.received); ok {
		left = at.Sub(r.date())
	}
	if left <= 0 || left > mostReset {
		return 0
	}
	return left
}

// amountOrEpoch reads a plain decimal that may be as large as a time in milliseconds.
func amountOrEpoch(text string) (float64, bool) {
	const thousand = 1000 // an epoch in milliseconds is above mostAmount
	if x, ok := amountOf(text); ok {
		return x, true
	}
	const digitsOfMillis = 13
	if len(text) != digitsOfMillis || !digits(text) {
		return 0, false
	}
	x, ok := amountOf(text[:digitsOfMillis-3])
	return x * thousand, ok
}

// A reset from firstEpoch on is a time in seconds since 1970, and from firstMillis on one in milliseconds: both are 2001, and no span.
const (
	firstEpoch  = 1e9
	firstMillis = 1e12
)

// untilNumber returns the time that is left until a reset that is a number.
func (r *limitReader) untilNumber(x float64, unit resetUnit) time.Duration {
	switch {
	case unit == resetSeconds && x >= mostReset.Seconds(), unit == resetEpochMillis && x < firstMillis:
		return 0
	case x < mostReset.Seconds():
		return time.Duration(math.Ceil(x * float64(time.Second)))
	case x < firstEpoch:
		return 0
	case x < firstMillis:
		return time.UnixMilli(int64(x * 1e3)).Sub(r.date()) //nolint:mnd // to milliseconds
	default:
		return time.UnixMilli(int64(x)).Sub(r.date())
	}
}

// date returns the server's clock when it answered, as far as it is known.
func (r *limitReader) date() time.Time {
	if at, ok := parseDate(strings.TrimSpace(r.get("Date")), r.received); ok {
		return at
	}
	return r.received
}
