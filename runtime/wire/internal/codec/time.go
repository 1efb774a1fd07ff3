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

// ParseTime reads a time in one of the forms, in UTC where it names no zone. An empty text is no time.
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
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
