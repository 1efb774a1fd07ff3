package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

func newSimulate(std streams, log *logging) *cobra.Command {
	var in inputs
	var opts generator.SimulateOptions
	var format, report string
	c := &cobra.Command{
		Use:   "simulate [OPERATION]...",
		Short: "Play the policies through outages in virtual time: what users see, what targets get, and what to change",
		Long: "Each scenario is played twice: with the policies, and with the built-in timeouts alone. Without OPERATION, all operations that have a\n" +
			"policy are called, and share what a client shares. Nothing is sent, and nothing is written but the report.\n\n" +
			"Exit codes: 0 as expected, 1 a verdict that failed, or an input with errors, 2 usage or I/O.",
		Example: "  resgen simulate --spec openai.yaml --policy policy.yaml\n" +
			"  resgen simulate createChatCompletion --scenario outage --scenario brownout\n" +
			"  resgen simulate --scenario black-friday.scenario --expect lost=1% --seed 7 --format json",
		RunE: func(c *cobra.Command, args []string) error {
			opts.Operations = args
			cfg := in.request(generator.Lint, std)
			stop := log.follow(&cfg, std)
			s, err := generator.Simulate(c.Context(), cfg, &opts)
			stop()
			switch {
			case err != nil:
				return in.explained(err)
			case s.Result.HasErrors():
				if err := s.Result.Print(std.err, generator.PrintOptions{Listing: isTerminal(std.err)}); err != nil {
					return err
				}
				return exitError{exitDiagnostics}
			}
			if err := s.Print(std.out, format); err != nil {
				return err
			}
			if report != "" {
				if err := s.WritePage(report); err != nil {
					return err
				}
			}
			if s.Report.Failed {
				return exitError{exitDiagnostics}
			}
			return nil
		},
	}
	in.register(c)
	flags := c.Flags()
	flags.StringArrayVar(&opts.Scenarios, "scenario", nil,
		"what to play: "+strings.Join(generator.ScenarioNames(), ", ")+", or a file; may be repeated (default: all that have to do with the operations)")
	flags.Uint64Var(&opts.Seed, "seed", 1, "the `NUMBER` that all chance is drawn from: with an equal one, equal input gives equal bytes")
	flags.Float64Var(&opts.Rate, "rate", 0,
		"how many calls a second arrive in scenarios that have a name (default: what limits and bulkheads take, at most 50; 10 of models)")
	flags.DurationVar(&opts.Latency, "latency", 0, "how long servers take there, in the median (default: 50ms; 1s of models; at most a fifth of an attempt)")
	flags.StringArrayVar(&opts.Expect, "expect", nil, "an expectation `NAME=VALUE` in front of those of scenarios, or NAME=off; may be repeated")
	flags.StringVar(&format, "format", generator.SimulationFormats()[0], "how to print: "+strings.Join(generator.SimulationFormats(), ", "))
	flags.StringVar(&report, "report", "", "write a page with charts to a `FILE.html` too: it needs no network and no script")
	return c
}
