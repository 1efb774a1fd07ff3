package generator_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLiveVectorDB runs examples/vectordb against a real Chroma, stops that and starts it again under it: no search fails, the rung is printed, and it
// comes back by itself.
func TestLiveVectorDB(t *testing.T) {
	requireLive(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := &chromaProcess{dir: npmInstall(ctx, t, "chroma", chromaManifest), data: t.TempDir(), port: freePort(t)}
	c.start(ctx, t)
	t.Cleanup(func() { c.stop(t) })
	checkUndocumented(ctx, t, c.url())

	program := filepath.Join(t.TempDir(), "vectordb")
	goRun(ctx, t, repoRoot(t), "build", "-race", "-o", program, "./examples/vectordb")
	cmd := exec.CommandContext(ctx, program, "--chroma", c.url(), "--every", "100ms")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	rows := &vectorRows{t: t, lines: bufio.NewScanner(out)}
	rows.until("-", 5)
	c.stop(t)
	rows.until("keywords", 10)
	c.start(ctx, t)
	rows.until("-", 10)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	rows.rest()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ends with %v", err)
	}
	t.Logf("%d searches, none failed", rows.n)
}

// vectorRows are the rows that the program prints.
type vectorRows struct {
	t     *testing.T
	lines *bufio.Scanner
	n     int
}

// until reads rows until so many in a row are of a rung. None may be an error, or without a hit.
func (r *vectorRows) until(rung string, want int) {
	r.t.Helper()
	const most = 300
	for got, read := 0, 0; got < want; read++ {
		if read == most || !r.lines.Scan() {
			r.t.Fatalf("no %d rows of the rung %q after %d rows: %v", want, rung, read, r.lines.Err())
		}
		row := r.check()
		switch {
		case len(row) < 4 || row[0] != "search":
		case row[2] == rung:
			got++
		default:
			got = 0
		}
	}
}

// check returns the words of the present row.
func (r *vectorRows) check() []string {
	r.t.Helper()
	line := r.lines.Text()
	for _, bad := range []string{"error:", "nothing was found", "does not work"} {
		if strings.Contains(line, bad) {
			r.t.Errorf("a search failed: %s", line)
		}
	}
	r.n++
	return strings.Fields(line)
}

// rest reads what is left.
func (r *vectorRows) rest() {
	for r.lines.Scan() {
		r.check()
	}
}

// chromaProcess is a Chroma that can be stopped and started again, with its data.
type chromaProcess struct {
	dir, data, port string
	cmd             *exec.Cmd
	exited          chan error
}

func (c *chromaProcess) url() string { return "http://127.0.0.1:" + c.port }

func (c *chromaProcess) start(ctx context.Context, t *testing.T) {
	t.Helper()
	c.cmd = exec.CommandContext(ctx, "node", "node_modules/chromadb/dist/cli.mjs", "run", "--path", c.data, "--host", "127.0.0.1", "--port", c.port)
	c.cmd.Dir = c.dir
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.exited = make(chan error, 1)
	go func(cmd *exec.Cmd) { c.exited <- cmd.Wait() }(c.cmd)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for range 600 {
		<-tick.C
		if answersOK(ctx, c.url()+"/api/v2/heartbeat") {
			return
		}
	}
	t.Fatal("Chroma was not ready within a minute")
}

// stop ends the process that start began, and waits for its end.
func (c *chromaProcess) stop(t *testing.T) {
	t.Helper()
	if c.cmd == nil {
		return
	}
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	<-c.exited
	c.cmd = nil
}

// checkUndocumented asks for what TestChromaSpecSaysWhatChromaDoes leaves out, because Chroma's document does.
func checkUndocumented(ctx context.Context, t *testing.T, url string) {
	t.Helper()
	ask := func(method, path, body string) (int, string) {
		req, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, resp.Header.Get("Content-Type") + " " + string(text)
	}
	if status, text := ask(http.MethodGet, "/api/v2/version", ""); status != http.StatusOK || !strings.HasPrefix(text, `application/json "`) {
		t.Errorf("the version is %d %s, want a text in JSON", status, text)
	}
	const collections = "/api/v2/tenants/default_tenant/databases/default_database/collections"
	for _, want := range []int{http.StatusOK, http.StatusConflict} {
		if status, text := ask(http.MethodPost, collections, `{"name":"twice"}`); status != want {
			t.Errorf("making a collection: %d %s, want %d", status, text, want)
		}
	}
}
