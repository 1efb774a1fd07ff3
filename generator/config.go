package generator

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Diagnostic is one finding: a code, a place, what, why and fix.
type Diagnostic = diag.Diagnostic

// Renaming is a name that could not be given as wished: where what it is for was defined, what that is, and both names.
type Renaming = plan.Renaming

// File is one output file: its name in the output folder and its content, formatted and with its header.
type File = emit.File

// The errors of a run that are about how it was called, or about the file system; Run wraps them. What is wrong with the text of
// a document is a Diagnostic instead.
var (
	// ErrUsage is a Config that says too little, or too much.
	ErrUsage = errors.New("usage")
	// ErrTooLong is a run that took longer than Config.MaxTime.
	ErrTooLong = errors.New("the run was given up")
	// ErrForeign is a file in an output folder that a run would replace and that is not its own.
	ErrForeign = errors.New("not a file of this output")
	// ErrExists is a file that Init would write and that is there already.
	ErrExists = errors.New("never replaced")
)

// Mode says how far a run goes. The zero value is Generate.
type Mode uint8

// The modes.
const (
	// Generate writes the files that changed, and deletes those of the same output that are no longer made.
	Generate Mode = iota
	// Check makes everything and writes nothing; Result says what is stale.
	Check
	// Lint stops after the plan. It needs no output folder and no package name.
	Lint
	// Make makes everything in memory, and neither writes nor compares: for Compare. It needs no output folder and no package name.
	Make
	// Vendor reads the documents, fetches what they refer to on a network and no copy is there of, and writes the copies and their
	// hashes. It needs no package name.
	Vendor
)

// onlyReads reports whether a mode writes nothing and compares with nothing that was written, so that it need not know where outputs go.
func (m Mode) onlyReads() bool { return m == Lint || m == Make }

// Config says what one run does.
type Config struct {
	// File is the path of a resgen.yaml. Empty: the run is the one client of Client.
	File string
	// Client is what is generated where File is empty; with File it must be the zero value.
	Client Client
	// Root is the folder below which files are read that a document names itself. Empty: resgen.yaml's own choice, else the
	// folder of the document, else (for standard input) the working directory.
	Root string
	// Mode says how far the run goes.
	Mode Mode
	// MaxTime bounds the run: no document keeps it for ever. 0 is DefaultMaxTime.
	MaxTime time.Duration
	// Stdin is read where a Spec is "-". Nil: there is no standard input.
	Stdin io.Reader
	// Fetch gets a remote document, in mode Vendor alone. It is called on a goroutine of Run's, with an http or https URL that a
	// document names. Nil: what is missing is an error.
	Fetch func(ctx context.Context, url string) ([]byte, error)
	// Progress is told before each stage of each client, on the goroutine of Run. Nil: nobody is told.
	Progress func(Stage)
}

// Client is one output, with paths from the working directory.
type Client struct {
	// Name is the NAME of the output, which stands in each of its files. Empty: Package.
	Name string
	// Spec is the path of the document; "-" is standard input.
	Spec string
	// Iface is, in place of a document, a Go interface: [PKG.]TYPE with an import path or a folder (./store.Store) before the type; without
	// it the interface is of the package in the working directory. Name is then the type's by default, Out the path of one file, by
	// default beside the interface, and Package the name of a package that has no Go files yet.
	Iface string
	// Tags are the build tags that the interface is read with, separated by commas. Twins asks for a further method beside each one
	// that has a ladder: it returns a runtime.Result.
	Tags  string
	Twins bool
	// WithoutTests leaves out the tests of the client's policies. Those of interfaces have none.
	WithoutTests bool
	// Overlays are the paths of overlays, applied in order. Policy is the path of a policy file, or empty.
	Overlays []string
	Policy   string
	// Out is the output folder, Package the name in the package clause. Lint may leave both out.
	Out     string
	Package string
	// ImportPath is the import path of Out. Empty: that of the nearest go.mod plus the folder.
	ImportPath string
	// Include and Exclude are patterns of operationIds, or of "METHOD /path". Without Include all operations are kept.
	Include, Exclude []string

	// dir is the folder that Iface is named from, where that is not the working directory; ifacePos is where it is named.
	dir      string
	ifacePos source.Pos
	// pos is where the client stands in a resgen.yaml.
	pos source.Pos
}

// isZero reports whether nothing of the client is set.
func (c *Client) isZero() bool {
	return c.Name == "" && c.Spec == "" && c.Iface == "" && c.Tags == "" && c.Policy == "" && c.Out == "" && c.Package == "" && c.ImportPath == "" && !c.WithoutTests &&
		len(c.Overlays) == 0 && len(c.Include) == 0 && len(c.Exclude) == 0
}

// Stage is a step of a run, for progress.
type Stage struct {
	// Client is the name of the output.
	Client string
	// Step is what begins: "load", "plan", "emit", "type-check" or "write".
	Step string
}
