package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitFine        = 0
	exitDiagnostics = 1
	exitUsage       = 2
	exitStale       = 3
)

// streams are the three standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// exitError ends the program with a code when all there is to say was said.
type exitError struct{ code int }

// Error makes it an error; it is never printed.
func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	root := newRoot(std) //nolint:contextcheck // cobra hands the context to the commands when it runs them
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if exit, ok := errors.AsType[exitError](err); ok {
		return exit.code
	}
	if err != nil {
		_, _ = fmt.Fprintf(std.err, "resgen: %v\n", err) // there is nowhere left to say that this failed
		return exitUsage
	}
	return exitFine
}

func newRoot(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "resgen",
		Short: "Generate resilient Go clients from OpenAPI documents",
		Long: "resgen reads an OpenAPI document (2.0 to 3.2) with resilience annotations, refuses unsafe combinations, and writes a typed Go\n" +
			"client that carries timeouts, retries with a budget, breakers, bulkheads, idempotency keys and a fallback ladder.\n\n" +
			"Exit codes: 0 fine, 1 diagnostics with an error among them, 2 usage or I/O, 3 stale (--check). For diff,\n" +
			"1 is a breaking or loosened change too, for simulate a verdict that failed.",
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w; see `%s --help`", err, c.CommandPath())
	})
	var log logging
	log.register(root)
	root.AddCommand(
		newInit(std, &log), newGenerate(std, &log), newLint(std, &log), newVendor(std, &log), newExplain(std, &log), newDiff(std, &log), newSimulate(std, &log),
		newSchema(std), newVersion(std),
	)
	return root
}

// say prints to standard output.
func say(std streams, format string, args ...any) error {
	if _, err := fmt.Fprintf(std.out, format, args...); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// isTerminal reports whether a stream is a terminal (or another character device).
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
