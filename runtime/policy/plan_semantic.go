package policy

import "slices"

// SemanticConfig has a cache answer a call from what another one was answered whose last turn means the same. The zero value is off. All
// else that the call asks is equal: the operation, the tenant, the subject, the model, the system prompt, the tools, every parameter and
// every turn but the last; of that, only its text is compared by meaning. A call without a tenant and a subject (runtime.WithTenant,
// runtime.WithSubject), or whose last turn is not a text of the user's, is neither answered that way nor kept for others.
type SemanticConfig struct {
	// On says that there is one.
	On bool
	// Threshold is the cosine similarity from which two texts are taken to mean the same, in (0, 1]. There is no default: it depends on the
	// embedder, and on what a wrong answer costs.
	Threshold float64
	// Subject says that answers are kept for each subject apart. It must be true.
	Subject bool
	// Embedder is the name of the embedder that the client is given: see runtime.WithEmbedder.
	Embedder string
	// Turn is the JSON pointer to the last turn's text in the request's body, in which a segment -1 is the last item of a list. Empty: where
	// the preset knows it to be; see TurnPlaces.
	Turn string
	// Accepts are the classes of data that the embedder may see.
	Accepts []string
}

// turnPlaces holds where each preset's requests have the text of the last turn, a shape after the other; a preset that is not listed has no
// turns. A text is a string, or a list of parts that are all text.
var turnPlaces = map[string][]string{
	"openai":            {"/messages/-1/content", "/input/-1/content", "/input"},
	"azure":             {"/messages/-1/content", "/input/-1/content", "/input"},
	"openai-compatible": {"/messages/-1/content", "/input/-1/content", "/input"},
	"openrouter":        {"/messages/-1/content", "/input/-1/content", "/input"},
	"groq":              {"/messages/-1/content", "/input/-1/content", "/input"},
	"mistral":           {"/messages/-1/content"},
	"together":          {"/messages/-1/content"},
	"anthropic":         {"/messages/-1/content"},
	"bedrock":           {"/messages/-1/content"},
	"gemini":            {"/contents/-1/parts"},
	"cohere":            {"/messages/-1/content", "/message"},
}

// TurnPlaces returns where the text of the last turn lies in an operation's requests: where its policy says, or its preset. Nil where
// neither knows.
func TurnPlaces(p *Plan) []string {
	if p.Cache.Semantic.Turn != "" {
		return []string{p.Cache.Semantic.Turn}
	}
	return slices.Clone(turnPlaces[p.Errors.Preset])
}
