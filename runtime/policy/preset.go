package policy

import (
	"iter"
	"maps"
	"slices"
)

// preset is what is known of a provider.
type preset struct {
	// extends names the preset whose rows follow the own ones; empty for none.
	extends string
	// failures say what failures mean; what none of them matches is decided by the status.
	failures []row
	// answers say which answers of a status of success are none, or are not whole.
	answers []row
}

// presets holds what is known of each provider. "generic" has no rows: a body of an unknown provider proves nothing.
var presets = map[string]preset{
	"anthropic":         {failures: anthropicFailures},
	"azure":             {extends: "openai", failures: azureFailures},
	"bedrock":           {failures: bedrockFailures},
	"chroma":            {failures: chromaFailures},
	"cohere":            {failures: cohereFailures},
	"gemini":            {failures: geminiFailures},
	"generic":           {},
	"groq":              {extends: "openai", failures: groqFailures},
	"mistral":           {failures: mistralFailures},
	"openai":            {failures: openaiFailures},
	"openai-compatible": {extends: "openai", failures: compatibleFailures},
	"openrouter":        {extends: "openai", failures: openrouterFailures},
	"pinecone":          {failures: pineconeFailures},
	"qdrant":            {failures: qdrantFailures},
	"together":          {extends: "openai", failures: togetherFailures},
	"weaviate":          {failures: weaviateFailures},
}

// genericPreset is the preset of who names none.
const genericPreset = "generic"

// Presets returns the names of the presets, sorted.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// HasPreset reports whether there is a preset of that name. The empty name is "generic".
func HasPreset(name string) bool {
	_, ok := presets[name]
	return ok || name == ""
}

// failuresOf yields the rows on failures of a preset in the order in which they are asked: its own, then those of what it extends.
func failuresOf(name string) iter.Seq[*row] {
	return func(yield func(*row) bool) {
		for p, ok := presets[name]; ok; p, ok = presets[p.extends] {
			for i := range p.failures {
				if !yield(&p.failures[i]) {
					return
				}
			}
		}
	}
}
