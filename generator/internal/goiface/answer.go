package goiface

import (
	"go/types"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// answers finds the context and the error of a method, what it answers, and the arguments that can be used once.
func (w *walk) answers(sig *types.Signature, bind *model.FuncBinding, at use) {
	i := 0
	for v := range sig.Params().Variables() {
		switch {
		case bind.Ctx < 0 && isNamed(v.Type(), "context", "Context"):
			bind.Ctx = i
		case isOneShot(v.Type()):
			bind.OneShot = append(bind.OneShot, i)
		}
		i++
	}
	var values []types.Type
	for i := range sig.Results().Len() {
		if types.Identical(sig.Results().At(i).Type(), types.Universe.Lookup("error").Type()) {
			bind.Err = i
		}
	}
	for i := range sig.Results().Len() {
		if i != bind.Err {
			values = append(values, sig.Results().At(i).Type())
		}
	}
	bind.Answer = answerOf(values, bind.Err >= 0)
	if bind.Answer.Streams() { // an alias would hide what the items are
		for i := range bind.Results {
			if i != bind.Err {
				bind.Results[i].Type = w.typeOf(types.Unalias(values[0]), at)
			}
		}
	}
}

// answerOf says what the results beside the error are.
func answerOf(values []types.Type, hasError bool) model.Answer {
	if len(values) == 0 {
		return model.NoValue
	}
	if len(values) == 1 {
		if s := streamOf(values[0]); s != model.NoValue && hasError {
			return s
		}
		if isLazy(values[0]) && !hasError {
			return model.LazyStream
		}
	}
	if slices.ContainsFunc(values, isHeld) {
		return model.HeldValue
	}
	if len(values) > 1 {
		return model.SeveralValues
	}
	return model.OneValue
}

// streamOf is the sort of stream that a type is; NoValue for none.
func streamOf(t types.Type) model.Answer {
	t = types.Unalias(t)
	if c, ok := t.(*types.Chan); ok && c.Dir() == types.RecvOnly {
		return model.ChanStream
	}
	switch {
	case isNamed(t, "iter", "Seq"):
		return model.SeqStream
	case isNamed(t, "iter", "Seq2"):
		return model.Seq2Stream
	case isNamed(t, "io", "ReadCloser"):
		return model.ReaderStream
	default:
		return model.NoValue
	}
}

// isLazy reports an iter.Seq2 that carries its errors beside its items.
func isLazy(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !isNamed(named, "iter", "Seq2") || named.TypeArgs().Len() != 2 { //nolint:mnd // Seq2 has two
		return false
	}
	return types.Identical(named.TypeArgs().At(1), types.Universe.Lookup("error").Type())
}

// isHeld reports a value that may be at work after the method that gave it has returned: one that is to be closed, or holds what is, and
// what can call back: a function, a channel, a context.
func isHeld(t types.Type) bool {
	if isOpen(t) {
		return true
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if (f.Exported() || f.Embedded()) && hasClose(f.Type()) {
			return true
		}
	}
	return false
}

func isOpen(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return true
	default:
		return isNamed(t, "context", "Context") || hasClose(t)
	}
}

// hasClose reports whether values of a type, or pointers to them, are closed.
func hasClose(t types.Type) bool {
	for _, name := range []string{"Close", "Stop", "Rollback"} {
		if m := methodOf(t, name); m != nil && m.Signature().Params().Len() <= 1 {
			return true
		}
	}
	return false
}

// methodOf is an exported method of a type or of pointers to it.
func methodOf(t types.Type, name string) *types.Func {
	if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
		return nil
	}
	found, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	m, _ := found.(*types.Func)
	return m
}

// isOneShot reports an argument that an attempt uses up: a reader that cannot seek, a channel that is received from.
func isOneShot(t types.Type) bool {
	if c, ok := t.Underlying().(*types.Chan); ok {
		return c.Dir() != types.SendOnly
	}
	if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
		return false
	}
	read := methodOf(t, "Read")
	if read == nil || !isReading(read.Signature()) {
		return false
	}
	return true
}

// isReading reports the signature of io.Reader's Read.
func isReading(s *types.Signature) bool {
	const both = 2
	if s.Params().Len() != 1 || s.Results().Len() != both {
		return false
	}
	bytes, ok := s.Params().At(0).Type().Underlying().(*types.Slice)
	return ok && types.Identical(bytes.Elem(), types.Typ[types.Byte])
}

// isNamed reports a type of that package and name, whatever its arguments.
func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// isInvalid reports a type that the type checker could not make out, at any depth of its spelling.
func isInvalid(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Alias:
		return isInvalid(types.Unalias(t))
	case *types.Pointer:
		return isInvalid(t.Elem())
	case *types.Slice:
		return isInvalid(t.Elem())
	case *types.Array:
		return isInvalid(t.Elem())
	case *types.Chan:
		return isInvalid(t.Elem())
	case *types.Map:
		return isInvalid(t.Key()) || isInvalid(t.Elem())
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if isInvalid(a) {
				return true
			}
		}
		return false
	case *types.Signature:
		return isInvalidTuple(t.Params()) || isInvalidTuple(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if isInvalid(f.Type()) {
				return true
			}
		}
		return false
	default:
		return false
	}
}

func isInvalidTuple(t *types.Tuple) bool {
	for v := range t.Variables() {
		if isInvalid(v.Type()) {
			return true
		}
	}
	return false
}
