package emit

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// File is one output file, formatted and complete with its header.
type File struct {
	// Name is the file's name in the output folder.
	Name string
	// Data is the content.
	Data []byte
}

// output is one file of the package: its name and what prints it.
type output struct {
	name string
	emit func(*kit)
}

// isOutside reports whether a file is of a package of its own, which imports the client's.
func isOutside(name string) bool {
	return strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/")
}

// outsidePackage is the name of that package.
func outsidePackage(pkg *plan.Package, name string) string {
	if name == serverFile(pkg) {
		return serverPackage(pkg)
	}
	return pkg.Name + "_test"
}

// outputs are all files of a package, in the order in which Files returns them.
func outputs() []output {
	return []output{
		{"client.gen.go", emitClient},
		{"operations.gen.go", emitOperations},
		{"options.gen.go", emitOptions},
		{"policies.gen.go", emitPolicies},
		{"requests.gen.go", emitRequests},
		{"responses.gen.go", emitResponses},
		{"types.gen.go", emitTypes},
	}
}

// Files prints the package. The files are sorted by name; equal plans give equal bytes. An error is a fault of resgen: one *Fault for
// each file that could not be printed, joined. It only reads the plan.
func Files(pkg *plan.Package) ([]File, error) {
	shared := newScope(pkg)
	all := outputs()
	if pkg.Interface != nil {
		all = []output{{pkg.Interface.File, emitInterface}}
	}
	if pkg.Tests {
		all = append(all, output{testsFile, emitTests}, output{serverFile(pkg), emitServer})
	}
	files := make([]File, len(all))
	faults := make([]error, len(all))
	var wg sync.WaitGroup
	for i, o := range all {
		wg.Go(func() {
			k := newKit(shared, o.name)
			if isOutside(o.name) {
				k = newKitOutside(shared, o.name, outsidePackage(pkg, o.name))
			}
			o.emit(k)
			data, err := k.render()
			files[i] = File{Name: o.name, Data: data}
			if err != nil {
				faults[i] = err
			}
		})
	}
	wg.Wait()
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	files = withoutEmpty(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// withoutEmpty leaves out the files in which nothing is declared, such as the types of an API that has none.
func withoutEmpty(files []File) []File {
	kept := files[:0]
	for _, f := range files {
		if len(f.Data) > 0 {
			kept = append(kept, f)
		}
	}
	return kept
}
