package generator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// fault reports what only a mistake in resgen can cause: Go that cannot be printed or does not compile. The file is saved aside,
// for the report. The error is that of saving it.
func (r *run) fault(in *inputs, err error) error {
	dir, saveErr := os.MkdirTemp("", "resgen-fault-")
	if saveErr != nil {
		return fmt.Errorf("save what does not compile: %w", saveErr)
	}
	for _, err := range faults(err) {
		saved := dir
		if f, ok := errors.AsType[*emit.Fault](err); ok && len(f.File.Data) > 0 && filepath.IsLocal(f.File.Name) {
			saved = filepath.Join(dir, filepath.Base(f.File.Name))
			if err := os.WriteFile(saved, f.File.Data, 0o600); err != nil {
				return fmt.Errorf("save what does not compile: %w", err)
			}
		}
		r.internal(in, err.Error(), saved)
	}
	return nil
}

// faults splits joined errors. Of many only the first few say something new.
func faults(err error) []error {
	const most = 10
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	all := joined.Unwrap()
	return all[:min(len(all), most)]
}

// recovered turns a panic in a stage into a diagnostic that names the document, with the stack saved aside: the input is hostile
// text, and the user of a generator can do nothing with a bare stack trace. It is deferred.
func (r *run) recovered(in *inputs) {
	p := recover()
	if p == nil {
		return
	}
	saved := "the stack was not saved"
	if f, err := os.CreateTemp("", "resgen-panic-*.txt"); err == nil {
		_, writeErr := fmt.Fprintf(f, "%v\n\n%s", p, debug.Stack())
		if errors.Join(writeErr, f.Close()) == nil {
			saved = f.Name()
		}
	}
	r.internal(in, fmt.Sprintf("panic: %v", p), saved)
}

func (r *run) internal(in *inputs, what, saved string) {
	r.list.Add(diag.Diagnostic{
		Code: diag.InternalFault, Span: source.Span{Pos: source.Pos{File: in.shown}}, What: what,
		Why: "this is a fault of resgen; nothing was written",
		Fix: "please report it with the document; what it is about was saved: " + filepath.ToSlash(saved),
	})
}
