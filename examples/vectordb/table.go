package main

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// rowFormat are the columns: the world, the rung of the search, its level and why, how old the answer is, that of the ranking, attempts, time, and what the user saw.
const rowFormat = "%-34s %-11s %-8s %-13s %5s %-11s %8s %7s  %s\n"

// table prints one row for each search, as soon as it is over.
type table struct{ out io.Writer }

func newTable(out io.Writer) (table, error) {
	t := table{out: out}
	return t, t.print("the world", "rung", "level", "why", "age", "ranked by", "attempts", "time", "what the user saw")
}

func (t table) row(world string, s *seen) error {
	ranked := "-"
	if s.rank.Elapsed > 0 || s.rank.Attempts > 0 {
		ranked = orDash(s.rank.Rung)
		if ranked == "-" {
			ranked = "ranker"
		}
	}
	age := "-"
	if s.search.Age > 0 {
		age = s.search.Age.Round(time.Millisecond).String()
	}
	return t.print(world, orDash(s.search.Rung), s.search.Level.String(), orDash(s.search.Reason.String()), age, ranked,
		strconv.Itoa(s.search.Attempts), s.took.Round(time.Millisecond).String(), s.text())
}

func (t table) print(columns ...any) error {
	if _, err := fmt.Fprintf(t.out, rowFormat, columns...); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	return nil
}

func orDash(s string) string {
	if s == "" || s == "none" {
		return "-"
	}
	return s
}
