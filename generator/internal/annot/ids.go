package annot

import "github.com/resgen-go/resgen/generator/internal/source"

var idsEntry = Entry{
	Sort:  Fact,
	Title: "Ids",
	Text: "Says where a request names what it writes or removes: pointers into its body, where `*` stands for every item of a list. An upsert or a " +
		"delete by id may be sent twice, one without ids stores everything again. So an operation with `ids` is `idempotent` in those of its calls " +
		"whose request has something at one of the pointers and lacks nothing below a `*`; its other calls are `none`: they are not tried again in " +
		"doubt, not hedged, and no rung follows them in doubt, and observers are told so (`not repeatable`). `idempotency` need not be written beside it.",
	Example: "ids: /points/*/id",
	Since:   "0.1",
	field: field[Settings]{
		key: "ids", shape: idsField.shape,
		put:  func(s *Settings, v *source.Value) { idsField.put(&s.Plan.IDs, v) },
		take: func(s *Settings) (source.Value, bool) { return idsField.take(&s.Plan.IDs) },
	},
}

var idsField = pointersField("ids", "", "/points/*/id", func(ids *[]string) *[]string { return ids })
