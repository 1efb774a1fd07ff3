package annot

import (
	"time"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var keyEntry = Entry{
	Sort:  Fact,
	Title: "Idempotency key",
	Text: "Says how the key of a `keyed` operation travels. One key serves every attempt of a logical call against one target; another " +
		"target, or a patched body, gets another. A caller may give their own. No retry is sent later than `ttl`.",
	Example: "key: {in: header, name: Idempotency-Key, format: bare, source: uuidv7, ttl: 24h}",
	Since:   "0.1",
	field:   object("key", "", keyKeys, func(s *Settings) *policy.Key { return &s.Plan.Key }),
}

var keyKeys = record[policy.Key]{
	// A key travels in a header and nowhere else: `in` is written for the reader.
	{key: "in", doc: "Where the key travels.", shape: choiceShape{names: []string{"header"}}},
	textField("name", "The name of the header.", nameShape("the name of a header", "Idempotency-Key", tokenPattern),
		func(k *policy.Key) *string { return &k.Header }),
	oneOf("format", "`sf-string` is quoted, as the Idempotency-Key draft asks; most servers want it bare.", []choice[policy.KeyFormat]{
		{"bare", policy.KeyBare}, {"sf-string", policy.KeySFString},
	}, func(k *policy.Key) *policy.KeyFormat { return &k.Format }),
	oneOf("source", "Where the key comes from.", []choice[policy.KeySource]{
		{"uuidv7", policy.KeyUUIDv7}, {"param", policy.KeyParam}, {"func", policy.KeyFunc},
	}, func(k *policy.Key) *policy.KeySource { return &k.Source }),
	keyFrom("param", "The parameter that holds the key, for `source: param`.", policy.KeyParam, textShape("key")),
	keyFrom("func", "The Go function that makes the key, for `source: func`.", policy.KeyFunc,
		nameShape("the name of a Go function or value", "newKey", goNamePattern)),
	duration("ttl", "How long the server remembers a key.", func(k *policy.Key) *time.Duration { return &k.TTL }),
	flag("concurrent", "The server handles two requests with one key at the same time.", func(k *policy.Key) *bool { return &k.Concurrent }),
}

// keyFrom is a key that says both where the idempotency key comes from and its name there.
func keyFrom(key, doc string, from policy.KeySource, s shape) field[policy.Key] {
	return field[policy.Key]{
		key: key, doc: doc, shape: s,
		put:  func(k *policy.Key, v *source.Value) { k.Source, k.From = from, v.Text },
		take: func(k *policy.Key) (source.Value, bool) { return text(k.From), k.Source == from && k.From != "" },
	}
}
