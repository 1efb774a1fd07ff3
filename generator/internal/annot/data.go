package annot

import (
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

var dataEntry = Entry{
	Sort:  Fact,
	Title: "Data",
	Text: "Says of which classes the data is that the call carries, by names of your own. Whatever may see it must accept them all: `accepts` of the " +
		"targets that are called (primary among them, and each member of a target), of the cache, and of every rung; a `target` rung accepts what its " +
		"target accepts. What says nothing accepts nothing classified, and is refused. A target without a `base-url` may say it at run time, with its " +
		"address: `runtime.WithAccepts`.",
	Example: "data: [customer-text]",
	Since:   "0.1",
	field: field[Settings]{
		key: "data", shape: dataField.shape,
		put:  func(s *Settings, v *source.Value) { dataField.put(&s.Plan.Data, v) },
		take: func(s *Settings) (source.Value, bool) { return dataField.take(&s.Plan.Data) },
	},
}

var dataField = classes("data", "", func(data *[]string) *[]string { return data })

// accepts is which classes of data something may see.
func accepts[T any](what string, at func(*T) *[]string) field[T] {
	return classes("accepts", "The classes of `data` that "+what+"; without it, none.", at)
}

func classes[T any](key, doc string, at func(*T) *[]string) field[T] {
	return field[T]{
		key: key, doc: doc,
		shape: oneOrMore{
			listOf: listOf{
				item: nameShape("a name", "customer-text", namePattern), form: "a list of names", example: "[customer-text]", unique: true,
			},
			single: source.String,
		},
		put:  func(t *T, v *source.Value) { *at(t) = texts(v) },
		take: func(t *T) (source.Value, bool) { return textsValue(*at(t)), len(*at(t)) > 0 },
	}
}

// acceptsSort reports a `target` rung that says what it accepts: its target does.
func acceptsSort(c checker, v *source.Value) bool {
	if !written(v, "target") || !written(v, "accepts") {
		return true
	}
	c.bad(diag.ConflictingKeys, v.Get("accepts"), "the rung "+quote(v.Get("name").Text)+" has `accepts`, and is of the sort `target`",
		"it accepts what its target accepts", "write `accepts` under `targets`, at "+quote(v.Get("target").Text)+", and remove it here")
	return false
}
