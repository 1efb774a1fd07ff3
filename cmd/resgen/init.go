package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

func newInit(std streams, log *logging) *cobra.Command {
	var client generator.Client
	var root, dir string
	var most time.Duration
	c := &cobra.Command{
		Use:   "init (--spec FILE | --iface [PKG.]TYPE)",
		Short: "List the operations with what is known of each, and write resgen.yaml and a policy file to begin with",
		Long: "Lists every operation with what is known of it and by which rule, and writes a resgen.yaml and a resgen.policy.yaml. The policy file\n" +
			"changes nothing as it stands: it has a suggestion for each operation, as a comment, that is safe to take. Files that are there\n" +
			"already are never replaced.",
		Example: "  resgen init --spec openai.yaml\n  resgen init --iface ./store.Store --out internal",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg := generator.Config{Client: client, Root: root, MaxTime: most}
			stop := log.follow(&cfg, std)
			starter, err := generator.Init(c.Context(), cfg, dir)
			stop()
			if err := starter.Result.Print(std.err, generator.PrintOptions{Listing: isTerminal(std.err)}); err != nil {
				return err
			}
			switch {
			case err != nil:
				return err
			case starter.Result.HasErrors():
				return exitError{exitDiagnostics}
			}
			return starter.Print(std.out)
		},
	}
	flags := c.Flags()
	flags.StringVar(&client.Spec, "spec", "", "the OpenAPI document: a `FILE`")
	flags.StringVar(&client.Iface, "iface", "", "a Go interface in place of a document: `[PKG.]TYPE`, PKG an import path or a folder such as ./store")
	flags.StringVar(&client.Tags, "tags", "", "the build `TAGS` that the interface is read with, separated by commas")
	flags.StringVar(&root, "root", "", "the `DIR` below which files are read that the document names (default: the folder of the document)")
	flags.StringArrayVar(&client.Overlays, "overlay", nil, "an OpenAPI Overlay `FILE` to apply; may be repeated, and is applied in order")
	flags.StringArrayVar(&client.Include, "include", nil, "keep only operations that match `GLOB`, as for generate; may be repeated")
	flags.StringArrayVar(&client.Exclude, "exclude", nil, "leave out operations that match `GLOB`; may be repeated")
	flags.StringVar(&dir, "out", ".", "the `DIR` that the two files are written to")
	flags.DurationVar(&most, "max-time", generator.DefaultMaxTime, "give up after that `DURATION`")
	return c
}
