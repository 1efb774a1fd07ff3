package wire

import (
	"fmt"
	"time"

	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// Date is a day without a time or a zone (RFC 3339, full-date). The zero value is no date: it is neither written nor read.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day of t in t's own location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{Year: y, Month: m, Day: d}
}

// In returns the first instant of the day in a location.
func (d Date) In(loc *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
}

// IsZero reports whether it is no date.
func (d Date) IsZero() bool { return d == Date{} }

// String returns the day as YYYY-MM-DD.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// MarshalText writes YYYY-MM-DD. A day that no calendar has is an error.
func (d Date) MarshalText() ([]byte, error) {
	if DateOf(d.In(time.UTC)) != d || d.Year < 0 || d.Year > 9999 {
		return nil, fmt.Errorf("date %s does not exist", d)
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads YYYY-MM-DD, and the day of a time, which servers send in its place. An empty text is no date.
func (d *Date) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err == nil {
		*d = DateOf(t)
		return nil
	}
	t, ok := codec.ParseTime(string(text))
	if !ok {
		return fmt.Errorf("read date: %w", err)
	}
	if *d = (Date{}); !t.IsZero() {
		*d = DateOf(t)
	}
	return nil
}
