package generator_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/generator"
)

const (
	aimockManifest = `{"private":true,"dependencies":{"@copilotkit/aimock":"1.43.0"}}`
	aimockFixtures = `{"fixtures":[
		{"match":{"userMessage":"hello"},"response":{"content":"Hello from the mock model, at your service."},"chunkSize":8},
		{"match":{"userMessage":"cut"},"response":{"content":"Hello from the mock model, at your service."},"chunkSize":8,"latency":30,"truncateAfterChunks":3}
	]}`
	liveCalls = 500
)

// liveReport is what the programs in testdata/live print.
type liveReport struct {
	Chat, Stream, Embedding int
	Cut, Typed, Partial     int
	Errors                  []string
	Goroutines, Sockets     int
	Took                    time.Duration
}

// TestLiveOpenAI runs the client that is generated from OpenAI's own document against a mock provider that drops requests and cuts
// streams, and counts at the provider what it was asked.
func TestLiveOpenAI(t *testing.T) {
	requireLive(t)
	spec := corpusFile(t, "visible/openai.yaml")
	dir := npmInstall(t.Context(), t, "aimock", aimockManifest)
	fixtures := filepath.Join(t.TempDir(), "fixtures.json")
	writeFile(t, fixtures, aimockFixtures)

	stubborn := buildLive(t, spec, "openai-live.yaml")
	t.Run("dropped requests", func(t *testing.T) {
		url := startAimock(t, dir, fixtures, "--chaos-drop", "0.3")
		r := drive(t, stubborn, "chaos", url+"/v1")
		for what, answered := range map[string]int{"chat": r.Chat, "stream": r.Stream, "embedding": r.Embedding} {
			if answered < liveCalls*99/100 {
				t.Errorf("%s: %d of %d calls were answered by the model, want 99 %%; errors: %q", what, answered, liveCalls, first(r.Errors))
			}
		}
		keys := count(journal(t, url), keyOf)
		if len(keys) != 3*liveCalls {
			t.Errorf("the provider saw %d idempotency keys, want one for each of %d calls", len(keys), 3*liveCalls)
		}
		for key, hits := range keys {
			if key == "" || hits > 5 {
				t.Errorf("key %q came %d times, want 1 to 5", key, hits)
			}
		}
		nothingLeft(t, r)
	})
	t.Run("recommended budget", func(t *testing.T) {
		program := buildLive(t, spec, "openai.yaml")
		url := startAimock(t, dir, fixtures, "--chaos-drop", "0.3")
		r := drive(t, program, "chaos", url+"/v1")
		hits := count(journal(t, url), pathOf)
		within(t, "chat", hits["/v1/chat/completions"], 2*liveCalls, 0.1, r.Took)
		within(t, "embeddings", hits["/v1/embeddings"], liveCalls, 0.2, r.Took)
		nothingLeft(t, r)
	})
	t.Run("cut streams", func(t *testing.T) {
		url := startAimock(t, dir, fixtures)
		r := drive(t, stubborn, "cut", url+"/v1")
		if r.Cut != 50 || r.Typed != r.Cut || r.Partial != r.Cut {
			t.Errorf("of 50 streams %d failed, %d with a typed error, %d with the text so far; want all: %q", r.Cut, r.Typed, r.Partial, first(r.Errors))
		}
		if hits := count(journal(t, url), pathOf)["/v1/chat/completions"]; hits != 50 {
			t.Errorf("the provider was asked %d times for 50 streams that it had begun", hits)
		}
		nothingLeft(t, r)
	})
}

// within checks that retries stayed within the budget: hits ≤ calls × (1 + ratio) + 1/s + the 10 tokens that it starts with.
func within(t *testing.T, what string, hits, calls int, ratio float64, took time.Duration) {
	t.Helper()
	most := float64(calls)*(1+ratio) + took.Seconds() + 10
	if hits < calls || float64(hits) > most {
		t.Errorf("%s: %d requests for %d calls, want at most %.0f", what, hits, calls, most)
	}
	t.Logf("%s: %d requests for %d calls, budget %.0f", what, hits, calls, most)
}

func nothingLeft(t *testing.T, r liveReport) {
	t.Helper()
	if r.Goroutines > 0 || r.Sockets > 0 {
		t.Errorf("%d goroutines and %d sockets are left", r.Goroutines, r.Sockets)
	}
	t.Logf("%+v", r)
}

// buildLive generates the client with an overlay and builds testdata/live/openai on it.
func buildLive(t *testing.T, spec, overlay string) string {
	t.Helper()
	return buildProgram(t, "openai", generator.Client{
		Spec: spec, Overlays: []string{filepath.Join(repoRoot(t), "testdata", "overlays", overlay)},
	})
}

// buildProgram generates a client in a module of its own and builds the program of testdata/live that has its name on it.
func buildProgram(t *testing.T, name string, c generator.Client) string {
	t.Helper()
	dir := newModule(t, "live.test")
	c.Out, c.Package = filepath.Join(dir, name), name
	result, err := generator.Run(t.Context(), generator.Config{Client: c})
	if err != nil {
		t.Fatal(err)
	}
	if result.HasErrors() {
		t.Fatalf("generate: %v", result.Diagnostics)
	}
	copyFile(t, filepath.Join(repoRoot(t), "testdata", "live", name, "main.go"), filepath.Join(dir, "main.go"))
	goRun(t.Context(), t, dir, "build", "-race", "-o", "program", ".")
	return filepath.Join(dir, "program")
}

// runLive runs a program of testdata/live and returns what it printed.
func runLive(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, &stderr)
	}
	return out
}

func drive(t *testing.T, program, mode, url string) liveReport {
	t.Helper()
	var r liveReport
	out := runLive(t, program, mode, url)
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("report: %v\n%s", err, out)
	}
	return r
}

func startAimock(t *testing.T, dir, fixtures string, flags ...string) string {
	t.Helper()
	port := freePort(t)
	url := "http://127.0.0.1:" + port
	startNode(t.Context(), t, dir, url+"/health", append([]string{
		"node_modules/@copilotkit/aimock/dist/cli.js", "-h", "127.0.0.1", "-p", port, "-f", fixtures,
		"--journal-max", "0", "--log-level", "silent",
	}, flags...)...)
	return url
}

// request is one entry of the mock's journal.
type request struct {
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
}

func journal(t *testing.T, url string) []request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/v1/_requests", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var entries []request
	if err := json.Unmarshal(text, &entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

// count returns how many entries have each value.
func count(entries []request, value func(request) string) map[string]int {
	all := map[string]int{}
	for _, e := range entries {
		all[value(e)]++
	}
	return all
}

func keyOf(r request) string { return r.Headers["idempotency-key"] }

func pathOf(r request) string { return r.Path }

func first(errs []string) []string { return errs[:min(len(errs), 3)] }
