package codec

import (
	"reflect"
	"strings"
	"time"
)

// readTime reads a time: RFC 3339, and what servers send for it.
func readTime(d *decoder, _ *shape, v reflect.Value) error {
	if d.sign() != '"' {
		return d.other("a string with a time")
	}
	from := d.at
	text, err := d.span()
	if err != nil {
		return err
	}
	var at time.Time
	if err := at.UnmarshalText(text); err != nil {
		near, ok := ParseTime(string(text))
		if !ok {
			return &Error{Offset: from, Err: err}
		}
		at = near
	}
	if p, ok := reflect.TypeAssert[*time.Time](v.Addr()); ok {
		*p = at
	}
	return nil
}

// timeLayouts are the forms of times that servers send for RFC 3339's. A fraction of seconds may follow in all of them.
var timeLayouts = [...]string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05Z07",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02T15:04:05 Z07:00",
	"2006-01-02T15:04:05 Z0700",
	"2006-01-02T15:04:05 MST",
	"2006-01-02",
	"20060102T150405Z0700",
	"20060102T150405",
	"20060102",
	time.RFC1123,
	time.RFC1123Z,
	time.RFC850,
	time.ANSIC,
}

// ParseTime reads a time in one of the forms, in UTC where it names no zone. An empty text is no time. Of the names of zones only UTC and
// GMT are taken: the others mean one thing here and another there (IST, CST), and package time reads as UTC all that this machine's own
// zone does not have, GMT+3 among them.
func ParseTime(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, true
	}
	if day := len(time.DateOnly); len(text) > day && strings.ContainsRune(" t_", rune(text[day])) {
		text = text[:day] + "T" + text[day+1:]
	}
	if last := len(text) - 1; text[last] == 'z' {
		text = text[:last] + "Z"
	}
	for _, layout := range timeLayouts {
		t, err := time.ParseInLocation(layout, text, time.UTC)
		if err != nil {
			continue
		}
		zone, _ := t.Zone()
		return t, zone == "" || zone == "UTC" || zone == "GMT" // one that is written as a number has no name
	}
	return time.Time{}, false
}
