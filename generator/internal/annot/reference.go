package annot

// KeyDoc is one key of an annotation's object, for readers.
type KeyDoc struct {
	// Path leads to the key from the annotation, with a dot between keys, such as "backoff.base".
	Path string
	// Form is the value in a few words, such as "duration"; Doc is a sentence or two.
	Form, Doc string
}

// Form is what values the annotation takes, in a few words.
func (e *Entry) Form() string { return e.field.shape.describe().form }

// Keys are the keys of the annotation's object, or of the objects in its list. Those of a nested object come after it.
func (e *Entry) Keys() []KeyDoc { return keysOf("", e.field.shape.describe().keys) }

func keysOf(prefix string, keys []keyDoc) []KeyDoc {
	out := make([]KeyDoc, 0, len(keys))
	for _, k := range keys {
		path := prefix + k.key
		out = append(out, KeyDoc{Path: path, Form: k.value.form, Doc: k.doc})
		out = append(out, keysOf(path+".", k.value.keys)...)
	}
	return out
}
