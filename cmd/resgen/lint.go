package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

func newLint(std streams, log *logging) *cobra.Command {
	var in inputs
	var format string
	c := &cobra.Command{
		Use:   "lint",
		Short: "Say what is wrong with documents and annotations, and what one call may cost; write nothing",
		Example: "  resgen lint --spec openai.yaml --overlay llm.overlay.yaml\n" +
			"  resgen lint --format sarif > resgen.sarif",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg := in.request(generator.Lint, std)
			stop := log.follow(&cfg, std)
			result, err := generator.Run(c.Context(), cfg)
			stop()
			opts := generator.PrintOptions{Format: format, Listing: isTerminal(std.out), Operations: err == nil}
			if err := result.Print(std.out, opts); err != nil {
				return err
			}
			switch {
			case err != nil:
				return in.explained(err)
			case result.HasErrors():
				return exitError{exitDiagnostics}
			}
			return nil
		},
	}
	in.register(c)
	c.Flags().StringVar(&format, "format", generator.Formats()[0], "how to print: "+strings.Join(generator.Formats(), ", "))
	return c
}
