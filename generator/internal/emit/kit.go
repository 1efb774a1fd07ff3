package emit

import (
	"fmt"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// The packages that generated code may import.
const (
	cmpPath     = "cmp"
	contextPath = "context"
	jsonPath    = "encoding/json"
	httpPath    = "net/http"
	iterPath    = "iter"
	timePath    = "time"
	testingPath = "testing"
	runtimePath = "github.com/resgen-go/resgen/runtime"
	policyPath  = runtimePath + "/policy"
	wirePath    = runtimePath + "/wire"
	oauthPath   = runtimePath + "/oauth"

	runtimetestPath = runtimePath + "/runtimetest"
)

// importNames fixes the name of every package that generated code may import: jennifer gives an alias to any path that has no
// hint, and numbers names that collide.
var importNames = map[string]string{
	cmpPath: "cmp", contextPath: "context", jsonPath: "json", httpPath: "http", iterPath: "iter", timePath: "time",
	runtimePath: "runtime", policyPath: "policy", wirePath: "wire", oauthPath: "oauth",
	testingPath: "testing", runtimetestPath: "runtimetest",
}

// kit wraps jennifer for one file: it validates what jennifer prints unchecked, and collects errors so that emitters need not
// return them.
type kit struct {
	*scope

	name string
	file *jen.File
	errs []error
	// declares says that the file has a declaration: without one it is not written.
	declares bool
	// outside says that the file is of another package, which imports the client's.
	outside bool
}

// local is a name that the client's package declares.
func (k *kit) local(name string) *jen.Statement {
	code := k.id(name)
	if k.outside {
		return jen.Qual(k.pkg.ImportPath, name)
	}
	return code
}

// failf notes that the plan holds what cannot be printed.
func (k *kit) failf(format string, args ...any) {
	k.errs = append(k.errs, fmt.Errorf(format, args...))
}

// id is an identifier. jennifer prints whatever it is given: everything that is not a Go identifier is refused here.
func (k *kit) id(name string) *jen.Statement {
	if !token.IsIdentifier(name) || name == "_" {
		k.failf("%q is not a Go identifier", name)
		return jen.Id("_")
	}
	return jen.Id(name)
}

// doc prints the doc comment of the declaration that follows, after an empty line. Where the plan has no lines it is a sentence
// of resgen's own.
func (k *kit) doc(lines plan.Comment, otherwise ...string) {
	k.file.Line()
	if len(lines) == 0 {
		lines = otherwise
	}
	if len(lines) > 0 {
		k.file.Add(commentOf(lines))
	}
}

// add prints one declaration.
func (k *kit) add(code jen.Code) {
	k.file.Add(code)
	k.declares = true
}

// stringLit is a string literal: raw where that spares escapes and every character can be seen, else quoted.
func stringLit(s string) *jen.Statement {
	if strings.ContainsAny(s, "\"\\") && strconv.CanBackquote(s) && !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return jen.Op("`" + s + "`") // no character in it ends it
	}
	return jen.Lit(s)
}

// stringArgs is an argument list of strings, over several lines where one would be too long.
func stringArgs(texts []string) *jen.Statement {
	const indent = 60 // what stands before it
	width := indent
	widths := make([]int, len(texts))
	for i, t := range texts {
		widths[i] = len(strconv.Quote(t))
		width += widths[i] + len(", ")
	}
	if width <= lineWidth {
		return (&jen.Statement{}).Call(litStrings(texts)...)
	}
	return (&jen.Statement{}).Custom(argLines, rows(litStrings(texts), widths)...)
}

// rows are items over as many full lines as they need.
func rows(items []jen.Code, widths []int) []jen.Code {
	var rows []jen.Code
	from, width := 0, 0
	for i := range items {
		if width > 0 && width+widths[i] > lineWidth {
			rows = append(rows, jen.Custom(inline, items[from:i]...))
			from, width = i, 0
		}
		width += widths[i] + len(", ")
	}
	return append(rows, jen.Custom(inline, items[from:]...))
}

// longLine is the length up to which a function stands on one line.
const longLine = 120

// The layouts of lists, beside jennifer's own: on one line without brackets, values an item a line, a function's body on its line, and
// arguments an item a line.
var (
	inline   = jen.Options{Separator: ","}
	lines    = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}
	oneLine  = jen.Options{Open: "{ ", Close: " }"}
	argLines = jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}
)

// args is an argument list, an argument a line where there are many.
func args(list []jen.Code) *jen.Statement {
	const few = 3
	if len(list) <= few {
		return (&jen.Statement{}).Call(list...)
	}
	return (&jen.Statement{}).Custom(argLines, list...)
}

func litStrings(texts []string) []jen.Code {
	lits := make([]jen.Code, len(texts))
	for i, t := range texts {
		lits[i] = jen.Lit(t)
	}
	return lits
}

// typ is a type as Go spells it.
func (k *kit) typ(t plan.GoType) *jen.Statement {
	switch t := t.(type) {
	case plan.Basic:
		if _, ok := types.Universe.Lookup(t.Name).(*types.TypeName); !ok {
			k.failf("%q is not a predeclared type", t.Name)
		}
		return k.id(t.Name)
	case plan.Local:
		return k.local(t.Name)
	case plan.Pointer:
		return jen.Op("*").Add(k.typ(t.Elem))
	case plan.Slice:
		return jen.Index().Add(k.typ(t.Elem))
	case plan.MapOf:
		return jen.Map(jen.String()).Add(k.typ(t.Elem))
	case plan.Qual:
		return k.qual(t.Path, t.Name, t.Args...)
	default:
		return k.literalType(t)
	}
}

// qual is a name of another package, with type arguments.
func (k *kit) qual(path, name string, args ...plan.GoType) *jen.Statement {
	if _, ok := k.imports[path]; !ok {
		k.failf("generated code may not import %q", path)
	}
	k.id(name)
	s := jen.Qual(path, name)
	if len(args) == 0 {
		return s
	}
	codes := make([]jen.Code, len(args))
	for i, a := range args {
		codes[i] = k.typ(a)
	}
	return s.Types(codes...)
}
