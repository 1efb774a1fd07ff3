package generator

import (
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Result is what a run made and what it has to say.
type Result struct {
	// Diagnostics are sorted by file, line, column and code.
	Diagnostics []Diagnostic
	// Outputs are the clients that came through, in the order of the configuration.
	Outputs []Output
	// Lock is what the run did to resgen.lock.
	Lock Lock
	// Vendored are the copies of remote documents that were written or newly taken note of, sorted.
	Vendored []string

	stdin []byte
}

// Output is one client that came through.
type Output struct {
	// Name is the output's NAME, Dir its folder.
	Name, Dir string
	// Files are all of its files, by name; none in mode Lint.
	Files []File
	// Changes are what was written and deleted, or in mode Check what would be.
	Changes Changes
	// Renamed are what did not get the name that it would have alone, and got another.
	Renamed []Renaming

	pkg *plan.Package
	// api is what the plan is of, resolve plans it with another policy file, and foreign says that it is an interface of another module.
	api     *model.API
	resolve func(policyFile *source.Value, list *diag.List) *plan.Package
	foreign bool
	// single says that the output is one file in a folder of others: a run deletes nothing there.
	single bool
	// objects are what the files declare; in mode Make alone.
	objects []types.Object
}

// HasErrors reports whether a diagnostic is an error.
func (r *Result) HasErrors() bool {
	return slices.ContainsFunc(r.Diagnostics, func(d Diagnostic) bool { return d.Severity == diag.Error })
}

// Stale reports whether some file is not what generating makes.
func (r *Result) Stale() bool {
	return r.Lock.Changed || slices.ContainsFunc(r.Outputs, func(o Output) bool { return o.Changes.Any() })
}

// Formats are the names that Print takes.
func Formats() []string { return slices.Clone(diag.Formats) }

// PrintOptions say how Print prints. The zero value is "text" without source lines.
type PrintOptions struct {
	// Format is one of Formats; empty is "text".
	Format string
	// Listing shows the source line of each diagnostic in "text", with a caret: it is for terminals.
	Listing bool
	// Operations adds what one call of each method may cost, in "text" and "json".
	Operations bool
}

// Print writes the diagnostics. It returns ErrUsage for a format that it does not know.
func (r *Result) Print(w io.Writer, opts PrintOptions) error {
	texts := map[string][]byte{stdinName: r.stdin}
	load := func(file string) []byte {
		if text, ok := texts[file]; ok {
			return text
		}
		texts[file] = nil
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() <= source.MaxBytes {
			texts[file], _ = os.ReadFile(file) // a line that is not there is not shown
		}
		return texts[file]
	}
	o := diag.Options{Source: load, Listing: opts.Listing}
	if opts.Operations {
		o.Operations = r.Explain("")
	}
	err := diag.Print(w, diag.Format(opts.Format), r.Diagnostics, o)
	switch {
	case errors.Is(err, diag.ErrFormat):
		return fmt.Errorf("%w: %w", ErrUsage, err)
	case err != nil:
		return fmt.Errorf("print: %w", err)
	case opts.Operations && (opts.Format == "" || opts.Format == string(diag.Text)):
		return r.printWorst(w)
	default:
		return nil
	}
}

// ExplainCode returns what there is to know about a code, such as RG3104, and whether there is such a code.
func ExplainCode(code string) (string, bool) {
	e, ok := diag.Lookup(code)
	if !ok {
		return "", false
	}
	return e.Text(), true
}

// NearestCode returns the code that a mistyped one most likely means, or "".
func NearestCode(code string) string {
	registry := diag.Registry()
	all := make([]string, len(registry))
	for i := range registry {
		all[i] = string(registry[i].Code)
	}
	return diag.Nearest(strings.ToUpper(code), all)
}
