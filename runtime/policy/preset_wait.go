package policy

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// wait says where an answer writes how long to wait, and how.
type wait struct {
	// at lists the places, as those of where.
	at   []string
	form waitForm
}

// waitForm is a way to write a wait.
type waitForm uint8

const (
	waitNone     waitForm = iota
	waitDuration          // "46s", "1m2.5s": of Go, and of protobuf's JSON (google.protobuf.Duration)
	waitDate              // an RFC 3339 date
	waitSeconds           // a number of seconds
	waitMillis            // a number of milliseconds
	waitEpochMS           // milliseconds since 1970
	waitMessage           // in a message: "retry after 86400 seconds", "try again in 1h2m3.5s", "on 2026-12-01 at 00:00 UTC"
	waitMonth             // nowhere: until the first of the next month, 00:00 UTC
)

// mostWait is the longest wait that a body is believed: a year. What is longer says nothing.
const mostWait = 366 * 24 * time.Hour

// of returns the wait that an answer names, and whether it does. What is not above 0, beyond a year or not of the form says nothing.
func (w *wait) of(a *reading, now time.Time) (time.Duration, bool) {
	if w.form == waitMonth {
		first := time.Date(now.UTC().Year(), now.UTC().Month()+1, 1, 0, 0, 0, 0, time.UTC)
		return first.Sub(now), true
	}
	for _, place := range w.at {
		for _, t := range a.at(place) {
			if d, ok := w.form.read(t.value, now); ok && d > 0 && d <= mostWait {
				return d, true
			}
		}
	}
	return 0, false
}

// read reads a text of that form.
func (f waitForm) read(value string, now time.Time) (time.Duration, bool) {
	switch value = strings.TrimSpace(value); f {
	case waitDuration:
		d, err := time.ParseDuration(value)
		return d, err == nil
	case waitDate:
		at, err := time.Parse(time.RFC3339, value)
		return at.Sub(now), err == nil
	case waitSeconds:
		return parseDecimal(value, time.Second)
	case waitMillis:
		return parseDecimal(value, time.Millisecond)
	case waitEpochMS:
		ms, err := strconv.ParseInt(value, 10, 64)
		return time.UnixMilli(ms).Sub(now), err == nil && ms > 0 && ms < math.MaxInt64/int64(time.Millisecond)
	case waitMessage:
		return waitInMessage(fold(value), now)
	case waitNone, waitMonth:
	}
	return 0, false
}

// The words before a wait in a message.
var waitWords = []string{"retry after ", "try again in ", "try again after ", "retry in ", "available in ", "reset after ", "resets in "}

// waitInMessage reads a wait that is written after one of the usual words: a number of a unit, a Go duration, or a date.
func waitInMessage(message string, now time.Time) (time.Duration, bool) {
	for _, words := range waitWords {
		_, rest, found := strings.Cut(message, words)
		if !found {
			continue
		}
		number, rest, _ := strings.Cut(rest, " ")
		number = trimMarks(number)
		if d, err := time.ParseDuration(number); err == nil {
			return d, true
		}
		unit, _, _ := strings.Cut(rest, " ")
		if d, ok := unitOf(trimMarks(unit)); ok {
			return parseDecimal(number, d)
		}
	}
	const form = "2006-01-02 at 15:04 utc"
	for rest := message; ; {
		_, after, found := strings.Cut(rest, " on ")
		if !found {
			return 0, false
		}
		if at, err := time.Parse(form, after[:min(len(form), len(after))]); err == nil {
			return at.Sub(now), true
		}
		rest = after
	}
}

// trimMarks takes punctuation from the end of a word.
func trimMarks(word string) string { return strings.TrimRight(word, ".,;:)") }

// unitOf returns the unit of time of that name.
func unitOf(word string) (time.Duration, bool) {
	const day = 24 * time.Hour
	for unit, names := range map[time.Duration][]string{
		time.Millisecond: {"ms", "millisecond"}, time.Second: {"s", "sec", "second"}, time.Minute: {"m", "min", "minute"},
		time.Hour: {"h", "hr", "hour"}, day: {"d", "day"},
	} {
		for _, name := range names {
			if word == name || word == name+"s" {
				return unit, true
			}
		}
	}
	return 0, false
}
