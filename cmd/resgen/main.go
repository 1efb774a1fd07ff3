// Command resgen generates resilient Go clients from OpenAPI documents and their resilience annotations.
//
// It turns flags into a generator.Config, runs it, prints what the result says, and exits: 0 fine, 1 diagnostics with an error
// among them, 2 wrong usage or a file that cannot be read or written, 3 stale (with --check). Everything else is in package
// generator.
//
// Read in this order: main.go, root.go (commands and exit codes), inputs.go (the flags that every command shares), init.go,
// generate.go, lint.go, explain.go, diff.go, schema.go, version.go, progress.go.
package main

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	keepAliases()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// keepAliases takes gotypesalias=0 out of GODEBUG: it makes go/types forget the aliases that interfaces are spelled with, and what is
// generated must be the same on every machine.
func keepAliases() {
	settings := os.Getenv("GODEBUG")
	if !strings.Contains(settings, "gotypesalias=0") {
		return
	}
	_ = os.Setenv("GODEBUG", strings.ReplaceAll(settings, "gotypesalias=0", "gotypesalias=1")) // it was read under that name
}
