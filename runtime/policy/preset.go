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
	// answers say which answers of a status of success are none, or are not whole. Those of the presets in like follow: their shapes are
	// spoken here too.
	answers []row
	like    []string
}

// presets holds what is known of each provider. "generic" has no rows: a body of an unknown provider proves nothing.
var presets = map[string]preset{
	"anthropic":         {failures: anthropicFailures, answers: anthropicAnswers, like: []string{"openai"}},
	"azure":             {extends: "openai", failures: azureFailures},
	"bedrock":           {failures: bedrockFailures, answers: bedrockAnswers, like: []string{"anthropic", "openai"}},
	"chroma":            {failures: chromaFailures},
	"cohere":            {failures: cohereFailures, answers: cohereAnswers, like: []string{"openai"}},
	"gemini":            {failures: geminiFailures, answers: geminiAnswers, like: []string{"openai"}},
	"generic":           {},
	"groq":              {extends: "openai", failures: groqFailures},
	"mistral":           {failures: mistralFailures, like: []string{"openai"}},
	"openai":            {failures: openaiFailures, answers: openaiAnswers},
	"openai-compatible": {extends: "openai", failures: compatibleFailures, answers: compatibleAnswers, like: []string{"anthropic"}},
	"openrouter":        {extends: "openai", failures: openrouterFailures, like: []string{"anthropic"}},
	"pinecone":          {failures: pineconeFailures},
	"qdrant":            {failures: qdrantFailures},
	"together":          {extends: "openai", failures: togetherFailures},
	"weaviate":          {failures: weaviateFailures, answers: weaviateAnswers},
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

// answersOf yields the rows on answers of a preset in the order in which they are asked: its own, those of what it extends, and those of the
// presets that it is like.
func answersOf(name string) iter.Seq[*row] {
	names := []string{name}
	for p := presets[name]; p.extends != ""; p = presets[p.extends] {
		names = append(names, p.extends)
	}
	names = append(names, presets[name].like...)
	return func(yield func(*row) bool) {
		for _, of := range names {
			rows := presets[of].answers
			for i := range rows {
				if !yield(&rows[i]) {
					return
				}
			}
		}
	}
}
