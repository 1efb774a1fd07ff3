package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// seen is what the user saw of one call.
type seen struct {
	rung, level, reason string
	attempts            int
	took                time.Duration
	text                string
}

// table prints one row for each call.
type table struct {
	w *tabwriter.Writer
}

func newTable(out io.Writer) table {
	t := table{w: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	// The tabwriter keeps what it is given; Flush tells what went wrong.
	_, _ = fmt.Fprintln(t.w, "the world\trung\tlevel\twhy\tattempts\ttime\twhat the user saw")
	_, _ = fmt.Fprintln(t.w, "---------\t----\t-----\t---\t--------\t----\t-----------------")
	return t
}

func (t table) row(world string, s seen) {
	_, _ = fmt.Fprintf(t.w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n",
		world, orDash(s.rung), orDash(s.level), orDash(s.reason), s.attempts, s.took.Round(time.Millisecond), s.text)
}

func (t table) flush() error {
	if err := t.w.Flush(); err != nil {
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
