package generator_test

import (
	"encoding/json"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// The newer bindings want a newer C library than plain Debian 12 has.
const chromaManifest = `{"private":true,"dependencies":{"chromadb":"3.0.15"},"overrides":{"chromadb-js-bindings-linux-x64-gnu":"1.0.5"}}`

// chromaReport is what testdata/live/chroma prints.
type chromaReport struct {
	Created, Nearest, Document             string
	Count                                  int
	Deleted, Gone                          bool
	Dimension, Missing, Unknown, Duplicate struct {
		Status  int
		Kind    string
		Payload string
		Body    string
	}
}

// TestLiveChroma runs the client that is generated from Chroma's own document against a real Chroma.
func TestLiveChroma(t *testing.T) {
	requireLive(t)
	spec := corpusFile(t, "components/chroma-1.0.5.json")
	dir := npmInstall(t.Context(), t, "chroma", chromaManifest)
	program := buildProgram(t, "chroma", generator.Client{Spec: spec})
	port := freePort(t)
	url := "http://127.0.0.1:" + port
	startNode(t.Context(), t, dir, url+"/api/v2/heartbeat",
		"node_modules/chromadb/dist/cli.mjs", "run", "--path", t.TempDir(), "--host", "127.0.0.1", "--port", port)
	var r chromaReport
	if err := json.Unmarshal(runLive(t, program, url), &r); err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if r.Created != "compass" || r.Nearest != "north" || r.Document != "upwards" {
		t.Errorf("created %q, nearest %q, document %q; want compass, north, upwards", r.Created, r.Nearest, r.Document)
	}
	if !r.Deleted || r.Count != 1 || !r.Gone {
		t.Errorf("deleted %v, %d records left, collection gone %v; want true, 1, true", r.Deleted, r.Count, r.Gone)
	}
	for what, got := range map[string][2]int{
		"a vector of the wrong length": {r.Dimension.Status, 400},
		"a missing field":              {r.Missing.Status, 422},
		"an unknown collection":        {r.Unknown.Status, 404},
		"a collection that exists":     {r.Duplicate.Status, 409},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: status %d, want %d", what, got[0], got[1])
		}
	}
	if r.Unknown.Payload == "" {
		t.Errorf("the document declares a body for 404, but the error holds none: %+v", r.Unknown)
	}
}
