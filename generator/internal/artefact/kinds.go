package artefact

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
)

// AnnotationKind is one kind of failure.
type AnnotationKind struct{ Name, Doc, Follows string }

// annotationKinds describes each kind, and what follows from it.
func annotationKinds() []AnnotationKind {
	docs := annot.KindDocs()
	out := make([]AnnotationKind, 0, len(docs))
	for _, d := range docs {
		k := AnnotationKind{Name: d.Kind.String(), Doc: d.Doc}
		if len(d.Statuses) > 0 {
			var statuses []string
			for _, s := range d.Statuses {
				statuses = append(statuses, strconv.Itoa(s))
			}
			k.Doc += " By status: " + strings.Join(statuses, ", ") + "."
		}
		var follows []string
		for _, f := range []struct {
			word string
			is   bool
		}{
			{"local", d.Kind.Local()},
			{"retried", d.Kind.RetriedHere()},
			{"in doubt", d.Kind.InDoubt()},
			{"any", d.Kind.Any()},
			{"against", d.Against()},
		} {
			if f.is {
				follows = append(follows, f.word)
			}
		}
		k.Follows = strings.Join(follows, ", ")
		out = append(out, k)
	}
	return out
}
