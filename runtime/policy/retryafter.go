package policy

import (
	"math"
	"strings"
	"time"
)

// RetryAfterHeader is what a response says about when, and whether, to try again: the values of its header fields, empty where
// they are absent.
type RetryAfterHeader struct {
	// RetryAfterMS is retry-after-ms: milliseconds.
	RetryAfterMS string
	// MSRetryAfterMS is x-ms-retry-after-ms, Azure's name for the same.
	MSRetryAfterMS string
	// PushbackMS is grpc-retry-pushback-ms: milliseconds (gRFC A6).
	PushbackMS string
	// RetryAfter is Retry-After: seconds, or a date (RFC 9110, section 10.2.3).
	RetryAfter string
	// ResetTokens is x-rate-limit-reset-tokens, seconds, which some versions of Azure's API send in place of everything else. It counts where
	// nothing else says how long to wait.
	ResetTokens string
	// Date is Date: the server's clock, against which a date in Retry-After is read, so that a wrong clock on either side
	// does not count.
	Date string
	// ShouldRetry is x-should-retry: true or false.
	ShouldRetry string
	// Received is when the response came, by our clock, for a date in Retry-After without a usable Date.
	Received time.Time
}

// Advice is what a server says about retrying. The zero value is NoAdvice.
type Advice uint8

// The advices.
const (
	// NoAdvice is none.
	NoAdvice Advice = iota
	// AdviseRetry says that a retry is welcome. It never overrides what idempotency forbids.
	AdviseRetry
	// AdviseStop says not to retry.
	AdviseStop
)

// Advice returns what the header says about retrying at all: x-should-retry, and a pushback that is negative or unparsable, which
// means stop (gRFC A6).
func (h RetryAfterHeader) Advice() Advice {
	if s := strings.TrimSpace(h.PushbackMS); s != "" {
		if _, ok := parseDecimal(s, time.Millisecond); !ok {
			return AdviseStop
		}
	}
	switch strings.ToLower(strings.TrimSpace(h.ShouldRetry)) {
	case "false":
		return AdviseStop
	case "true":
		return AdviseRetry
	default:
		return NoAdvice
	}
}

// ParseRetryAfter returns the wait that a server asked for, and whether it did: the milliseconds of retry-after-ms, else of
// x-ms-retry-after-ms, else of grpc-retry-pushback-ms, else Retry-After in seconds, with or without a fraction, or as a date in any of HTTP's three forms.
// 0 and a date in the past mean at once. What is negative or unparsable counts as absent. A wait that does not fit a
// time.Duration is Forever, which is above every cap. Fractions are rounded up: a wait is never shortened.
func ParseRetryAfter(h RetryAfterHeader) (wait time.Duration, ok bool) {
	if wait, ok = parseDecimal(strings.TrimSpace(h.RetryAfterMS), time.Millisecond); ok {
		return wait, true
	}
	if wait, ok = parseDecimal(strings.TrimSpace(h.MSRetryAfterMS), time.Millisecond); ok {
		return wait, true
	}
	if wait, ok = parseDecimal(strings.TrimSpace(h.PushbackMS), time.Millisecond); ok {
		return wait, true
	}
	value := strings.TrimSpace(h.RetryAfter)
	if wait, ok = parseDecimal(value, time.Second); ok {
		return wait, true
	}
	if wait, ok = parseDateWait(value, h); ok || value != "" {
		return wait, ok
	}
	if wait, ok = parseDecimal(strings.TrimSpace(h.ResetTokens), time.Second); ok && wait > 0 && wait <= mostReset {
		return wait, true
	}
	return 0, false
}

// parseDateWait reads Retry-After as a date.
func parseDateWait(value string, h RetryAfterHeader) (time.Duration, bool) {
	server, ok := parseDate(strings.TrimSpace(h.Date), h.Received)
	if !ok {
		if h.Received.IsZero() {
			return 0, false
		}
		server = h.Received
	}
	at, ok := parseDate(value, server)
	if !ok {
		return 0, false
	}
	return max(at.Sub(server), 0), true
}

// The three forms of an HTTP date (RFC 9110, section 5.6.7). The zone is written out: time.Parse would read another one
// as the machine's own, so that the same header meant different times on different machines.
const (
	imfDate     = "Mon, 02 Jan 2006 15:04:05 GMT"
	rfc850Date  = "Monday, 02-Jan-06 15:04:05 GMT"
	asctimeDate = "Mon Jan _2 15:04:05 2006"
)

// century is how far a two-digit year may lie ahead before it is taken for one of the century before, in years.
const century = 50

// parseDate reads an HTTP date; now settles the century of a two-digit year.
func parseDate(value string, now time.Time) (time.Time, bool) {
	if t, err := time.ParseInLocation(imfDate, value, time.UTC); err == nil {
		return t, true
	}
	if t, err := time.ParseInLocation(asctimeDate, value, time.UTC); err == nil {
		return t, true
	}
	t, err := time.ParseInLocation(rfc850Date, value, time.UTC)
	if err != nil {
		return time.Time{}, false
	}
	return inCentury(t, now), true
}

// inCentury moves a date with a two-digit year to the century that RFC 9110 gives it: a date that appears to lie more than 50
// years ahead is the most recent one in the past with the same digits.
func inCentury(t, now time.Time) time.Time {
	const years = 100
	if now.IsZero() {
		return t
	}
	for t.Before(now.AddDate(-century, 0, 0)) {
		t = t.AddDate(years, 0, 0)
	}
	for t.After(now.AddDate(century, 0, 0)) {
		t = t.AddDate(-years, 0, 0)
	}
	return t
}

// parseDecimal reads a plain decimal number of units: digits, and a fraction if there is one. No sign, no exponent. It is rounded
// up to a nanosecond, and saturates at Forever.
func parseDecimal(s string, unit time.Duration) (time.Duration, bool) {
	whole, fraction, point := strings.Cut(s, ".")
	if !digits(whole) || point && !digits(fraction) {
		return 0, false
	}
	total := int64(0)
	for _, c := range []byte(whole) {
		d := int64(c - '0')
		if total > (math.MaxInt64/int64(unit)-d)/10 {
			return Forever, true
		}
		total = total*10 + d
	}
	rest, scale, more := int64(0), int64(unit), false
	for _, c := range []byte(fraction) {
		d := int64(c - '0')
		if scale < 10 {
			more = more || d != 0
			continue
		}
		scale /= 10
		rest += d * scale
	}
	if more {
		rest++
	}
	nanos := total * int64(unit)
	if nanos > math.MaxInt64-rest {
		return Forever, true
	}
	return time.Duration(nanos + rest), true
}

// digits reports whether s is one or more ASCII digits.
func digits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
