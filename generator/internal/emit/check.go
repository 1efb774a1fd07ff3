package emit

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/txtar"
)

//go:generate go run ./internal/genstubs

// stubs are the declarations of the packages that generated code may import; genstubs made them.
//
//go:embed stubs.txtar
var stubs []byte

// goVersion is the language version that generated code is written in.
const goVersion = "go1.26"

// Check type-checks the files as one package of the given import path, which may be empty, against embedded declarations of the
// packages that generated code may import. It needs neither the go command nor the module cache. An error is a fault of resgen: the
// *Faults of all files joined, in the order of the files.
func Check(files []File, importPath string) error {
	_, err := Load(files, importPath)
	return err
}

// Load type-checks as Check does, and returns what was declared.
func Load(files []File, importPath string) (*Loaded, error) {
	fset := token.NewFileSet()
	parsed, err := parseFiles(fset, files)
	if err != nil {
		return nil, err
	}
	declared, err := newStubImporter(fset)
	if err != nil {
		return nil, err
	}
	inside, outside := apart(files, parsed)
	pkg, faults, err := typeCheck(files, importPath, fset, inside, declared)
	if err != nil && len(faults) == 0 {
		return nil, fmt.Errorf("type-check: %w", err)
	}
	if len(faults) == 0 {
		faults, err = declared.checkOutside(pkg, files, outside)
	}
	if err != nil && len(faults) == 0 {
		return nil, fmt.Errorf("type-check: %w", err)
	}
	return loaded(pkg, fset, files), errors.Join(faults...)
}

// apart are the files of the package itself, and those of packages that import it, by the names of those.
func apart(files []File, parsed []*ast.File) (inside []*ast.File, outside map[string][]*ast.File) {
	outside = map[string][]*ast.File{}
	for i, f := range parsed {
		if isOutside(files[i].Name) {
			outside[f.Name.Name] = append(outside[f.Name.Name], f)
		} else {
			inside = append(inside, f)
		}
	}
	return inside, outside
}

// checkOutside type-checks the packages that import one that was checked.
func (imp *stubImporter) checkOutside(pkg *types.Package, files []File, outside map[string][]*ast.File) (faults []error, err error) {
	imp.packages[pkg.Path()] = pkg
	for _, name := range slices.Sorted(maps.Keys(outside)) {
		_, found, wrong := typeCheck(files, name, imp.fset, outside[name], imp)
		faults = append(faults, found...)
		err = errors.Join(err, wrong)
	}
	return faults, err
}

// Loaded is what generated files declare.
type Loaded struct {
	// Package is the package, with what others have declared in it.
	Package *types.Package
	// Objects are what the files declare in its scope, sorted by name.
	Objects []types.Object
}

// loaded finds what files declare among all that stands in their package.
func loaded(pkg *types.Package, fset *token.FileSet, files []File) *Loaded {
	out := &Loaded{Package: pkg}
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		in := fset.Position(o.Pos()).Filename
		if slices.ContainsFunc(files, func(f File) bool { return f.Name == in }) {
			out.Objects = append(out.Objects, o)
		}
	}
	return out
}

// typeCheck type-checks parsed files as one package, and returns its faults in the order of the files: those of no file among them first.
func typeCheck(
	files []File, importPath string, fset *token.FileSet, parsed []*ast.File, imp types.Importer,
) (pkg *types.Package, faults []error, err error) {
	conf := checkConfig(imp)
	conf.Error = func(err error) { faults = append(faults, faultOf(files, err)) }
	pkg, err = conf.Check(cmp.Or(importPath, "client"), fset, parsed, nil)
	slices.SortStableFunc(faults, func(a, b error) int { return fileIndex(files, a) - fileIndex(files, b) })
	return pkg, faults, err //nolint:wrapcheck // its caller says what was checked
}

// checkConfig is the same on every machine: the sizes are those of 64 bits.
func checkConfig(imp types.Importer) types.Config {
	return types.Config{GoVersion: goVersion, Importer: imp, Sizes: types.SizesFor("gc", "amd64")}
}

// parseFiles parses all files at once.
func parseFiles(fset *token.FileSet, files []File) ([]*ast.File, error) {
	parsed := make([]*ast.File, len(files))
	faults := make([]error, len(files))
	var wg sync.WaitGroup
	for i, f := range files {
		wg.Go(func() {
			var err error
			parsed[i], err = parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution)
			if err != nil {
				faults[i] = faultOf(files, err)
			}
		})
	}
	wg.Wait()
	return parsed, errors.Join(faults...)
}

// faultOf gives an error of the parser or the type checker its file.
func faultOf(files []File, err error) error {
	fault := &Fault{Err: err}
	var pos token.Position
	if list, ok := errors.AsType[scanner.ErrorList](err); ok && len(list) > 0 {
		pos, fault.Err = list[0].Pos, errors.New(list[0].Msg)
	}
	if wrong, ok := errors.AsType[types.Error](err); ok {
		pos, fault.Err = wrong.Fset.Position(wrong.Pos), errors.New(wrong.Msg)
	}
	fault.Line, fault.Column = pos.Line, pos.Column
	for _, f := range files {
		if f.Name == pos.Filename {
			fault.File = f
		}
	}
	return fault
}

func fileIndex(files []File, err error) int {
	fault, ok := errors.AsType[*Fault](err)
	if !ok {
		return -1
	}
	return slices.IndexFunc(files, func(f File) bool { return f.Name == fault.File.Name })
}

// stubImporter imports the embedded declarations, and nothing else.
type stubImporter struct {
	fset     *token.FileSet
	sources  map[string][]byte
	packages map[string]*types.Package
	// loaded are packages that come before the declarations; nil for none.
	loaded func(path string) *types.Package
}

func newStubImporter(fset *token.FileSet) (*stubImporter, error) {
	imp := &stubImporter{fset: fset, sources: map[string][]byte{}, packages: map[string]*types.Package{}}
	for _, f := range txtar.Parse(stubs).Files {
		imp.sources[f.Name] = f.Data
	}
	if len(imp.sources) == 0 {
		return nil, errors.New("the embedded declarations are empty")
	}
	return imp, nil
}

// Import makes it a types.Importer.
func (imp *stubImporter) Import(path string) (*types.Package, error) {
	if pkg, ok := imp.packages[path]; ok {
		return pkg, nil
	}
	if pkg, err := imp.fromLoaded(path); pkg != nil || err != nil {
		return pkg, err
	}
	pkg, err := imp.declared(path)
	if err == nil {
		imp.packages[path] = pkg
	}
	return pkg, err
}

// declared is a package as its declarations have it.
func (imp *stubImporter) declared(path string) (*types.Package, error) {
	source, ok := imp.sources[path]
	if !ok {
		return nil, fmt.Errorf("generated code may not import %q", path)
	}
	file, err := parser.ParseFile(imp.fset, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("embedded declarations: %w", err)
	}
	conf := checkConfig(imp)
	conf.IgnoreFuncBodies = true
	pkg, err := conf.Check(path, imp.fset, []*ast.File{file}, nil)
	if err != nil {
		return nil, fmt.Errorf("embedded declarations: %w", err)
	}
	return pkg, nil
}
