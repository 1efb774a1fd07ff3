package generator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/compare"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Comparison is what Compare found.
type Comparison struct {
	// Result holds what was wrong with the two inputs. Where an error is among its diagnostics, nothing was compared.
	Result Result
	// Changes are sorted: the worst first, then by client, operation and key.
	Changes []Change
}

// Change is one difference between two inputs.
type Change struct {
	// Class is "breaking", "loosened", "tightened", "changed" (neither looser nor tighter) or "added".
	Class string `json:"class"`
	// Client is the NAME of the client, where there are several.
	Client string `json:"client,omitempty"`
	// Operation is the operationId, or Interface.Method; empty for what is the client's.
	Operation string `json:"operation,omitempty"`
	// Key is an annotation's, such as "retry.attempts" or "fallback[small].when", or a name of the Go API, such as "method Client.GetModel".
	Key string `json:"key"`
	// Old and New are what it was and is; nil for what was not there, and for what is gone.
	Old *ChangedValue `json:"old,omitempty"`
	New *ChangedValue `json:"new,omitempty"`
	// Note says more in words; mostly it is empty.
	Note string `json:"note,omitempty"`
}

// ChangedValue is one side of a change: as annotations or Go spell it, with the layer that set it and the place where it was written, as far as
// there is one. Where nothing was set but something taken away by null, there is no Value.
type ChangedValue struct {
	Value  string `json:"value,omitempty"`
	Layer  string `json:"layer,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Unsafe reports whether a change is breaking or loosened.
func (d *Comparison) Unsafe() bool {
	return slices.ContainsFunc(d.Changes, func(c Change) bool {
		return c.Class == compare.Breaking.String() || c.Class == compare.Loosened.String()
	})
}

// Compare makes the clients of two inputs, writes nothing, and says what differs: in what callers of the generated packages see, and in the
// facts and policies of each operation. The modes of the configurations do not count. The error is as Run's.
func Compare(ctx context.Context, from, to Config) (*Comparison, error) {
	out := &Comparison{}
	from.Mode, to.Mode = Make, Make
	before, err := Run(ctx, from)
	if err != nil {
		out.Result = *before
		return out, err
	}
	after, err := Run(ctx, to)
	out.Result = both(before, after)
	if err != nil || out.Result.HasErrors() {
		return out, err
	}
	out.Changes = changes(before.Outputs, after.Outputs)
	for i := range out.Changes {
		asNamed(out.Changes[i].Old, &from)
		asNamed(out.Changes[i].New, &to)
	}
	return out, nil
}

// asNamed shows a file from the working directory where its input is named from there: the Go files of a folder elsewhere are known by their whole
// paths.
func asNamed(v *ChangedValue, cfg *Config) {
	named := cmp.Or(cfg.File, cfg.Client.dir)
	if v == nil || named == "" || filepath.IsAbs(named) || !filepath.IsAbs(filepath.FromSlash(v.File)) {
		return
	}
	wd, err := os.Getwd()
	if err != nil {
		return
	}
	if rel, err := filepath.Rel(wd, filepath.FromSlash(v.File)); err == nil {
		v.File = filepath.ToSlash(rel)
	}
}

// both is what two runs have to say; what they say of one file is said once.
func both(a, b *Result) Result {
	var list diag.List
	for _, d := range slices.Concat(a.Diagnostics, b.Diagnostics) {
		list.Add(d)
	}
	out := Result{Diagnostics: list.Sorted(), stdin: a.stdin}
	if out.stdin == nil {
		out.stdin = b.stdin
	}
	return out
}

// changes compares clients by their names, or where there is one on each side, those two.
func changes(from, to []Output) []Change {
	var out []Change
	if len(from) == 1 && len(to) == 1 {
		for _, c := range compare.Clients(from[0].compared(), to[0].compared()) {
			out = append(out, changeOf("", &c))
		}
		return out
	}
	byName := func(all []Output, name string) int {
		return slices.IndexFunc(all, func(o Output) bool { return o.Name == name })
	}
	for i := range from {
		name := from[i].Name
		j := byName(to, name)
		if j < 0 {
			out = append(out, Change{Class: compare.Breaking.String(), Client: name, Key: "client", Old: &ChangedValue{Value: name}})
			continue
		}
		for _, c := range compare.Clients(from[i].compared(), to[j].compared()) {
			out = append(out, changeOf(name, &c))
		}
	}
	for i := range to {
		if name := to[i].Name; byName(from, name) < 0 {
			out = append(out, Change{Class: compare.Added.String(), Client: name, Key: "client", New: &ChangedValue{Value: name}})
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int {
		return cmp.Or(cmp.Compare(rank(a.Class), rank(b.Class)), cmp.Compare(a.Client, b.Client))
	})
	return out
}

// rank is the place of a class, the worst first.
func rank(class string) int {
	return slices.IndexFunc(compare.Classes(), func(c compare.Class) bool { return c.String() == class })
}

func (o *Output) compared() *compare.Client { return &compare.Client{Plan: o.pkg, Objects: o.objects} }

func changeOf(client string, c *compare.Change) Change {
	return Change{
		Class: c.Class.String(), Client: client, Operation: c.Operation, Key: c.Key, Note: c.Note, Old: changedValue(&c.Old), New: changedValue(&c.New),
	}
}

func changedValue(s *compare.Side) *ChangedValue {
	if *s == (compare.Side{}) {
		return nil
	}
	return &ChangedValue{Value: s.Value, Layer: s.Layer, File: s.Pos.File, Line: s.Pos.Line, Column: s.Pos.Column}
}

// Named gives a Config its input by one name: a folder with a resgen.yaml, a configuration file, an OpenAPI document, "-" for a document on
// standard input, or a Go interface as Client.Iface names one. What cfg says beside goes for it: overlays, a policy file, a root.
func Named(cfg Config, name string) (Config, error) {
	if name == "-" {
		cfg.Client.Spec = name
		return cfg, nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isIface(name):
		cfg.Client = ofIface(cfg.Client, name)
	case err != nil:
		return cfg, fmt.Errorf("read: %w", err)
	case info.IsDir():
		cfg.File = filepath.Join(name, configFile)
	case info.Mode().IsRegular() && isConfig(name, info.Size()):
		cfg.File = name
	default:
		cfg.Client.Spec = name
	}
	return cfg, nil
}

// isIface reports whether a name that no file has is most likely that of a Go type.
func isIface(name string) bool {
	_, typ := splitIface(name)
	return token.IsIdentifier(typ) && !slices.Contains([]string{"yaml", "yml", "json"}, strings.ToLower(typ))
}

// ofIface names an interface. One that is named by its folder is read from there, as the folder may be of another module than the working
// directory: it may be of another worktree.
func ofIface(c Client, name string) Client {
	c.Iface = name
	pkg, typ := splitIface(name)
	if info, err := os.Stat(filepath.FromSlash(pkg)); pkg != "" && err == nil && info.IsDir() {
		c.dir, c.Iface = filepath.FromSlash(pkg), "./."+typ
	}
	return c
}

// largestConfig is far more than a configuration has, and little to read twice.
const largestConfig = 1 << 20

// isConfig reports whether a file is a configuration and no document: it lists clients.
func isConfig(name string, size int64) bool {
	if size > largestConfig {
		return false
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return false // whoever reads it next says so
	}
	tree, err := source.Read(name, data)
	return err == nil && tree.Get("clients") != nil && tree.Get("openapi") == nil && tree.Get("swagger") == nil
}
