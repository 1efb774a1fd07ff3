package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/resgen-go/resgen/generator"
)

// diffInputs are the flags of diff: what goes for both sides, and what for one.
type diffInputs struct {
	both, from, to side
	client         generator.Client
	most           time.Duration
}

// side is what may be said of one input beside its name.
type side struct {
	policy, root string
	overlays     []string
}

func (s *side) register(c *cobra.Command, prefix, of string) {
	flags := c.Flags()
	flags.StringVar(&s.policy, prefix+"policy", "", "the policy `FILE` of "+of)
	flags.StringArrayVar(&s.overlays, prefix+"overlay", nil, "an OpenAPI Overlay `FILE` to apply to "+of+"; may be repeated, and is applied in order")
	flags.StringVar(&s.root, prefix+"root", "", "the `DIR` below which files are read that "+of+" names (default: the folder of the document)")
}

func newDiff(std streams, log *logging) *cobra.Command {
	var in diffInputs
	var format string
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say what changes for callers and in policies between two inputs: breaking, loosened, tightened; write nothing",
		Long: "OLD and NEW are each a folder with a resgen.yaml, a configuration file, an OpenAPI document (- for standard input), or a Go\n" +
			"interface ([PKG.]TYPE). The flags that begin with --old- and --new- go for one of them, and before those without.\n\n" +
			"breaking: what called the old package does not compile with the new one, or no longer works.\n" +
			"loosened: a dependency may be asked more, a caller may wait longer or be given less, or a guard acts later.\n" +
			"tightened: the opposite. changed: neither. added: more for callers.\n\n" +
			"Exit codes: 0 no breaking and no loosened change, 1 some, or an input with errors, 2 usage or I/O.",
		Example: "  resgen diff old/openai.yaml openai.yaml --old-policy old/policy.yaml --new-policy policy.yaml\n" +
			"  git worktree add --detach ../base origin/main && resgen diff ../base .\n" +
			"  git show origin/main:openai.yaml | resgen diff - openai.yaml --format github",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] == "-" && args[1] == "-" {
				return errors.New("standard input is one document, and cannot be both OLD and NEW")
			}
			from, err := in.request(args[0], &in.from, std)
			if err != nil {
				return err
			}
			to, err := in.request(args[1], &in.to, std)
			if err != nil {
				return err
			}
			stopOld, stopNew := log.follow(&from, std), log.follow(&to, std)
			d, err := generator.Compare(c.Context(), from, to)
			stopNew()
			stopOld()
			switch {
			case err != nil:
				return err
			case d.Result.HasErrors():
				if err := d.Result.Print(std.out, generator.PrintOptions{Format: format, Listing: isTerminal(std.out)}); err != nil {
					return err
				}
				return exitError{exitDiagnostics}
			}
			if err := d.Print(std.out, format); err != nil {
				return err
			}
			if d.Unsafe() {
				return exitError{exitDiagnostics}
			}
			return nil
		},
	}
	in.register(c)
	c.Flags().StringVar(&format, "format", generator.ComparisonFormats()[0], "how to print: "+strings.Join(generator.ComparisonFormats(), ", "))
	return c
}

func (in *diffInputs) register(c *cobra.Command) {
	flags := c.Flags()
	in.both.register(c, "", "both")
	in.from.register(c, "old-", "OLD")
	in.to.register(c, "new-", "NEW")
	flags.StringVar(&in.client.Tags, "tags", "", "the build `TAGS` that interfaces are read with, separated by commas")
	flags.BoolVar(&in.client.Twins, "twins", false, "beside each method of an interface that has a ladder, there is one that returns a runtime.Result")
	flags.StringArrayVar(&in.client.Include, "include", nil,
		"compare only operations whose operationId or \"METHOD /path\" matches `GLOB`: * is any text without a slash, ** any text; may be repeated")
	flags.StringArrayVar(&in.client.Exclude, "exclude", nil, "leave out operations that match `GLOB`; may be repeated")
	flags.DurationVar(&in.most, "max-time", generator.DefaultMaxTime, "give up after that `DURATION` for each input: no document keeps the tool for ever")
}

// request is what is asked of one side.
func (in *diffInputs) request(name string, own *side, std streams) (generator.Config, error) {
	cfg := generator.Config{Client: in.client, Root: in.both.root, MaxTime: in.most, Stdin: std.in}
	cfg.Client.Policy, cfg.Client.Overlays = in.both.policy, in.both.overlays
	if own.policy != "" {
		cfg.Client.Policy = own.policy
	}
	if len(own.overlays) > 0 {
		cfg.Client.Overlays = own.overlays
	}
	if own.root != "" {
		cfg.Root = own.root
	}
	return generator.Named(cfg, name)
}
