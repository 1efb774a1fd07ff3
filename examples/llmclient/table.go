package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// rowFormat are the columns: the world, the rung, its level and why, how old the answer is and how like what was
// asked then, attempts, time, and what the user saw.
const rowFormat = "%-39s %-11s %-9s %-12s %6s %5s %8s %7s  %s\n"

// seen is what the user saw of one call.
type seen struct {
	rung, level, reason string
	attempts            int
	age, took           time.Duration
	alike               float64
	text                string
}

// table prints one row for each call, as soon as it is over.
type table struct{ out io.Writer }

func newTable(out io.Writer) (table, error) {
	t := table{out: out}
	return t, t.print("the world", "rung", "level", "why", "age", "alike", "attempts", "time", "what the user saw")
}

func (t table) row(world string, s *seen) error {
	age := "-"
	if s.age > 0 {
		age = s.age.Round(time.Millisecond).String()
	}
	alike := "-"
	if s.alike > 0 {
		alike = strconv.FormatFloat(s.alike, 'f', 2, 64) //nolint:mnd // two digits
	}
	return t.print(world, orDash(s.rung), orDash(s.level), orDash(s.reason), age, alike, strconv.Itoa(s.attempts),
		s.took.Round(time.Millisecond).String(), firstWords(s.text))
}

func (t table) print(columns ...any) error {
	if _, err := fmt.Fprintf(t.out, rowFormat, columns...); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	return nil
}

// firstWords returns the begin of a text, on one line.
func firstWords(text string) string {
	const most = 60
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

func orDash(s string) string {
	if s == "" || s == "none" {
		return "-"
	}
	return s
}
