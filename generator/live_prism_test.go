package generator_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
)

const prismManifest = `{"private":true,"dependencies":{"@stoplight/prism-cli":"5.14.2"}}`

// prismDocuments are the real documents whose requests are validated, and ours. Of the well-known ones some are left out because the
// mock cannot read them: Mistral's has references into $defs, Cohere's names files that are not there, and OpenAI's it does not get
// through in minutes.
var prismDocuments = []string{
	"visible/anthropic.json", "visible/together.yaml",
	"visible/qdrant.json", "visible/chroma.json", "visible/typesense.yaml", "visible/pinecone-data.yaml", "visible/ollama.yaml",
	"visible/hf-tgi.json", "visible/meilisearch.json", "visible/langfuse.yaml", "visible/notion-com.json", "visible/docker-com-engine.json",
	"visible/hf-tei.json", "visible/pinecone-inference.yaml", "visible/assemblyai.yaml", "visible/spotify-com.json",
	"bodies", "parameters", "types", "unions", "security", "names", "streams", "responses",
}

// prismOverlays are of documents whose clients need something of their caller.
var prismOverlays = map[string][]string{"streams": {"../testdata/overlays/nothing-wired.yaml"}}

// prismOutcome is what testdata/live/prism prints of a call.
type prismOutcome struct {
	Name    string
	Status  int
	Refused string
	Unsaid  string
	Broken  bool
}

// TestLivePrism sends the smallest and a full request of every operation of real documents through their generated clients to a mock
// that validates them against the document.
func TestLivePrism(t *testing.T) {
	requireLive(t)
	install := npmInstall(t.Context(), t, "prism", prismManifest)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "document\toperations\trequests\ttaken\trefused with an excuse\trefused")
	for _, name := range prismDocuments {
		t.Run(strings.TrimPrefix(name, "visible/"), func(t *testing.T) {
			spec := filepath.Join(repoRoot(t), "testdata", "specs", name, "spec.yaml")
			if strings.Contains(name, "/") {
				spec = corpusFile(t, name)
			}
			dir := newModule(t, "live.test")
			table, ok := playClient(t, dir, spec, "api", prismOverlays[name]...)
			if !ok {
				return
			}
			table.Spec = strings.TrimPrefix(name, "visible/")
			prefixes(t, spec, table.Schemes)
			writeClients(t, dir, []playTable{table})
			copyProgram(t, dir, "prism")
			goRun(t.Context(), t, dir, "build", "-p", "2", "-trimpath", "-o", "program", ".")
			judgePrism(t, w, &table, prismCalls(t, install, dir, spec, &table))
		})
	}
	_ = w.Flush()
}

// prismCalls makes the calls against a mock of the document, and starts another one where a call ended it.
func prismCalls(t *testing.T, install, dir, spec string, table *playTable) []prismOutcome {
	t.Helper()
	calls := callsOf(t, spec, table)
	var all []prismOutcome
	for len(all) < len(calls) {
		outcomes := prismRun(t, install, dir, spec, table, calls[len(all):])
		if len(outcomes) == 0 {
			t.Fatal("no outcomes")
		}
		all = append(all, outcomes...)
	}
	return all
}

// prismRun starts a mock of the document and makes calls, until one ends the mock.
func prismRun(t *testing.T, install, dir, spec string, table *playTable, calls []playCall) []prismOutcome {
	t.Helper()
	port := freePort(t)
	startNodeWhen(t.Context(), t, install, func() bool {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}, "node_modules/@stoplight/prism-cli/dist/index.js", "mock", "-h", "127.0.0.1", "-p", port, spec)
	tableFile, callsFile := filepath.Join(dir, "table.json"), filepath.Join(dir, "calls.json")
	writeJSON(t, tableFile, table)
	writeJSON(t, callsFile, calls)
	var outcomes []prismOutcome
	if err := json.Unmarshal(runLive(t, filepath.Join(dir, "program"), "http://127.0.0.1:"+port, tableFile, callsFile), &outcomes); err != nil {
		t.Fatal(err)
	}
	return outcomes
}

// judgePrism prints what came of a document's calls, and fails for what has no excuse, and for excuses that nothing needs.
func judgePrism(t *testing.T, w *tabwriter.Writer, table *playTable, outcomes []prismOutcome) {
	t.Helper()
	refused, excused := 0, 0
	used := map[int][]string{}
	for i := range outcomes {
		o := &outcomes[i]
		if o.Unsaid+o.Refused == "" {
			continue
		}
		refused++
		if excuse, ok := excuseFor(table.Spec, o); ok {
			excused++
			used[excuse] = append(used[excuse], o.Name)
			continue
		}
		t.Errorf("%s: status %d %s%s", o.Name, o.Status, o.Refused, o.Unsaid)
	}
	for i := range prismExcuses {
		e := &prismExcuses[i]
		switch calls := used[i]; {
		case len(calls) > 0:
			t.Logf("%s: %s", strings.Join(calls, ", "), e.reason)
		case e.document == table.Spec:
			t.Errorf("nothing needs the excuse %v", e)
		}
	}
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\n", table.Spec, len(table.Operations), len(outcomes), len(outcomes)-refused, excused, refused-excused)
}
