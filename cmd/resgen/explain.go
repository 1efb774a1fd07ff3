package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

// codeForm is the form of a diagnostic's code.
var codeForm = regexp.MustCompile(`^(?i:RG)\d+$`)

func newExplain(std streams, log *logging) *cobra.Command {
	var in inputs
	var format string
	c := &cobra.Command{
		Use:   "explain [OPERATION | RGnnnn]",
		Short: "Say what the client does for an operation and which line decided it, or what a diagnostic means",
		Example: "  resgen explain createChatCompletion\n" +
			"  resgen explain RG3104",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			if codeForm.MatchString(name) {
				return explainCode(std, name)
			}
			cfg := in.request(generator.Lint, std)
			stop := log.follow(&cfg, std)
			result, err := generator.Run(c.Context(), cfg)
			stop()
			if err != nil {
				return in.explained(err)
			}
			if result.HasErrors() {
				if err := result.Print(std.err, generator.PrintOptions{Listing: isTerminal(std.err)}); err != nil {
					return err
				}
				return exitError{exitDiagnostics}
			}
			found := result.Explain(name)
			if len(found) == 0 && name != "" {
				return unknown("operation", name, result.NearestOperation(name))
			}
			return generator.PrintExplanations(std.out, format, found)
		},
	}
	in.register(c)
	c.Flags().StringVar(&format, "format", "text", "how to print: text, json")
	return c
}

func explainCode(std streams, code string) error {
	text, ok := generator.ExplainCode(code)
	if !ok {
		return unknown("diagnostic", code, generator.NearestCode(code))
	}
	return say(std, "%s", text)
}

func unknown(what, name, near string) error {
	if near == "" {
		return fmt.Errorf("there is no %s %q", what, name)
	}
	return fmt.Errorf("there is no %s %q; did you mean %q?", what, name, near)
}
