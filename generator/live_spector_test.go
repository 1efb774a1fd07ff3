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

// spectorScenario is a scenario as testdata/live/spector/exchanges.mjs prints it.
type spectorScenario struct {
	Spec      string            `json:"spec"`
	Name      string            `json:"name"`
	Exchanges []json.RawMessage `json:"exchanges"`
}

// TestLiveSpector plays the scenarios of the http-specs through clients that are generated from their documents, against the specs' own
// server, which keeps the score.
func TestLiveSpector(t *testing.T) {
	requireLive(t)
	corpus := filepath.Dir(filepath.Dir(corpusFile(t, "spector/type/array/3.1.0/openapi.3.1.0.json")))
	corpus = filepath.Dir(filepath.Dir(corpus))
	install := npmInstall(t.Context(), t, "spector", spectorManifest)
	scenarios := spectorScenarios(t, install)
	dir := newModule(t, "live.test")
	tables := spectorClients(t, dir, corpus)
	writeClients(t, dir, tables)
	copyProgram(t, dir, "spector")
	writeJSON(t, filepath.Join(dir, "tables.json"), tables)
	writeJSON(t, filepath.Join(dir, "scenarios.json"), scenarios)
	goRun(t.Context(), t, dir, "build", "-o", "program", ".")

	url, stop := startSpector(t, install)
	var faults map[string][]string
	out := runLive(t, filepath.Join(dir, "program"), url, filepath.Join(dir, "tables.json"), filepath.Join(dir, "scenarios.json"))
	if err := json.Unmarshal(out, &faults); err != nil {
		t.Fatal(err)
	}
	score := stop()
	judgeSpector(t, scenarios, faults, score)
}

// spectorScenarios asks the specs for their scenarios.
func spectorScenarios(t *testing.T, install string) []json.RawMessage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(repoRoot(t), "testdata", "live", "spector", "exchanges.mjs"),
		filepath.Join(install, "node_modules", "@typespec", "http-specs", "dist", "specs"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("exchanges.mjs: %v", err)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// spectorClients generates a client from each of the specs' documents, and of ours where those say less than the scenario needs.
func spectorClients(t *testing.T, dir, corpus string) []playTable {
	t.Helper()
	var tables []playTable
	ours := filepath.Join(repoRoot(t), "testdata", "specs-spector")
	for _, root := range []string{ours, corpus} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			rel, err := filepath.Rel(root, path)
			rel = filepath.ToSlash(rel)
			version := ""
			spec := strings.TrimSuffix(rel, filepath.Ext(rel))
			if root == corpus {
				if !strings.Contains(rel, "/3.1.0/") {
					return err
				}
				version, _, _ = strings.Cut(filepath.Base(rel), ".openapi")
				spec, _, _ = strings.Cut(rel, "/3.1.0/")
				if slices.ContainsFunc(tables, func(have playTable) bool { return have.Spec == spec && !strings.Contains(have.Key, "3_1_0") }) {
					return err
				}
			}
			key := "c" + strings.Trim(notName.ReplaceAllString(strings.ToLower(rel), "_"), "_")
			table, ok := playClient(t, dir, path, key)
			if ok {
				table.Spec, table.Prefix = spec, serverPrefix(t, path, version)
				tables = append(tables, table)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tables
}

// startSpector starts the server. stop ends it and returns what it says of each scenario: it writes that when it ends.
func startSpector(t *testing.T, install string) (url string, stop func() map[string]string) {
	t.Helper()
	repository(t, install)
	port := freePort(t)
	url = "http://localhost:" + port
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
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			data, err := os.ReadFile(coverage)
			var reports []struct{ Results map[string]string }
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
