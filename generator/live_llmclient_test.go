package generator_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// llmFixtures answers every question of the example, each of which ends with a question mark.
const llmFixtures = `{"fixtures":[{"match":{"userMessage":"?"},"response":{"content":"Hello from the mock model."},"chunkSize":8}]}`

// TestLiveLLMClient runs examples/llmclient with aimock behind its faults: all rungs are walked, and what is answered by a model, whole or
// item by item, is answered by that.
func TestLiveLLMClient(t *testing.T) {
	requireLive(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	fixtures := filepath.Join(t.TempDir(), "fixtures.json")
	writeFile(t, fixtures, llmFixtures)
	url := startAimock(t, npmInstall(ctx, t, "aimock", aimockManifest), fixtures)
	program := filepath.Join(t.TempDir(), "llmclient")
	goRun(ctx, t, repoRoot(t), "build", "-race", "-o", program, "./examples/llmclient")
	out, err := exec.CommandContext(ctx, program, "--base-url", url+"/v1", "--model", "gpt-4o-mini").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answered, rungs := 0, map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if i == 0 {
			continue
		}
		const title = 40
		if len(line) < title || strings.Contains(line, "error:") {
			t.Fatalf("a call failed: %s", line)
		}
		rung := strings.Fields(line[title:])[0]
		rungs[rung]++
		if strings.Contains(line, "Hello from the mock model.") {
			answered++
		}
	}
	for _, rung := range []string{"-", "eu", "small", "remembered", "passages", "sorry"} {
		if rungs[rung] == 0 {
			t.Errorf("no answer by the rung %q", rung)
		}
	}
	const brokenOff = 2 // streams that the embedded provider breaks
	if want := rungs["-"] + rungs["eu"] + rungs["small"] + rungs["remembered"] - brokenOff; answered != want {
		t.Errorf("%d answers are of the server, want %d", answered, want)
	}
	if asked := count(journal(t, url), pathOf)["/v1/chat/completions"]; asked < answered-rungs["remembered"] {
		t.Errorf("the server was asked %d times for %d answers", asked, answered)
	}
	t.Logf("rungs: %v\n%s", rungs, out)
}
