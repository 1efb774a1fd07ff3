package plan

import (
	"fmt"
	"go/token"
	"unicode"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Memory is what resgen.lock knows of the names that the package had before, so that what is new in a document renames nothing that
// was there. The zero value knows nothing.
type Memory struct {
	// Names are the names that met a collision, by what they stand for (see Given.ID).
	Names map[string]Remembered
	// Kept reports whether something had that very name, as its first choice. Nil: nothing had.
	Kept func(id, name string) bool
}

// Remembered is a name as resgen.lock has it.
type Remembered struct {
	Name string
	Pos  source.Pos
}

// Given is an exported name of the package, for resgen.lock.
type Given struct {
	// ID says what has the name, in words that do not depend on what else there is: "type #/components/schemas/Pet", "method listPets".
	ID string
	// Name is the Go name.
	Name string
	// First says that it was the first choice: it met no collision.
	First bool
}

// had reports whether something had that very name.
func (m *Memory) had(id, name string) bool {
	if have, ok := m.Names[id]; ok {
		return have.Name == name
	}
	return m.Kept != nil && m.Kept(id, name)
}

func (m *Memory) isEmpty() bool { return len(m.Names) == 0 && m.Kept == nil }

// recall returns the names that wishes had before, by the same index, with an empty text for what had none. Nil: nobody had one.
func (r *resolver) recall(s *scope, tier []wish) []string {
	if r.layers.Memory.isEmpty() {
		return nil
	}
	former, claimed := make([]string, len(tier)), map[string]bool{}
	for i := range tier {
		if name := r.former(s, &tier[i], claimed); name != "" {
			former[i], claimed[name] = name, true
		}
	}
	return former
}

// former is the name that one wish had before, where it still can have it. What is claimed others of its tier had.
func (r *resolver) former(s *scope, w *wish, claimed map[string]bool) string {
	m := &r.layers.Memory
	if have, ok := m.Names[w.id]; ok {
		if r.canKeep(s, w, have, claimed[have.Name] || s.kept[have.Name]) {
			return have.Name
		}
		return ""
	}
	if m.Kept == nil || w.absent {
		return ""
	}
	for _, names := range [][]string{w.names, w.also} {
		for _, name := range names {
			if m.Kept(w.id, name) && !claimed[name] && !s.kept[name] && r.canKeep(s, w, Remembered{Name: name, Pos: w.pos}, false) {
				return name
			}
		}
	}
	return ""
}

// canKeep reports whether a name of resgen.lock is one that can be given, and says why it is not.
func (r *resolver) canKeep(s *scope, w *wish, have Remembered, isTwice bool) bool {
	first, _ := utf8.DecodeRuneInString(have.Name)
	d := diag.Diagnostic{
		Code: diag.LockedName, Severity: diag.Warning, Span: source.Span{Pos: have.Pos},
		Why: "it gets another name, and what uses the package must be changed with it",
		Fix: "nothing to do where that is fine: the next generate writes the new name; else write another name in resgen.lock",
	}
	switch {
	case !token.IsIdentifier(have.Name) || !unicode.IsUpper(first):
		d.What = fmt.Sprintf("%q, the name of %s in resgen.lock, is no exported name of Go", have.Name, w.id)
	case s.reserved != nil && s.reserved(have.Name):
		d.What = fmt.Sprintf("%s cannot keep the name %s, which is resgen's own now", w.id, have.Name)
	case isTwice:
		d.What = fmt.Sprintf("%s cannot have the name %s of resgen.lock, which another one has there", w.id, have.Name)
	default:
		return true
	}
	if !r.rehearsing {
		r.list.Add(d)
	}
	return false
}

// hold keeps names for wishes that come later in the same scope.
func (r *resolver) hold(s *scope, later []wish) {
	for _, name := range r.recall(s, later) {
		if name != "" {
			s.held[name] = true
		}
	}
}

// rehearse names everything once without telling anybody, to learn which names those who had them before will claim. Then they can
// be held for them from the first tier on.
func (r *resolver) rehearse(names func()) {
	if r.layers.Memory.isEmpty() {
		return
	}
	r.rehearsing = true
	names()
	r.rehearsing = false
	r.heldNames = map[string]map[string]bool{r.pkg.of: r.pkg.kept, r.methodNames.of: r.methodNames.kept}
}

// open is a new scope with the names that are held in it.
func (r *resolver) open(of string, reserved func(string) bool) *scope {
	s := newScope(reserved)
	s.of, s.rehearsing = of, r.rehearsing
	for name := range r.heldNames[of] {
		s.held[name] = true
	}
	return s
}

// note remembers who got which name, and who did not get the first choice.
func (r *resolver) note(tier []wish, got []string) {
	if r.rehearsing {
		return
	}
	for i := range tier {
		w := &tier[i]
		if w.absent {
			continue
		}
		isFirst := got[i] == w.names[0]
		if !isFirst {
			r.renamed = append(r.renamed, Renaming{Pos: w.pos, ID: w.id, Want: w.names[0], Got: got[i]})
		}
		if token.IsExported(got[i]) {
			r.given = append(r.given, Given{ID: w.id, Name: got[i], First: isFirst})
		}
	}
}
