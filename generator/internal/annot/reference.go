package annot

import "strings"

// Reference returns the reference page of all annotations, in Markdown.
func Reference() string {
	var b strings.Builder
	b.WriteString("# Annotations\n\n" + referenceIntro)
	for _, part := range []struct {
		title, text string
		table       []Entry
	}{
		{"Facts", "What an operation is.", facts},
		{"Policies", "What is done about it. A policy that is not written is off.", policies},
		{"Shared", "At the top of the document's `x-resilience`, or of the policy file.", shared},
	} {
		b.WriteString("\n## " + part.title + "\n\n" + part.text + "\n")
		var notYet []string
		for i := range part.table {
			e := &part.table[i]
			if !e.Supported() {
				notYet = append(notYet, "`"+e.Key()+"` ("+e.Title+")")
				continue
			}
			e.reference(&b)
		}
		if len(notYet) > 0 {
			b.WriteString("\nRefused as not supported yet: " + strings.Join(notYet, ", ") + ".\n")
		}
	}
	builtIns(&b)
	return b.String()
}

// builtIns prints what nobody has to write.
func builtIns(b *strings.Builder) {
	b.WriteString("\n## Built in\n\nThe policy `recommended`, and what differs for operations that stream:\n\n```yaml\n")
	recommended, generates := Recommended(false), Recommended(true)
	for i := range recommended.Map {
		f := &recommended.Map[i]
		b.WriteString(f.Key + ": " + Flow(&f.Value) + "\n")
		if other := generates.Get(f.Key); !other.Equal(&f.Value) {
			b.WriteString("# streams: " + Flow(other) + "\n")
		}
	}
	class := BuiltInTimeout(true)
	b.WriteString("```\n\nThe timeout class of an operation that names none; its last five keys are for streams:\n\n```yaml\n" + Flow(&class) + "\n```\n")
}

const referenceIntro = "The keys of `x-resilience` in a document or an overlay, and of the policy file. This page is made from the registry in\n" +
	"`generator/internal/annot`.\n\n" +
	"Layers, lowest first: built-in, the policy file's `defaults`, the document's `defaults`, path, operation, the policy file's `rules` in\n" +
	"order. Objects merge by key, lists and scalars replace, `null` removes. Durations are Go duration strings, shares are `5%` or `0.05`.\n" +
	"An unknown key is an error.\n"

func (e *Entry) reference(b *strings.Builder) {
	d := e.field.shape.describe()
	b.WriteString("\n### `" + e.Key() + "`: " + e.Title + "\n\n" + e.Text + "\n\nValue: " + d.form + ". Since " + e.Since + ".\n")
	if len(d.keys) > 0 {
		b.WriteString("\n| key | value | meaning |\n|---|---|---|\n")
		rows(b, "", d.keys)
	}
	b.WriteString("\n```yaml\n" + e.Example + "\n```\n")
}

// rows writes a line for each key, those of nested objects after theirs.
func rows(b *strings.Builder, prefix string, keys []keyDoc) {
	var notYet []string
	for _, k := range keys {
		if k.later {
			notYet = append(notYet, "`"+prefix+k.key+"`")
			continue
		}
		b.WriteString("| `" + prefix + k.key + "` | " + k.value.form + " | " + k.doc + " |\n")
		rows(b, prefix+k.key+".", k.value.keys)
	}
	if len(notYet) > 0 {
		b.WriteString("| " + strings.Join(notYet, ", ") + " | not supported yet | |\n")
	}
}
