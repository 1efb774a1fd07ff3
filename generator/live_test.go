package generator_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// requireLive skips a test that needs a server from the npm registry, and says what would run it.
func requireLive(t *testing.T) {
	t.Helper()
	if os.Getenv("RESGEN_LIVE") == "" {
		t.Skip("needs a server from the npm registry: run `make live`, or set RESGEN_LIVE=1")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s to install and run the server: %v", tool, err)
		}
	}
}

// npmInstall installs what a package.json asks for, once, outside the checkout, and returns the folder.
func npmInstall(ctx context.Context, t *testing.T, name, manifest string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(manifest))
	dir := filepath.Join(cache, "resgen-tools", "npm", name+"-"+hex.EncodeToString(sum[:6]))
	done := filepath.Join(dir, "installed")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	writeFile(t, filepath.Join(dir, "package.json"), manifest)
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--silent", "--fetch-retries=5")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm install %s: %v\n%s", name, err, out)
	}
	writeFile(t, done, "")
	return dir
}

// startNode runs a node program until the test ends, and returns once a GET of ready answers 200. It ends only the process that it
// started.
func startNode(ctx context.Context, t *testing.T, dir, ready string, args ...string) {
	t.Helper()
	startNodeWhen(ctx, t, dir, func() bool { return answersOK(ctx, ready) }, args...)
}

// startNodeWhen is startNode with another sign that the program is ready.
func startNodeWhen(ctx context.Context, t *testing.T, dir string, ready func() bool, args ...string) {
	t.Helper()
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-exited
	})
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	deadline := time.NewTimer(3 * time.Minute)
	defer deadline.Stop()
	for {
		select {
		case err := <-exited:
			exited <- err
			t.Fatalf("node %v ended: %v\n%s", args, err, &output)
		case <-deadline.C:
			t.Fatalf("node %v was not ready within 3 minutes", args)
		case <-tick.C:
			if ready() {
				return
			}
		}
	}
}

func answersOK(ctx context.Context, url string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// freePort returns a port of the loopback interface that was free a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}
