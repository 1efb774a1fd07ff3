package generator

import (
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/config"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/overlay"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// clients are what a run makes: those of resgen.yaml, or the one of the command line, with paths from the working directory.
func clients(cfg *Config, list *diag.List) ([]Client, error) {
	if cfg.File == "" {
		c := cfg.Client
		if c.Name == "" {
			c.Name = c.Package
		}
		if c.Name == "" && cfg.Mode == Make {
			c.Name = unnamedPackage
		}
		if _, typ := splitIface(c.Iface); c.Iface != "" && cfg.Client.Name == "" {
			c.Name = typ
		}
		return []Client{c}, checkClient(&c, cfg.Mode)
	}
	if !cfg.Client.isZero() {
		return nil, fmt.Errorf("%w: with a configuration file, clients are set there", ErrUsage)
	}
	data, err := readFile(cfg.File)
	if err != nil {
		return nil, err
	}
	file := config.Read(display(cfg.File), data, list)
	dir := filepath.Dir(cfg.File)
	if cfg.Root == "" {
		cfg.Root = under(dir, file.Root)
	}
	var out []Client
	for _, c := range file.Clients {
		out = append(out, Client{
			Name: c.Name.Value, Spec: under(dir, c.Spec), Overlays: allUnder(dir, c.Overlays), Policy: under(dir, c.Policy),
			Iface: c.Iface.Value, Tags: strings.Join(values(c.Tags), ","), Twins: c.Twins, WithoutTests: c.WithoutTests, dir: dir, pos: c.Pos, ifacePos: c.Iface.Pos,
			Out: under(dir, c.Out), Package: c.Package.Value, ImportPath: c.ImportPath.Value, Include: values(c.Include), Exclude: values(c.Exclude),
		})
	}
	return out, nil
}

// unnamedPackage is the package of a client that is not written.
const unnamedPackage = "client"

// checkClient checks what a command line must say. What resgen.yaml must say, its reader checks.
func checkClient(c *Client, mode Mode) error {
	if c.Iface != "" {
		return checkIface(c, mode)
	}
	switch {
	case c.Spec == "":
		return fmt.Errorf("%w: no document and no interface is named: give --spec or --iface", ErrUsage)
	case c.Tags != "" || c.Twins:
		return fmt.Errorf("%w: --tags and --twins are for interfaces: give --iface", ErrUsage)
	case !mode.onlyReads() && c.Out == "":
		return fmt.Errorf("%w: no output folder is named: give --out", ErrUsage)
	case !mode.onlyReads() && mode != Vendor && c.Package == "":
		return fmt.Errorf("%w: no package is named: give --package", ErrUsage)
	case c.Package != "" && !config.ValidPackage(c.Package):
		return fmt.Errorf("%w: %q is no Go package name: use an identifier that is no keyword, in lower case", ErrUsage, c.Package)
	case c.ImportPath != "" && !config.ValidImportPath(c.ImportPath):
		return fmt.Errorf("%w: %q is no import path", ErrUsage, c.ImportPath)
	case c.Name != "" && !config.ValidName(c.Name):
		return fmt.Errorf("%w: %q is no name of an output: use letters, digits, '-', '_' and '.'", ErrUsage, c.Name)
	default:
		return nil
	}
}

// checkIface checks what a command line must say of an interface.
func checkIface(c *Client, mode Mode) error {
	switch _, typ := splitIface(c.Iface); {
	case c.Spec != "":
		return fmt.Errorf("%w: --spec and --iface are two clients: give one, or name both in resgen.yaml", ErrUsage)
	case !token.IsIdentifier(typ):
		return fmt.Errorf("%w: --iface %q names no type: write TYPE, ./folder.TYPE or example.com/path.TYPE", ErrUsage, c.Iface)
	case len(c.Overlays)+len(c.Include)+len(c.Exclude) > 0:
		return fmt.Errorf("%w: --overlay, --include and --exclude are for documents; `//resgen:skip` leaves a method out", ErrUsage)
	case mode == Vendor:
		return fmt.Errorf("%w: an interface refers to no remote documents", ErrUsage)
	case c.Out != "" && !strings.HasSuffix(c.Out, ".go"):
		return fmt.Errorf("%w: the wrapper of an interface is one file: give --out FILE.go, not %q", ErrUsage, c.Out)
	case strings.HasSuffix(c.Out, "_test.go"):
		return fmt.Errorf("%w: %s is a test file, and only tests could use the wrapper: give another name to --out", ErrUsage, c.Out)
	case c.Package != "" && !config.ValidPackage(c.Package):
		return fmt.Errorf("%w: %q is no Go package name: use an identifier that is no keyword, in lower case", ErrUsage, c.Package)
	case c.ImportPath != "" && !config.ValidImportPath(c.ImportPath):
		return fmt.Errorf("%w: %q is no import path", ErrUsage, c.ImportPath)
	case c.Tags != "" && strings.ContainsAny(c.Tags, " \t\n\"'"):
		return fmt.Errorf("%w: --tags %q: separate build tags by commas", ErrUsage, c.Tags)
	default:
		return nil
	}
}

// under is a path of resgen.yaml from the working directory. A text that was not written stays empty, and "-" is no file.
func under(dir string, t config.Text) string {
	name := filepath.FromSlash(t.Value)
	if t.Value == "" || t.Value == "-" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func allUnder(dir string, ts []config.Text) []string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = under(dir, t)
	}
	return out
}

func values(ts []config.Text) []string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = t.Value
	}
	return out
}

// readFile reads a file that the user names, wherever it lies.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
	return readAll(f, name)
}

// readAll reads one byte more than a document may have, so that package source can say that it is too large.
func readAll(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, source.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data, nil
}

// inputs are the texts of one client, read and parsed.
type inputs struct {
	// tree is the document with overlays applied, policy the policy file or nil.
	tree, policy *source.Value
	// root is the folder below which a document may name files; path is the document's way from there, empty for standard input.
	root *os.Root
	path string
	// header is how generated files name the document.
	header string
	// shown is how diagnostics name the document.
	shown string
}

// read reads the document, its overlays and the policy file. The caller closes the root.
func (r *run) read(c *Client) (*inputs, error) {
	in := &inputs{header: "-", shown: stdinName}
	var data []byte
	var err error
	if c.Spec == "-" {
		data, err = r.readStdin()
	} else {
		in.shown = display(c.Spec)
		data, err = readFile(c.Spec)
	}
	if err != nil {
		return nil, err
	}
	in.tree = r.parse(in.shown, data)
	if err := r.overlay(c, in); err != nil {
		return nil, err
	}
	if c.Policy != "" {
		data, err := readFile(c.Policy)
		if err != nil {
			return nil, err
		}
		in.policy = r.parse(display(c.Policy), data)
	}
	return in, r.locate(c, in)
}

func (r *run) readStdin() ([]byte, error) {
	if r.cfg.Stdin == nil {
		return nil, fmt.Errorf("%w: there is no standard input", ErrUsage)
	}
	if r.stdin == nil {
		data, err := readAll(r.cfg.Stdin, stdinName)
		if err != nil {
			return nil, err
		}
		r.stdin = data
	}
	return r.stdin, nil
}

// parse reads one text; what is wrong with it goes to the list, and the result is nil.
func (r *run) parse(name string, data []byte) *source.Value {
	tree, err := source.Read(name, data)
	r.list.AddSource(err, source.Pos{File: name, Line: 1, Column: 1})
	return tree
}

// overlay applies the client's overlays in order. A document or overlay that cannot be parsed was reported.
func (r *run) overlay(c *Client, in *inputs) error {
	for _, name := range c.Overlays {
		data, err := readFile(name)
		if err != nil {
			return err
		}
		tree := r.parse(display(name), data)
		if tree == nil || in.tree == nil {
			continue
		}
		o := overlay.Overlay{Tree: tree}
		if c.Spec != "-" {
			file, fileErr := filepath.Abs(name)
			document, docErr := filepath.Abs(c.Spec)
			if err := errors.Join(fileErr, docErr); err != nil {
				return fmt.Errorf("paths: %w", err)
			}
			o.File, o.Document = filepath.ToSlash(file), filepath.ToSlash(document)
		}
		overlay.Apply(in.tree, o, &r.list)
	}
	return nil
}

// locate opens the folder that references are confined to, and says where the document lies.
func (r *run) locate(c *Client, in *inputs) error {
	root := r.cfg.Root
	switch {
	case root != "":
	case c.Spec == "-":
		root = "."
	default:
		root = filepath.Dir(c.Spec)
	}
	opened, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("root: %w", err)
	}
	in.root = opened
	if c.Spec == "-" {
		return nil
	}
	if in.path, err = relative(root, c.Spec); err != nil {
		return err
	}
	if c.Out == "" {
		in.header = in.path
		return nil
	}
	header, err := relative(c.Out, c.Spec)
	in.header = diag.Escape(header) // it is a line of a comment
	return err
}

// fsys is the root as the loader wants it.
func (in *inputs) fsys() fs.FS { return in.root.FS() }

// show is how diagnostics name a file below the root.
func (in *inputs) show(name string) string {
	return display(filepath.Join(in.root.Name(), filepath.FromSlash(name)))
}
