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
	waitEpochMS           // milliseconds since 1970
	waitMessage           // in a message: "retry after 86400 seconds", "try again in 1h2m3.5s"
	waitMonth             // nowhere: until the first of the next month, 00:00 UTC
)

// mostWait is the longest wait that a body is believed: a year. What is longer says nothing.
const mostWait = 366 * 24 * time.Hour

// of returns the wait that an answer names, and whether it does. What is negative, beyond a year or not of the form says nothing.
func (w *wait) of(a *reading, now time.Time) (time.Duration, bool) {
	if w.form == waitMonth {
		first := time.Date(now.UTC().Year(), now.UTC().Month()+1, 1, 0, 0, 0, 0, time.UTC)
		return first.Sub(now), true
	}
	for _, place := range w.at {
		for _, t := range a.at(place) {
			if d, ok := w.form.read(t.value, now); ok && d >= 0 && d <= mostWait {
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
		return max(at.Sub(now), 0), err == nil
	case waitSeconds:
		return parseDecimal(value, time.Second)
	case waitEpochMS:
		ms, err := strconv.ParseInt(value, 10, 64)
		return max(time.UnixMilli(ms).Sub(now), 0), err == nil && ms > 0 && ms < math.MaxInt64/int64(time.Millisecond)
	case waitMessage:
		return waitInMessage(fold(value))
	case waitNone, waitMonth:
	}
	return 0, false
}

// The words before a wait in a message.
var waitWords = []string{"retry after ", "try again in ", "try again after ", "retry in ", "available in ", "reset after ", "resets in "}

// waitInMessage reads a wait that is written after one of the usual words: a number of a unit, or a Go duration.
func waitInMessage(message string) (time.Duration, bool) {
	for _, words := range waitWords {
		_, rest, found := strings.Cut(message, words)
		if !found {
			continue
		}
		number, rest, _ := strings.Cut(rest, " ")
		number = strings.TrimRight(number, ".,;:)")
		if d, err := time.ParseDuration(number); err == nil && number != "0" {
			return d, true
		}
		unit, _, _ := strings.Cut(rest, " ")
		if d, ok := unitOf(strings.TrimRight(unit, ".,;:)")); ok {
			return parseDecimal(number, d)
		}
	}
	return 0, false
}

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
