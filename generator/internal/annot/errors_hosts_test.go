package annot

import (
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestPresetOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://api.openai.com/v1":                          "openai",
		"https://eu.api.openai.com/v1":                       "openai",
		"https://API.OpenAI.com:443":                         "openai",
		"https://mine.openai.azure.com/openai":               "azure",
		"https://bedrock-runtime.eu-central-1.amazonaws.com": "bedrock",
		"https://abc.eu.gcp.cloud.qdrant.io:6333":            "qdrant",
		"https://api.openai.com.example.com":                 "",
		"https://notapi.openai.com":                          "",
		"https://openai.azure.com":                           "",
		"http://localhost:6333":                              "",
		"/v1":                                                "",
		"":                                                   "",
		"%zz":                                                "",
		"https://bedrock-runtime.example.com/?x=.amazonaws.com":     "",
		"https://index-1.svc.aped-4627-b74a.pinecone.io/query":      "pinecone",
		"https://generativelanguage.googleapis.com/v1beta/models/a": "gemini",
	} {
		if got, host := PresetOf(address); got != want || (host == "") != (want == "") {
			t.Errorf("%s: got %q by %q, want %q", address, got, host, want)
		}
	}
	for host, preset := range presetHosts {
		if !policy.HasPreset(preset) {
			t.Errorf("%s suggests %q, which is no preset", host, preset)
		}
	}
}
