// Command failover plays docs/reference/failover.md on the wire: a client of the runtime calls two servers on the loopback interface, the
// first through toxiproxy, which makes a black hole of it for a while. It takes a minute and a half. Run it from the module's folder.
//
//	go run ./cmd/failover                                          # prints the table
//	go run ./cmd/failover -page ../docs/reference/failover.md      # and keeps it on the page
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "failover:", err)
		os.Exit(1) //nolint:gocritic // nothing is lost with the signals
	}
}

// rows are the worlds of the table. They are played at the same time.
func rows() []row {
	const s, ms = time.Second, time.Millisecond
	return []row{
		{name: "black hole, 100 calls/s, 3 s deadline", rate: 100, deadline: 3 * s, answered: 99, skipped: 95, onPrimary: 95},
		{name: "black hole, 100 calls/s, 1.2 s deadline", rate: 100, deadline: 1200 * ms, answered: 95, skipped: 95, onPrimary: 95},
		{
			name: "the same, `reserve: 600ms`", rate: 100, deadline: 1200 * ms, reserve: 600 * ms,
			answered: 99, skipped: 95, onPrimary: 95,
		},
		{name: "black hole, 1 call/s, 3 s deadline", rate: 1, deadline: 3 * s, answered: 97, onPrimary: 95}, // some 40 calls
		{
			name: "HTTP/2, its pooled connections dead, 100 calls/s, 3 s deadline", rate: 100, deadline: 3 * s, pooled: true,
			answered: 99, onPrimary: 95,
		},
	}
}

func run(ctx context.Context) error {
	page := flag.String("page", "", "keep the table on this page, between its marks")
	flag.Parse()
	all := rows()
	var wg sync.WaitGroup
	errs := make([]error, len(all))
	got := make([]outcome, len(all))
	for i := range all {
		wg.Go(func() { got[i], errs[i] = all[i].play(ctx) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	table := tableOf(all, got)
	fmt.Print(table)
	if *page != "" {
		if err := keep(*page, table); err != nil {
			return err
		}
	}
	for i := range all {
		errs[i] = all[i].holds(&got[i])
	}
	return errors.Join(errs...)
}

func tableOf(all []row, got []outcome) string {
	var b strings.Builder
	b.WriteString("| | answered | did not touch the primary | back on the primary | probes at once | slowest call |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for i := range all {
		o := &got[i]
		fmt.Fprintf(&b, "| %s | %.1f %% | %.1f %% | %.1f %% | %d | %v |\n",
			all[i].name, o.answered, o.skipped, o.onPrimary, o.probes, o.slowest.Round(10*time.Millisecond))
	}
	return b.String()
}

var errMarks = errors.New("the page has no marks for the table")

// keep writes the table between the marks of the page.
func keep(page, table string) error {
	const begin, end = "<!-- measured -->\n", "<!-- /measured -->"
	text, err := os.ReadFile(page)
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	before, rest, opened := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		return fmt.Errorf("%s: %w", page, errMarks)
	}
	return os.WriteFile(page, []byte(before+begin+table+end+after), 0o644) //nolint:gosec,wrapcheck // a page for everybody
}
