// Command rounds runs the benchmarks of this module in interleaved rounds and prints the table in Markdown. Run it from the module's folder.
//
//	go run ./cmd/rounds -rounds 5 -time 100ms            # prints
//	go run ./cmd/rounds -save results.json -page FILE    # and keeps
//	go run ./cmd/rounds -load results.json -page FILE    # runs nothing, writes the page again
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/resgen-go/resgen/bench/internal/rounds"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "rounds:", err)
		os.Exit(1) //nolint:gocritic // nothing is lost with the signals
	}
}

func run(ctx context.Context) error {
	c := rounds.Config{Dir: ".", Log: os.Stderr}
	flag.IntVar(&c.Rounds, "rounds", 5, "how often each benchmark runs")
	flag.DurationVar(&c.Time, "time", 100*time.Millisecond, "how long it runs each time")
	flag.StringVar(&c.Match, "arm", "", "run only arms that match: an expression for each part between slashes")
	save := flag.String("save", "", "keep the results in this file")
	load := flag.String("load", "", "take the results from this file and run nothing")
	page := flag.String("page", "", "write the page to this file; otherwise it is printed")
	flag.Parse()
	res, err := results(ctx, c, *load)
	if err != nil {
		return err
	}
	if *save != "" {
		if err := keep(res, *save); err != nil {
			return err
		}
	}
	text, err := res.Page()
	if err != nil {
		return err
	}
	if *page == "" {
		fmt.Print(text)
		return nil
	}
	return os.WriteFile(*page, []byte(text), 0o644) //nolint:gosec,wrapcheck // a page for everybody; the error names the file
}

func results(ctx context.Context, c rounds.Config, load string) (*rounds.Results, error) {
	if load == "" {
		return rounds.Run(ctx, c)
	}
	return rounds.Load(load)
}

func keep(res *rounds.Results, to string) error {
	text, err := json.Marshal(res)
	if err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return os.WriteFile(to, append(text, '\n'), 0o644) //nolint:gosec,wrapcheck // as the page
}
