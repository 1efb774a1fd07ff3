package generator

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/config"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/emit"
	"github.com/resgen-go/resgen/generator/internal/lock"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// DefaultMaxTime bounds a run that sets no bound itself. The largest documents take seconds, so more is a document that is made to take
// for ever, or a machine that is very busy.
const DefaultMaxTime = 5 * time.Minute

// patience is how long a run that is to stop waits for its stage.
const patience = time.Second

// Run does what cfg says: it loads every client, plans, emits, type-checks, and writes (in mode Generate) or compares (in mode
// Check). Nothing is written unless every client came through without an error.
//
// What is wrong with the input is in the Result's diagnostics. The error is about the call itself: ErrUsage, ErrForeign, a file
// that cannot be read or written, or the end of ctx; the Result then holds what was said until there.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	ctx, cancel := bounded(ctx, &cfg)
	defer cancel()
	r := &run{cfg: cfg, refs: map[string]lock.Hash{}, copies: map[string][]byte{}}
	err := r.all(ctx)
	r.result.Diagnostics = r.list.Sorted()
	r.result.stdin = r.stdin
	return &r.result, err
}

// bounded ends a context with the time that a run may take.
func bounded(ctx context.Context, cfg *Config) (context.Context, context.CancelFunc) {
	limit := cmp.Or(cfg.MaxTime, DefaultMaxTime)
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf(
		"%w: it took longer than %v; leave operations out with --include, split the document, or allow more with --max-time", ErrTooLong, limit,
	))
}

// run is one Run.
type run struct {
	cfg    Config
	list   diag.List
	result Result
	stdin  []byte
	// lock is what resgen.lock knows, lockData its text, and refs what the run used of remote documents.
	lock     *lock.File
	lockData []byte
	refs     map[string]lock.Hash
	// copies are what was fetched of remote documents, by their path below the folder of copies.
	copies map[string][]byte
	// ifaces are the interfaces among the clients, by the index of the client.
	ifaces map[int]*found
}

func (r *run) all(ctx context.Context) error {
	todo, err := clients(&r.cfg, &r.list)
	if err != nil || r.list.HasErrors() {
		return err
	}
	if err := r.readLock(); err != nil || r.list.HasErrors() {
		return err
	}
	if err := r.awaitInterfaces(ctx, todo); err != nil {
		return err
	}
	for i := range todo {
		if err := r.await(ctx, &todo[i], r.ifaces[i]); err != nil {
			return err
		}
	}
	switch {
	case r.list.HasErrors() || r.cfg.Mode == Lint || r.cfg.Mode == Make:
		return nil
	case r.cfg.Mode == Vendor:
		return r.writeCopies()
	default:
		return r.write(ctx)
	}
}

// await makes the files of one client and gives up when ctx ends, also where a stage does not look at ctx: no document keeps a run
// for ever. The stage that is left behind shares nothing with the run, and writes nothing.
func (r *run) await(ctx context.Context, c *Client, f *found) error {
	own := &run{cfg: r.cfg, stdin: r.stdin, lock: r.lock, refs: map[string]lock.Hash{}, copies: maps.Clone(r.copies)}
	done := make(chan error, 1)
	go func() {
		if f != nil {
			done <- own.iface(ctx, c, f)
			return
		}
		done <- own.client(ctx, c)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done: // most stages do look, and have something to say
		case <-time.After(patience):
			return stopped(ctx, c)
		}
	}
	if err != nil && ctx.Err() != nil {
		err = stopped(ctx, c)
	}
	for _, d := range own.list.Sorted() {
		if f != nil && strings.HasSuffix(d.Span.File, ".go") { // where it is about is where it is written
			d.Fix = annot.DirectiveForm(d.Fix)
		}
		r.list.Add(d)
	}
	r.result.Outputs = append(r.result.Outputs, own.result.Outputs...)
	maps.Copy(r.refs, own.refs)
	maps.Copy(r.copies, own.copies)
	r.stdin = own.stdin
	return err
}

// stopped is the error of a client that ctx ended.
func stopped(ctx context.Context, c *Client) error {
	name := c.Iface
	if name == "" {
		name = display(c.Spec)
	}
	return fmt.Errorf("%s: stopped: %w", name, context.Cause(ctx))
}

// client makes the files of one client, or reports why it cannot.
func (r *run) client(ctx context.Context, c *Client) error {
	before := r.list.Errors()
	r.stage(ctx, c, "load")
	in, err := r.read(c)
	if err != nil {
		return err
	}
	defer func() { _ = in.root.Close() }() // only read from
	if r.list.Errors() > before {
		return nil
	}
	defer r.recovered(in)
	copied := func(address string) ([]byte, string, error) { return r.remote(ctx, address) }
	api := openapi.Load(ctx, openapi.Input{
		Remote: copied,
		Tree:   in.tree, Source: in.header, Path: in.path, Root: in.fsys(), Show: in.show, Include: c.Include, Exclude: c.Exclude,
	}, &r.list)
	if ctx.Err() != nil {
		return stopped(ctx, c)
	}
	if r.list.Errors() > before || api == nil || r.cfg.Mode == Vendor {
		return nil
	}
	r.stage(ctx, c, "plan")
	path := c.ImportPath
	if path == "" && c.Out != "" {
		path = importPath(c.Out)
	}
	name := c.Package
	if name == "" { // what is not written needs none
		name = unnamedPackage
	}
	resolve := func(policyFile *source.Value, list *diag.List) *plan.Package {
		return plan.Resolve(api, plan.Layers{
			PolicyFile: policyFile, Package: name, Output: c.Name, ImportPath: path, Source: in.header, Memory: r.memory(c),
		}, list)
	}
	pkg := resolve(in.policy, &r.list)
	if r.list.Errors() > before {
		return nil
	}
	pkg.Tests = r.tests(c, path)
	r.result.Outputs = append(r.result.Outputs, Output{Name: c.Name, Dir: c.Out, Renamed: pkg.Renamed, pkg: pkg, api: api, resolve: resolve})
	if r.cfg.Mode == Lint {
		return nil
	}
	return r.emit(ctx, c, in, pkg)
}

// tests reports whether the client's tests are written. They import the client, so that without its import path there are none.
func (r *run) tests(c *Client, path string) bool {
	writes := r.cfg.Mode == Generate || r.cfg.Mode == Check
	if !writes || c.WithoutTests || config.ValidImportPath(path) {
		return writes && !c.WithoutTests
	}
	pos := c.pos
	if !pos.IsValid() {
		pos = source.Pos{File: display(c.Spec), Line: 1, Column: 1}
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.NoImportPath, Severity: diag.Warning, Span: source.Span{Pos: pos},
		What: fmt.Sprintf("the tests of %q are left out: the import path of its folder is not known", c.Name),
		Why:  "tests of policies import the client from outside, and no go.mod above the folder says its path",
		Fix:  "generate below a go.mod, set `import-path`, or write `tests: false` (--tests=false)",
	})
	return false
}

// emit prints the package and type-checks what it printed.
func (r *run) emit(ctx context.Context, c *Client, in *inputs, pkg *plan.Package) error {
	r.stage(ctx, c, "emit")
	files, err := emit.Files(pkg)
	if err != nil {
		return r.fault(in, err)
	}
	if ctx.Err() != nil {
		return stopped(ctx, c)
	}
	r.stage(ctx, c, "type-check")
	loaded, err := emit.Load(files, pkg.ImportPath)
	if err != nil {
		return r.fault(in, err)
	}
	r.made(files, loaded)
	return nil
}

// made notes the files of the last output, and for Compare what they declare.
func (r *run) made(files []File, loaded *emit.Loaded) {
	o := &r.result.Outputs[len(r.result.Outputs)-1]
	o.Files = files
	if r.cfg.Mode == Make {
		o.objects = loaded.Objects
	}
}

// write compares all outputs first, so that a file that is not ours keeps all of them from being written.
func (r *run) write(ctx context.Context) error {
	for i := range r.result.Outputs {
		o := &r.result.Outputs[i]
		var err error
		if o.Changes, err = diff(o.Dir, o.Files, o.single); err != nil {
			return err
		}
	}
	next := r.diffLock()
	if r.cfg.Mode == Check {
		return nil
	}
	if r.result.Lock.Changed { // first, so that a run that is cut off leaves the names that the next one needs
		if err := writeLock(r.result.Lock.Path, next); err != nil {
			return err
		}
	}
	for i := range r.result.Outputs {
		o := &r.result.Outputs[i]
		r.stage(ctx, &Client{Name: o.Name}, "write")
		if !o.Changes.Any() {
			continue
		}
		if err := apply(o.Dir, o.Files, o.Changes); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) stage(ctx context.Context, c *Client, step string) {
	if r.cfg.Progress != nil && ctx.Err() == nil {
		r.cfg.Progress(Stage{Client: c.Name, Step: step})
	}
}
