package annot

import (
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var semanticField = field[policy.CacheConfig]{
	key: "semantic", doc: "Answers also what means the same.", shape: semanticKeys,
	put: func(c *policy.CacheConfig, v *source.Value) {
		c.Semantic.On = true
		semanticKeys.decode(&c.Semantic, v)
	},
	take: func(c *policy.CacheConfig) (source.Value, bool) {
		return semanticKeys.encode(&c.Semantic), c.Semantic.On
	},
}

type semantic = policy.SemanticConfig

var semanticKeys = record[semantic]{
	{
		key: "threshold", doc: "The cosine similarity from which two texts mean the same. It depends on the embedder: there is no default.",
		shape: similarityShape,
		put:   func(s *semantic, v *source.Value) { s.Threshold, _ = strconv.ParseFloat(v.Text, 64) },
		take: func(s *semantic) (source.Value, bool) {
			return source.Value{Kind: source.Number, Text: decimal(s.Threshold)}, s.Threshold != 0
		},
	},
	flag("subject", "Keeps answers for each subject apart. It must be written, as `true`: what one user was answered is not another's.",
		func(s *semantic) *bool { return &s.Subject }),
	textField("embedder", "The name of the embedder that the client is given.", nameShape("a name", "local-embedder", namePattern),
		func(s *semantic) *string { return &s.Embedder }),
	pointerField("turn", "Where the request has the text of the last turn, in which `-1` is the last item of a list; presets of `errors` know it.",
		"/messages/-1/content", func(s *semantic) *string { return &s.Turn }),
	accepts("the embedder may see", func(s *semantic) *[]string { return &s.Accepts }),
}

// similarityShape is a number above 0, and at most 1.
var similarityShape = scalar{
	form: "a number", example: "0.93", kind: source.Number,
	schema: &schema{Type: "number", Minimum: new(0.0), Maximum: new(1.0)},
	test: func(text string) string {
		if x, err := strconv.ParseFloat(text, 64); err != nil || !(x > 0 && x <= 1) {
			return "must be a similarity above 0 and at most 1, not " + quote(text)
		}
		return ""
	},
}
