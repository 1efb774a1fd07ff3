// Command genstubs writes what package emit embeds: the declarations of the packages that generated code may import, and the names of
// package policy's constants. `go generate` runs it in emit's folder.
package main

import (
	"fmt"
	"os"

	"github.com/resgen-go/resgen/generator/internal/emit/internal/genstubs/declare"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "genstubs:", err)
		os.Exit(1)
	}
}

func run() error {
	files, err := declare.Files("../../..")
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil { //nolint:gosec // a source file, read by everybody
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}
