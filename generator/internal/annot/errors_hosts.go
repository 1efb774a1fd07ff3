package annot

import (
	"net/url"
	"strings"
)

// presetHosts are the hosts of providers that there is a preset of `errors` for; one that begins with a dot stands for all below it. A
// server elsewhere, such as one of your own, says nothing.
var presetHosts = map[string]string{
	"api.anthropic.com":                 "anthropic",
	".openai.azure.com":                 "azure",
	".services.ai.azure.com":            "azure",
	"api.trychroma.com":                 "chroma",
	"api.cohere.ai":                     "cohere",
	"api.cohere.com":                    "cohere",
	"generativelanguage.googleapis.com": "gemini",
	"api.groq.com":                      "groq",
	"api.mistral.ai":                    "mistral",
	"api.openai.com":                    "openai",
	".api.openai.com":                   "openai",
	"openrouter.ai":                     "openrouter",
	".pinecone.io":                      "pinecone",
	".cloud.qdrant.io":                  "qdrant",
	"api.together.ai":                   "together",
	"api.together.xyz":                  "together",
	".weaviate.cloud":                   "weaviate",
	".weaviate.network":                 "weaviate",
}

// PresetOf returns the preset of `errors` that the address of a server suggests, and the host that does; both are empty where none is
// known.
func PresetOf(address string) (preset, host string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", ""
	}
	host = strings.ToLower(u.Hostname())
	if strings.HasPrefix(host, "bedrock-runtime.") && strings.HasSuffix(host, ".amazonaws.com") { // the region stands between
		return "bedrock", host
	}
	preset = presetHosts[host]
	for rest := host; preset == ""; {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			return "", ""
		}
		preset, rest = presetHosts[rest[dot:]], rest[dot+1:]
	}
	return preset, host
}
