package plan

// Use says where a type is used: what only one side writes needs no code for the other. The zero value is a type that no operation
// uses, of which nothing is known.
type Use uint8

// The uses; a type may have both.
const (
	// Sent is a type in what callers send.
	Sent Use = 1 << iota
	// Answered is a type in what servers answer.
	Answered
)

// IsSent reports whether callers may send values of the type.
func (u Use) IsSent() bool { return u&Sent != 0 || u == 0 }

// IsAnswered reports whether servers may answer with values of the type.
func (u Use) IsAnswered() bool { return u&Answered != 0 || u == 0 }

// markUses finds out where the enums of a package are used.
func markUses(pkg *Package) {
	of := Uses(pkg)
	for _, d := range pkg.Types {
		if enum, ok := d.(*EnumDecl); ok {
			enum.Use = of[enum.Name]
		}
	}
}

// Uses are those of the declared types of a package, by name.
func Uses(pkg *Package) map[string]Use {
	u := uses{decls: make(map[string]TypeDecl, len(pkg.Types)), of: map[string]Use{}}
	for _, d := range pkg.Types {
		u.decls[d.declName()] = d
	}
	for i := range pkg.Client.Operations {
		op := &pkg.Client.Operations[i]
		u.mark(op.Request.Param, Sent)
		u.mark(op.Response.Result, Answered)
		if s := op.Response.Stream; s != nil {
			u.mark(s.Item, Answered)
		}
		for j := range op.Response.Cases {
			u.mark(op.Response.Cases[j].Type, Answered)
		}
	}
	for _, d := range pkg.Types {
		if h, ok := d.(*HeaderDecl); ok {
			u.within(h, Answered)
		}
	}
	return u.of
}

// uses walks from the operations through the types.
type uses struct {
	decls map[string]TypeDecl
	of    map[string]Use
}

// mark notes a use of a type, and of all that it holds.
func (u *uses) mark(t GoType, use Use) {
	switch t := t.(type) {
	case Pointer:
		u.mark(t.Elem, use)
	case Slice:
		u.mark(t.Elem, use)
	case MapOf:
		u.mark(t.Elem, use)
	case Qual:
		for _, arg := range t.Args {
			u.mark(arg, use)
		}
	case Local:
		if u.of[t.Name]&use == 0 {
			u.of[t.Name] |= use
			u.within(u.decls[t.Name], use)
		}
	}
}

// within notes the use of what a declaration holds.
func (u *uses) within(d TypeDecl, use Use) {
	switch d := d.(type) {
	case *StructDecl:
		for i := range d.Fields {
			u.mark(d.Fields[i].Type, use)
		}
		u.mark(d.Additional.Elem, use)
	case *UnionDecl:
		for i := range d.Variants {
			u.mark(d.Variants[i].Type, use)
		}
	case *DefinedDecl:
		u.mark(d.Type, use)
	case *ResponseDecl:
		for i := range d.Variants {
			u.mark(d.Variants[i].Type, use)
		}
	case *HeaderDecl:
		for i := range d.Fields {
			u.mark(d.Fields[i].Type, use)
		}
	}
}

// NameOf is the name of a declared type.
func NameOf(d TypeDecl) string { return d.declName() }
