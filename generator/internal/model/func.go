package model

import "github.com/resgen-go/resgen/generator/internal/source"

// Interface is a Go interface, with the package that its wrapper is to be written into.
type Interface struct {
	// PkgPath and PkgName are those of the package that declares it.
	PkgPath, PkgName string
	// Name is its name as declared.
	Name string
	// TypeParams are its type parameters.
	TypeParams []GoTypeParam
	// Into is the package that the wrapper goes into.
	Into GoPackage
	// Beside are the names of the interfaces, of whichever package, that are wrapped in the same run.
	Beside []string
	// Constraint is the build constraint of the file that declares it, such as "linux && !cgo"; empty for none.
	Constraint string
	// Foreign says that its files are not the user's own: it is of another module.
	Foreign bool
	Pos     source.Pos
	// Doc are the author's words. Directives are those of the type, and PackageDirectives those of the package clauses, in the order of
	// their files.
	Doc                           string
	Directives, PackageDirectives []source.Directive
	// Symbol says what a Go name stands for that an annotation of errors gives: "ErrBusy", "*net.OpError", "example.com/sdk.IsBusy". Nil:
	// nothing is known of any.
	Symbol func(name string) GoSymbol
}

// GoPackage is what is known of a package that something is generated into.
type GoPackage struct {
	Path, Name string
	// Names are the identifiers that its hand-written files declare at package level, sorted.
	Names []string
	// Interfaces are those of them that are interfaces: their wrappers may come to stand beside this one.
	Interfaces []string
	// Same says that it is the package that declares the interface.
	Same bool
}

// GoTypeParam is a type parameter with its constraint.
type GoTypeParam struct {
	Name       string
	Constraint GoType
}

// FuncBinding reaches an operation by a method of a Go interface.
type FuncBinding struct {
	Method string
	// Params are all parameters, the context among them; the type of the last one is a GoSlice where Variadic is set.
	Params   []GoParam
	Variadic bool
	Results  []GoParam
	// Ctx is the index of the first parameter that is a context.Context, Err that of the last result that is an error; -1: none.
	Ctx, Err int
	// Answer says what the results beside the error are.
	Answer Answer
	// OneShot are the indexes of parameters that can be read once: readers, channels, functions that give one item after the other.
	OneShot []int
}

// Passed reports whether the method is passed through as it is: without a context there is nothing to end, and without an error nothing
// to tell.
func (b *FuncBinding) Passed() bool {
	return b.Ctx < 0 || b.Err < 0 && b.Answer != LazyStream
}

// Answer says what the results of a Go method are, beside its error.
type Answer uint8

// The answers.
const (
	// NoValue is nothing but the error, OneValue one value that is complete when the method returns, SeveralValues more of these.
	NoValue Answer = iota
	OneValue
	SeveralValues
	// HeldValue is one or more values that may be at work after the method has returned: what has a Close method, functions, contexts,
	// channels and iterators beside other results. The context of the attempt that gave it must outlive the method.
	HeldValue
	// SeqStream is an iter.Seq, Seq2Stream an iter.Seq2, ChanStream a channel to receive from, ReaderStream an io.ReadCloser, each
	// alone beside the error.
	SeqStream
	Seq2Stream
	ChanStream
	ReaderStream
	// LazyStream is an iter.Seq2 whose second type is error, as the only result: everything happens inside the range.
	LazyStream
)

// Streams reports whether what the method answers comes item by item.
func (a Answer) Streams() bool { return a >= SeqStream }

// GoParam is a parameter or a result.
type GoParam struct {
	// Name is as declared; empty or "_" where it has none.
	Name string
	Type GoType
	// NoJSON says what JSON does not show of the type's values; empty where it shows all.
	NoJSON string
}

func (*FuncBinding) binding() {}

// SymbolSort says what a Go name stands for, as far as the errors of methods are concerned.
type SymbolSort uint8

// The sorts.
const (
	// NoSymbol is none of the others; GoSymbol.Why says why.
	NoSymbol SymbolSort = iota
	// ErrorVar is a variable that is an error, ErrorType a type of errors, ErrorTest a func(error) bool, ErrorKind a func(error) that
	// returns a policy.Kind.
	ErrorVar
	ErrorType
	ErrorTest
	ErrorKind
)

// GoSymbol is what a Go name stands for.
type GoSymbol struct {
	Sort SymbolSort
	// Type is how it is spelled; variables and functions are spelled as types of that name.
	Type GoType
	// Why says what is wrong where Sort is NoSymbol, and Near is the name that was most likely meant.
	Why, Near string
}
