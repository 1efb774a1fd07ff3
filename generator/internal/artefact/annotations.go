package artefact

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
)

// Annotations is the view of annotations.md.tmpl.
type Annotations struct {
	Sections []AnnotationSection
	Kinds    []AnnotationKind
	// Recommended is the policy `recommended` in YAML, and BuiltInTimeout the timeout class that holds where none is named.
	Recommended, BuiltInTimeout string
}

// AnnotationSection is one sort of annotations.
type AnnotationSection struct {
	Title, Text string
	Entries     []AnnotationEntry
	// Later lists those that are not supported yet, or is empty.
	Later string
}

// AnnotationEntry is one annotation.
type AnnotationEntry struct {
	Key, Title, Text, Form, Since, Example string
	// Keys are the keys of its object; none where it is none.
	Keys []AnnotationKey
}

// AnnotationKey is one key of an annotation's object.
type AnnotationKey struct{ Path, Form, Doc string }

// AnnotationsPage is the reference page of all annotations.
func AnnotationsPage() (Page, error) {
	view := Annotations{
		Sections: []AnnotationSection{
			{Title: "Facts", Text: "What an operation is."},
			{Title: "Policies", Text: "What is done about it. A policy that is not written is off."},
			{Title: "Shared", Text: "At the top of the document's `x-resilience`, or of the policy file."},
		},
		Kinds:       annotationKinds(),
		Recommended: recommended(),
	}
	class := annot.BuiltInTimeout(true)
	view.BuiltInTimeout = annot.Flow(&class)
	later := make([][]string, len(view.Sections))
	for _, e := range annot.Entries() {
		if s := &view.Sections[e.Sort]; e.Supported() {
			s.Entries = append(s.Entries, annotationEntry(&e))
		} else {
			later[e.Sort] = append(later[e.Sort], "`"+e.Key()+"` ("+e.Title+")")
		}
	}
	for i := range later {
		view.Sections[i].Later = strings.Join(later[i], ", ")
	}
	return render("annotations.md", view)
}

func annotationEntry(e *annot.Entry) AnnotationEntry {
	out := AnnotationEntry{Key: e.Key(), Title: e.Title, Text: e.Text, Form: e.Form(), Since: e.Since, Example: e.Example}
	for _, k := range e.Keys() {
		out.Keys = append(out.Keys, AnnotationKey{Path: k.Path, Form: k.Form, Doc: k.Doc})
	}
	return out
}

// recommended spells the built-in policy, a policy on a line; what differs for streams stands below it.
func recommended() string {
	var b strings.Builder
	plain, streams := annot.Recommended(false), annot.Recommended(true)
	for i := range plain.Map {
		f := &plain.Map[i]
		b.WriteString(f.Key + ": " + annot.Flow(&f.Value) + "\n")
		if other := streams.Get(f.Key); !other.Equal(&f.Value) {
			b.WriteString("# streams: " + annot.Flow(other) + "\n")
		}
	}
	return b.String()
}
