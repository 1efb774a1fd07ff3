// Command gendocs writes the reference pages below docs/reference from the registries and from the commands themselves. It runs in
// the folder of package generator: see `go generate`.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/artefact"
)

func main() {
	if err := write(context.Background(), filepath.Join("..", "docs", "reference")); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func write(ctx context.Context, dir string) error {
	all, err := pages(ctx)
	if err != nil {
		return err
	}
	for _, p := range all {
		if err := os.WriteFile(filepath.Join(dir, p.Name), p.Data, 0o644); err != nil { //nolint:gosec // a page for everybody to read
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}

// pages makes all pages.
func pages(ctx context.Context) ([]artefact.Page, error) {
	diagnostics, err1 := artefact.DiagnosticsPage()
	annotations, err2 := artefact.AnnotationsPage()
	directions, err3 := artefact.DirectionsPage()
	commands, err4 := commands(ctx)
	cli, err5 := artefact.CLIPage(commands)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, fmt.Errorf("make the pages: %w", err)
	}
	return []artefact.Page{annotations, cli, diagnostics, directions}, nil
}

// commands asks resgen for its commands, and each of them for help.
func commands(ctx context.Context) ([]artefact.Command, error) {
	dir, err := os.MkdirTemp("", "gendocs-")
	if err != nil {
		return nil, fmt.Errorf("build resgen: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // nothing depends on it
	program := filepath.Join(dir, "resgen")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/resgen-go/resgen/cmd/resgen") //nolint:gosec // a path of our own
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build resgen: %w", err)
	}
	root, err := help(ctx, program, "resgen")
	if err != nil {
		return nil, err
	}
	all := []artefact.Command{root}
	for _, name := range subcommands(root.Help) {
		c, err := help(ctx, program, "resgen "+name)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func help(ctx context.Context, program, name string) (artefact.Command, error) {
	args := append(strings.Fields(name), "--help")
	out, err := exec.CommandContext(ctx, program, args[1:]...).Output() //nolint:gosec // the program was built a moment ago
	if err != nil {
		return artefact.Command{}, fmt.Errorf("%s --help: %w", name, err)
	}
	return artefact.Command{Name: name, Help: string(out)}, nil
}

// subcommands reads the names of commands from the help of the command above them.
func subcommands(text string) []string {
	_, list, _ := strings.Cut(text, "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var names []string
	for line := range strings.Lines(list) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "help" {
			names = append(names, words[0])
		}
	}
	return names
}
