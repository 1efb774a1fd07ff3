package generator_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// fixedMethods are the keys of a path item that are operations (OpenAPI 3.2 section 4.9).
var fixedMethods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// documentOperations lists the operations of a document as "METHOD /path", sorted. It reads the document by itself, so that it
// can tell what the generator has lost.
func documentOperations(name string) ([]string, error) {
	tree, err := readDocument(name)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, path := range slices.Concat(fields(tree.Get("paths")), fields(tree.Get("x-ms-paths"))) {
		if !strings.HasPrefix(path.Key, "/") {
			continue
		}
		item, err := pathItem(name, tree, &path.Value, 0)
		if err != nil {
			return nil, err
		}
		for _, f := range fields(item) {
			if slices.Contains(fixedMethods, f.Key) {
				all = append(all, strings.ToUpper(f.Key)+" "+path.Key)
			}
		}
		for _, f := range fields(item.Get("additionalOperations")) {
			all = append(all, f.Key+" "+path.Key)
		}
	}
	slices.Sort(all)
	return all, nil
}

// pathItem follows the references of a path item, within the document or into a file beside it.
func pathItem(name string, tree, item *source.Value, depth int) (*source.Value, error) {
	ref := item.Get("$ref")
	if ref == nil || depth > 10 {
		return item, nil
	}
	file, fragment, _ := strings.Cut(ref.Text, "#")
	if file != "" {
		name = filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
		var err error
		if tree, err = readDocument(name); err != nil {
			return nil, err
		}
	}
	steps, err := source.ParseFragment(fragment)
	if err != nil {
		return nil, err
	}
	found, err := tree.Lookup(source.Pointer(steps...))
	if err != nil {
		return nil, err
	}
	return pathItem(name, tree, found, depth+1)
}

func readDocument(name string) (*source.Value, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return source.Read(filepath.Base(name), data)
}

func fields(v *source.Value) []source.Field {
	if v == nil || v.Kind != source.Map {
		return nil
	}
	return v.Map
}

// requestLine is the paragraph of a method's comment that names its request.
var requestLine = regexp.MustCompile(`(?m)^([A-Za-z][A-Za-z-]*) (/.*?)\.(?: |$)`)

// clientOperations lists the requests of the interface API in a generated package as "METHOD /path", sorted, each once: the two
// methods of an operation that can stream are one operation.
func clientOperations(dir string) ([]string, error) {
	requests, err := clientMethods(dir)
	return slices.Compact(slices.Sorted(maps.Values(requests))), err
}

// clientMethods are the requests, as "METHOD /path", of the methods of the interface API in a generated package.
func clientMethods(dir string) (map[string]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.gen.go"))
	if err != nil {
		return nil, err
	}
	var methods []string
	requests := map[string]string{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.GenDecl:
				methods = append(methods, interfaceMethods(d, "API")...)
			case *ast.FuncDecl:
				if receiver(d) == "Client" {
					requests[d.Name.Name] = requestOf(d.Doc.Text())
				}
			}
		}
	}
	all := map[string]string{}
	for _, m := range methods {
		if requests[m] == "" {
			return nil, fmt.Errorf("the comment of %s names no request", m)
		}
		all[m] = requests[m]
	}
	return all, nil
}

// requestOf finds the request in a comment; it is named in the last paragraph, as a description may have lines of that form too.
func requestOf(doc string) string {
	paragraphs := strings.Split(strings.TrimSpace(doc), "\n\n")
	for _, p := range slices.Backward(paragraphs) {
		if m := requestLine.FindStringSubmatch(p); m != nil && strings.HasPrefix(p, m[0]) {
			return m[1] + " " + m[2]
		}
	}
	return ""
}

func interfaceMethods(d *ast.GenDecl, name string) []string {
	var out []string
	for _, spec := range d.Specs {
		ts, ok := spec.(*ast.TypeSpec)
		if !ok || ts.Name.Name != name {
			continue
		}
		if it, ok := ts.Type.(*ast.InterfaceType); ok {
			for _, m := range it.Methods.List {
				out = append(out, m.Names[0].Name)
			}
		}
	}
	return out
}

// receiver is the type of a method's receiver, without its pointer, or "".
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return ""
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// without returns what is in a and not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}
