package generator_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The compiler's packages are pinned: a range would take others.
const spectorManifest = `{"private":true,"dependencies":{"@typespec/http-specs":"0.1.0-alpha.33-dev.3",
	"@typespec/compiler":"1.9.0","@typespec/http":"1.9.0","@typespec/openapi":"1.9.0","@typespec/openapi3":"1.9.0",
	"@typespec/json-schema":"1.9.0","@typespec/rest":"0.79.0","@typespec/versioning":"0.79.0","@typespec/xml":"0.79.0",
	"@typespec/events":"0.79.0","@typespec/sse":"0.79.0","@typespec/streams":"0.79.0"}}`

// spectorOverlays say of specs what their documents do not say, by files of testdata/overlays.
var spectorOverlays = map[string]string{"payload/pageable": "spector-pageable.yaml"}

// spectorScenario is a scenario as testdata/live/spector/exchanges.mjs prints it.
type spectorScenario struct {
	Spec      string            `json:"spec"`
	Name      string            `json:"name"`
	Exchanges []json.RawMessage `json:"exchanges"`
}

// TestLiveSpector plays the scenarios of the http-specs against the specs' own server, which keeps the score, through clients that are
// generated from the specs' documents, once for each version of OpenAPI in which they are written. Where those say less than a
// scenario needs, a document of testdata/specs-spector says it.
func TestLiveSpector(t *testing.T) {
	requireLive(t)
	first := corpusFile(t, "spector/type/array/3.1.0/openapi.3.1.0.json")
	corpus := strings.TrimSuffix(filepath.ToSlash(first), "/type/array/3.1.0/openapi.3.1.0.json")
	install := npmInstall(t.Context(), t, "spector", spectorManifest)
	repository(t, install)
	scenarios := spectorScenarios(t, install)

	dir := newModule(t, "live.test")
	ours := spectorClients(t, dir, filepath.Join(repoRoot(t), "testdata", "specs-spector"), "")
	versions := map[string][]playTable{}
	all := ours
	for _, version := range []string{"3.1.0", "3.0.0"} {
		tables := spectorClients(t, dir, corpus, version)
		all = append(all, tables...)
		versions[version] = append(slices.Clip(ours), tables...)
	}
	writeClients(t, dir, all)
	copyProgram(t, dir, "spector")
	writeJSON(t, filepath.Join(dir, "scenarios.json"), scenarios)
	goRun(t.Context(), t, dir, "build", "-p", "2", "-trimpath", "-o", "program", ".")

	for version, tables := range versions {
		t.Run(version, func(t *testing.T) {
			file := filepath.Join(dir, "tables-"+version+".json")
			writeJSON(t, file, tables)
			url, stop := startSpector(t, install)
			var faults map[string][]string
			out := runLive(t, filepath.Join(dir, "program"), url, file, filepath.Join(dir, "scenarios.json"))
			if err := json.Unmarshal(out, &faults); err != nil {
				t.Fatal(err)
			}
			judgeSpector(t, version, scenarios, faults, stop())
		})
	}
}

// spectorScenarios asks the specs for their scenarios.
func spectorScenarios(t *testing.T, install string) []spectorScenario {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(repoRoot(t), "testdata", "live", "spector", "exchanges.mjs"),
		filepath.Join(install, "node_modules", "@typespec", "http-specs", "dist", "specs"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("exchanges.mjs: %v", err)
	}
	var all []spectorScenario
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// spectorClients generates a client from each document below a folder: those of a version, which is a folder of its own in the way to
// each, or all of them.
func spectorClients(t *testing.T, dir, root, version string) []playTable {
	t.Helper()
	var tables []playTable
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		spec, of, _ := strings.Cut(rel, "/"+version+"/")
		api := ""
		switch {
		case version == "":
			spec = strings.TrimSuffix(rel, filepath.Ext(rel))
		case of == "":
			return nil
		default:
			api, _, _ = strings.Cut(of, ".openapi")
		}
		var overlays []string
		if overlay := spectorOverlays[spec]; overlay != "" && version != "" {
			overlays = append(overlays, filepath.Join(repoRoot(t), "testdata", "overlays", overlay))
		}
		table, ok := playClient(t, dir, path, "c"+strings.Trim(notName.ReplaceAllString(strings.ToLower(rel), "_"), "_"), overlays...)
		if ok {
			table.Spec, table.Prefix = spec, serverPrefix(t, path, api)
			tables = append(tables, table)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// startSpector starts the server. stop ends it and returns what it says of each scenario: it writes that when it ends.
func startSpector(t *testing.T, install string) (url string, stop func() map[string]string) {
	t.Helper()
	port := freePort(t)
	url = "http://localhost:" + port // as the server names itself in links
	coverage := filepath.Join(t.TempDir(), "coverage.json")
	startNode(t.Context(), t, install, url+"/.coverage", "node_modules/@typespec/spector/dist/src/cli/cli.js", "serve",
		"node_modules/@typespec/http-specs/specs", "--port", port, "--coverageFile", coverage)
	return url, func() map[string]string {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/.admin/stop", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
		}
		return readCoverage(ctx, t, coverage)
	}
}

// readCoverage waits for the file and returns what it says of each scenario.
func readCoverage(ctx context.Context, t *testing.T, file string) map[string]string {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		var reports []struct{ Results map[string]string }
		data, err := os.ReadFile(file)
		if err == nil && json.Unmarshal(data, &reports) == nil && len(reports) > 0 {
			return reports[0].Results
		}
		select {
		case <-ctx.Done():
			t.Fatalf("no coverage: %v", err)
		case <-tick.C:
		}
	}
}

// repository makes the folder a git repository with a commit, which the server asks for.
func repository(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"-c", "user.name=resgen", "-c", "user.email=resgen@example.com", "commit", "-q", "--allow-empty", "-m", "a commit"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, string(data))
}
