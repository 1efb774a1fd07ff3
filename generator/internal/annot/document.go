package annot

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// Document is what the top of a document's x-resilience, or a policy file, says for all operations.
type Document struct {
	// Classes, Policies and Targets are checked objects by name, Defaults is a checked object of annotations. Kind is Null for what
	// is not there.
	Classes, Policies, Targets, Defaults source.Value
	// Rules are in the order of the file; a document has none.
	Rules []Rule
}

// CheckDocument checks a document's x-resilience and reports what is wrong to list. It returns what is right, and whether
// everything was.
func CheckDocument(v *source.Value, list *diag.List) (Document, bool) {
	return checkShared(v, list, "a document's annotations", "rules")
}

// CheckPolicyFile checks a policy file as CheckDocument does a document.
func CheckPolicyFile(v *source.Value, list *diag.List) (Document, bool) {
	return checkShared(v, list, "a policy file", "")
}

func checkShared(v *source.Value, list *diag.List, title, without string) (Document, bool) {
	c := newChecker(list)
	if v.Kind == source.Null {
		return Document{}, true
	}
	if v.Kind != source.Map {
		c.wrongType(v, "an object", "version: 1")
		return Document{}, false
	}
	var doc Document
	parts := map[string]*source.Value{
		"timeout-classes": &doc.Classes, "policies": &doc.Policies, "targets": &doc.Targets, "defaults": &doc.Defaults,
		"rules": {}, "version": {},
	}
	for i := range v.Map {
		f := &v.Map[i]
		e := find(shared, f.Key)
		if e == nil || f.Key == without {
			refuseShared(c, f, title)
			continue
		}
		if value, ok := checkField(c.in(f), e.field.shape, &f.Value); ok {
			*parts[f.Key] = value
		}
	}
	doc.Rules = decodeRules(parts["rules"])
	return doc, c.ok()
}

// refuseShared reports a key that cannot stand at the top.
func refuseShared(c checker, f *source.Field, title string) {
	switch {
	case find(facts, f.Key) != nil || find(policies, f.Key) != nil:
		c.misplaced(f, title, "what stands at the top is shared; what holds for every operation stands under `defaults`",
			"write `defaults: {"+f.Key+": ...}`")
	case f.Key == "rules":
		c.misplaced(f, title, "rules rank above the document", "move them to a policy file")
	default:
		c.unknownKey(f, topKeys(title))
	}
}

func topKeys(title string) []string {
	var keys []string
	for _, k := range sharedKeys {
		if k != "rules" || strings.Contains(title, "file") {
			keys = append(keys, k)
		}
	}
	return keys
}
