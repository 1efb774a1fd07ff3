package diag

import (
	"errors"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// FromSource turns what package source says about a text into diagnostics. Any other error, such as that of a file that cannot
// be opened, becomes one UnreadableFile at pos.
func FromSource(err error, pos source.Pos) []Diagnostic {
	if err == nil {
		return nil
	}
	var faults source.Errors
	if !errors.As(err, &faults) {
		return []Diagnostic{{
			Code: UnreadableFile, Span: source.Span{Pos: pos}, What: err.Error(),
			Why: "every file that the input names is needed", Fix: "correct the path, or the file's permissions",
		}}
	}
	out := make([]Diagnostic, len(faults))
	for i, f := range faults {
		out[i] = Diagnostic{Code: codeOf(f.Fault), Span: f.Span, What: f.What, Why: f.Why, Fix: f.Fix}
		if f.Related.IsValid() {
			out[i].Related = []Related{{Span: f.Related, What: "the other place is here"}}
		}
	}
	return out
}

// AddSource adds FromSource's diagnostics.
func (l *List) AddSource(err error, pos source.Pos) {
	l.all = append(l.all, FromSource(err, pos)...)
}

func codeOf(f source.Fault) Code {
	switch f {
	case source.Duplicate:
		return DuplicateKey
	case source.Limit:
		return LimitExceeded
	case source.Syntax:
		return BadSyntax
	default:
		return BadSyntax
	}
}
