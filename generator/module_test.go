package generator_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// newModule makes a module in a temporary folder that depends on this checkout, and returns its folder. Its requirements are this
// module's own, so that nothing has to be resolved or fetched.
func newModule(t *testing.T, name string) string {
	t.Helper()
	root := repoRoot(t)
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module "+modulePath, "module "+name, 1)
	text += "\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => " + root + "\n"
	writeFile(t, filepath.Join(dir, "go.mod"), text)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "go.sum"), string(sum))
	return dir
}

// goRun runs the go command in a folder and fails the test with its output if it fails.
func goRun(ctx context.Context, t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// lookAt looks at a folder that a command of the test reads: `go test` only knows of what the test itself looks at, and would take an
// older result for this one's.
func lookAt(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.ReadDir(dir); err != nil {
		t.Fatal(err)
	}
}

func repoRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, to, string(text))
}

// corpusFile returns the path of a real document, or skips the test and says what is missing.
func corpusFile(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("RESGEN_CORPUS")
	if folder == "" {
		folder = filepath.Join(repoRoot(t), "..", "shared", "corpus")
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs the document %s: set RESGEN_CORPUS to the folder that holds it (%v)", name, err)
	}
	return path
}
