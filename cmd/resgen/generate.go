package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

func newGenerate(std streams, log *logging) *cobra.Command {
	var in inputs
	var check bool
	c := &cobra.Command{
		Use:   "generate",
		Short: "Generate the clients of resgen.yaml, or one client from flags",
		Example: "  resgen generate\n" +
			"  resgen generate --spec openai.yaml --overlay llm.overlay.yaml --out internal/openai --package openai\n" +
			"  resgen generate --iface Store\n" +
			"  resgen generate --check",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			mode := generator.Generate
			if check {
				mode = generator.Check
			}
			cfg := in.request(mode, std)
			stop := log.follow(&cfg, std)
			result, err := generator.Run(c.Context(), cfg)
			stop()
			if err := result.Print(std.err, generator.PrintOptions{Listing: isTerminal(std.err)}); err != nil {
				return err
			}
			switch {
			case err != nil:
				return in.explained(err)
			case result.HasErrors():
				return exitError{exitDiagnostics}
			case check && result.Stale():
				if err := printStale(std, result); err != nil {
					return err
				}
				return exitError{exitStale}
			}
			log.changes(result, std)
			return nil
		},
	}
	in.register(c)
	c.Flags().BoolVar(&check, "check", false, "write nothing; exit with 3 where generating would change a byte")
	return c
}

// printStale names the files that generating would change.
func printStale(std streams, result *generator.Result) error {
	var b strings.Builder
	for _, o := range result.Outputs {
		for _, name := range o.Changes.Written {
			b.WriteString("stale: " + filepath.ToSlash(filepath.Join(o.Dir, name)) + "\n")
		}
		for _, name := range o.Changes.Deleted {
			b.WriteString("no longer made: " + filepath.ToSlash(filepath.Join(o.Dir, name)) + "\n")
		}
	}
	if result.Lock.Changed {
		b.WriteString("stale: " + filepath.ToSlash(result.Lock.Path) + "\n")
	}
	return say(std, "%s", b.String())
}
