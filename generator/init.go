package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/artefact"
	"github.com/resgen-go/resgen/generator/internal/config"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// The names of the files that Init writes, and of the JSON Schemas beside them that it points editors at where they are there.
const (
	configFile   = "resgen.yaml"
	policyFile   = "resgen.policy.yaml"
	configSchema = "resgen.schema.json"
	policySchema = "resgen.policy.schema.json"
)

// Starter is what Init found and made.
type Starter struct {
	// Result holds the diagnostics, and the one client where there was no error.
	Result *Result
	// Dir is where the files are, Files their names: none where there was an error.
	Dir   string
	Files []string

	operations []artefact.Inferred
}

// Init reads the document or interface of cfg.Client, with its overlays, and writes a resgen.yaml and a policy file into a folder: a
// configuration of that client, and a suggestion for each of its operations that holds once its author takes it. As written the policy
// file changes nothing. Of cfg.Client it takes Spec, Iface, Tags, Overlays, Include and Exclude.
//
// Files that are there already are never replaced: that is ErrExists, and nothing is written. What is wrong with the document is in the
// diagnostics, and then nothing is written either. Other errors are as those of Run.
func Init(ctx context.Context, cfg Config, dir string) (*Starter, error) {
	s := &Starter{Result: &Result{}, Dir: filepath.Clean(dir)}
	if err := checkInit(&cfg, s.Dir); err != nil {
		return s, err
	}
	ctx, cancel := bounded(ctx, &cfg)
	defer cancel()
	read := cfg
	read.Mode = Lint
	if cfg.Client.Iface == "" {
		read.Client.Out = s.Dir // beside the lock that remembers remote documents
	}
	var err error
	if s.Result, err = Run(ctx, read); err != nil || s.Result.HasErrors() {
		return s, err
	}
	pages, err := s.pages(ctx, &cfg)
	if err != nil {
		return s, err
	}
	if err := create(s.Dir, pages); err != nil {
		return s, err
	}
	for _, p := range pages {
		s.Files = append(s.Files, p.Name)
	}
	return s, nil
}

// checkInit checks what a command line must say, and that there is nothing to be replaced.
func checkInit(cfg *Config, dir string) error {
	c := &cfg.Client
	switch {
	case cfg.File != "":
		return fmt.Errorf("%w: init makes the configuration, and takes none", ErrUsage)
	case c.Spec == "-":
		return fmt.Errorf("%w: resgen.yaml names the document, so it must be a file: give --spec FILE", ErrUsage)
	case c.Out != "" || c.Package != "" || c.Policy != "":
		return fmt.Errorf("%w: init chooses the output, the package and the policy file; change them in resgen.yaml", ErrUsage)
	}
	if err := checkClient(c, Lint); err != nil {
		return err
	}
	var there []string
	for _, name := range []string{configFile, policyFile} {
		path := filepath.Join(dir, name)
		switch _, err := os.Lstat(path); {
		case err == nil:
			there = append(there, filepath.ToSlash(path))
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("init: %w", err)
		}
	}
	return exist(there)
}

// exist is the error of files that are there; nil for none.
func exist(there []string) error {
	if len(there) == 0 {
		return nil
	}
	verb := " is"
	if len(there) > 1 {
		verb = " are"
	}
	return fmt.Errorf("%w: %s%s there already; move what is there away, or choose another folder with --out", ErrExists, strings.Join(there, " and "), verb)
}

// pages are the files.
func (s *Starter) pages(ctx context.Context, cfg *Config) ([]artefact.Page, error) {
	o := &s.Result.Outputs[0]
	s.operations = artefact.Infer(o.api, o.pkg)
	starter := artefact.Starter{Source: sourceName(&cfg.Client), Interface: o.api.Interface != nil, Operations: s.operations, Schema: s.schema(policySchema)}
	starter.Taken = classNames(o.api)
	policy, err := suggested(ctx, o, starter.Policy())
	if err != nil {
		return nil, err
	}
	view, err := s.config(cfg, o)
	if err != nil {
		return nil, err
	}
	page, err := view.Page()
	if err != nil {
		return nil, err
	}
	return []artefact.Page{{Name: configFile, Data: page.Data}, {Name: policyFile, Data: policy}}, nil
}

// sourceName is how the policy file calls what its operations are of.
func sourceName(c *Client) string {
	if c.Iface != "" {
		return c.Iface
	}
	return filepath.ToSlash(filepath.Base(c.Spec))
}

// schema is the way to a JSON Schema that lies beside the files, by which editors complete and check; empty where there is none.
func (s *Starter) schema(name string) string {
	if info, err := os.Stat(filepath.Join(s.Dir, name)); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return "./" + name
}

// classNames are the timeout classes that a document, or the package of an interface, has of its own.
func classNames(api *model.API) []string {
	if api.Raw == nil {
		return nil
	}
	classes := api.Raw.Get("timeout-classes")
	if classes == nil {
		return nil
	}
	var names []string
	for i := range classes.Map {
		names = append(names, classes.Map[i].Key)
	}
	return names
}

// config is the view of resgen.yaml.
func (s *Starter) config(cfg *Config, o *Output) (*artefact.Config, error) {
	c := &cfg.Client
	view := &artefact.Config{Schema: s.schema(configSchema), Policy: policyFile, Include: c.Include, Exclude: c.Exclude}
	from := func(name string) (string, error) { return relative(s.Dir, name) }
	var err error
	if c.Iface != "" {
		if view.Iface, err = s.iface(c.Iface); o.foreign {
			view.Package = packageName(o.api.Interface.PkgName)
			view.Out = "internal/" + view.Package + "/" + fileName(o.api.Interface.Name)
		}
		if c.Tags != "" {
			view.Tags = strings.Split(c.Tags, ",")
		}
		return view, err
	}
	view.Package = clientName(c.Spec, o.api)
	view.Out = "internal/" + view.Package
	if view.Spec, err = from(c.Spec); err != nil {
		return nil, err
	}
	for _, overlay := range c.Overlays {
		name, err := from(overlay)
		if err != nil {
			return nil, err
		}
		view.Overlays = append(view.Overlays, name)
	}
	root := cfg.Root
	if root == "" && !filepath.IsLocal(filepath.FromSlash(view.Spec)) {
		root = filepath.Dir(c.Spec) // what the document names lies there, not below the configuration
	}
	if root != "" {
		view.Root, err = from(root)
	}
	return view, err
}

// iface is an interface as resgen.yaml names it: a folder is named from there.
func (s *Starter) iface(name string) (string, error) {
	pkg, typ := splitIface(name)
	if pkg != "" && !strings.HasPrefix(pkg, ".") && !filepath.IsAbs(pkg) {
		return name, nil
	}
	if pkg == "" {
		pkg = "."
	}
	rel, err := relative(s.Dir, filepath.FromSlash(pkg))
	switch {
	case err != nil || rel == ".":
		return typ, err
	case strings.HasPrefix(rel, "."):
		return rel + "." + typ, nil
	default:
		return "./" + rel + "." + typ, nil
	}
}

// plainNames are names of files that say nothing of the API.
var plainNames = map[string]bool{"api": true, "client": true, "doc": true, "document": true, "openapi": true, "schema": true, "spec": true, "swagger": true}

// clientName is a name for the client of a document and for its package: the file's, else the first word of the title.
func clientName(spec string, api *model.API) string {
	base := filepath.Base(spec)
	stem, _, _ := strings.Cut(base, ".")
	title := strings.Fields(api.Title)
	for _, name := range append([]string{stem}, title...) {
		name = strings.Map(asciiLower, name)
		if name != "" && !plainNames[name] && len(name) <= 30 && config.ValidPackage(name) && config.ValidName(name) {
			return name
		}
	}
	return "client"
}

// asciiLower keeps letters and digits.
func asciiLower(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
		return r
	default:
		return -1
	}
}
