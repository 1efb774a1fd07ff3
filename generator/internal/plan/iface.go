package plan

import (
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Interface is the wrapper of a Go interface: one file, in a package that may have others of its kind and files of its author's.
type Interface struct {
	// Name is the interface as declared, and Type how the wrapper's file spells it, its type parameters as arguments.
	Name string
	Type GoType
	// TypeParams are its type parameters.
	TypeParams []TypeParam
	// Constraint is the build constraint that the file carries; empty for none.
	Constraint string
	// File is the name of the output file.
	File string

	// Wrapper, New and Option are the type (ResilientStore), its constructor (NewResilientStore) and its options (StoreOption). Of an
	// interface that is not exported all are unexported.
	Wrapper, New, Option string
	// TargetOption and RuntimeOption are WithStoreTarget and WithStoreRuntime. Those of wired functions and values are in
	// Client.Wirings.
	TargetOption, RuntimeOption string
	// Stem begins the unexported package-level names of the wrapper ("store" for storeGetPolicy); whatever begins with it and an upper
	// case letter is free, except for the names that are given here.
	Stem string
	// Spec is the package-level variable that holds the wrapper's name and targets.
	Spec string
	// Taken are names of the package that begin as those of the wrapper do, in order.
	Taken []string
	// Unwrap is the method that returns the implementation that was wrapped; empty where the interface has a method of that name. Next is
	// the field that holds it, and Choose the method that returns the implementation of a target by its name.
	Unwrap, Next, Choose string
	// Targets are the implementations beside the one that is wrapped, which some rung or hedge calls: those of Client.Targets without
	// the primary one.
	Targets []IfaceTarget
	// Classifiers say what errors mean.
	Classifiers []Classifier

	// Imports name every package that the file may import, those of signatures and the emitter's own: the name is free in the package
	// and hidden by no parameter.
	Imports []Import
	// Methods are all methods, embedded ones included, in the order of their declaration, those of embedded interfaces in the place of the
	// embedding.
	Methods []Method
}

// Import is a package with the name that the file imports it by.
type Import struct{ Path, Name string }

// IfaceTarget is an implementation beside the one that is wrapped: how annotations call it, and the wrapper's field that holds it.
type IfaceTarget struct{ Name, Field string }

// Classifier is a function that says what the errors of some methods mean.
type Classifier struct {
	// Func is its name, free in the package; Source is what its comment names: "store.go: Store.errors".
	Func, Source string
	// Rules are asked in order.
	Rules []ErrorRule
}

// ErrorRule is one thing that is asked of an error. One of Is, As and Call is set.
type ErrorRule struct {
	// Kind is what the error is then; KindNone leaves it to Call, which returns a policy.Kind.
	Kind policy.Kind
	// Is is a variable that the error is, As a type that it holds (one with an Error method), Call a function that knows: a
	// func(error) bool, or where Kind is KindNone a func(error) policy.Kind. Is and Call are spelled as a Local or a Qual.
	Is, As, Call GoType
}

// TypeParam is a type parameter.
type TypeParam struct {
	Name       string
	Constraint GoType
}

// Method is one method of the wrapper.
type Method struct {
	// Name is the method, exported or not. Doc are the author's words, with why the method is passed through where it is.
	Name string
	Doc  Comment
	// Params and Results have names that hide nothing that the method's body may need: no package, type, predeclared name or local of the
	// emitter. The context is called ctx. Results have names only where all of them may keep theirs.
	Params, Results []Named
	Variadic        bool
	// Ctx and Err are indexes of Params and Results; -1 for none.
	Ctx, Err int
	// Answer says what the results beside the error are; Values are their indexes.
	Answer model.Answer
	Values []int
	// Key is the index of the parameter that holds the idempotency key of a keyed operation whose key comes from a parameter; -1: none.
	Key int
	// Operation is the index in Client.Operations; -1 for a method that is passed through.
	Operation int
	// Field is the wrapper's field that holds the runtime.Operation.
	Field string
	// Twin is the name of a further method that returns a runtime.Result; empty for none, as where the answer is SeveralValues, or a
	// HeldValue of several, or lazy.
	Twin string
	// Classifier is the Func of the classifier of the method's errors; empty for none.
	Classifier string
	// Asks are the indexes of the parameters that tell one call from another, for caches and for limits of tokens; nil where nothing looks
	// at them.
	Asks []int
}
