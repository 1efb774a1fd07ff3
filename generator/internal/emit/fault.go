package emit

import "fmt"

// Fault is a fault of resgen: a file that cannot be printed, formatted or type-checked. The caller reports it as RG9001 and saves
// the file aside for the report.
type Fault struct { //nolint:errname // what it reports is called a fault everywhere
	// File is what was printed as far as it went; Data may be empty, unformatted or both.
	File File
	// Line and Column are the place in the file, counted from 1; 0 where there is none.
	Line, Column int
	// Err says what is wrong.
	Err error
}

// Error returns file:line:col: what is wrong.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %v", f.File.Name, f.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", f.File.Name, f.Line, f.Column, f.Err)
}

// Unwrap returns Err.
func (f *Fault) Unwrap() error { return f.Err }
