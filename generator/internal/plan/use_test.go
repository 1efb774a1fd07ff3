package plan

import "testing"

// A type is used by the sides whose values hold it, by whichever way; one that no operation uses may be used by both.
func TestUses(t *testing.T) {
	t.Parallel()
	enum := func(name string) *EnumDecl { return &EnumDecl{Decl: Decl{Name: name}} }
	asked, told, both, nobody := enum("Asked"), enum("Told"), enum("Both"), enum("Nobody")
	pkg := &Package{
		Types: []TypeDecl{
			asked, told, both, nobody,
			&StructDecl{Decl: Decl{Name: "Request"}, Fields: []Field{
				{Type: wrapped("Opt", Local{Name: "Asked"})}, {Type: Slice{Elem: Local{Name: "Both"}}}, {Type: Pointer{Elem: Local{Name: "Request"}}},
			}},
			&UnionDecl{Decl: Decl{Name: "Answer"}, Variants: []Variant{{Type: MapOf{Elem: Local{Name: "Told"}}}}},
			&DefinedDecl{Decl: Decl{Name: "Fault"}, Type: Slice{Elem: Local{Name: "Both"}}},
		},
		Client: Client{Operations: []Operation{{
			Request:  Request{Param: Pointer{Elem: Local{Name: "Request"}}},
			Response: Response{Result: Local{Name: "Answer"}, Cases: []ResponseCase{{Failure: true, Type: Local{Name: "Fault"}}}},
		}}},
	}
	markUses(pkg)
	for d, want := range map[*EnumDecl]Use{asked: Sent, told: Answered, both: Sent | Answered, nobody: 0} {
		if d.Use != want {
			t.Errorf("%s has use %d, want %d", d.Name, d.Use, want)
		}
	}
	if !nobody.Use.IsSent() || !nobody.Use.IsAnswered() || asked.Use.IsAnswered() || told.Use.IsSent() {
		t.Error("a type is used where it is not, or not where it may be")
	}
}
