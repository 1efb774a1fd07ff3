package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPagesAreFresh compares the reference pages with what would be written.
func TestPagesAreFresh(t *testing.T) {
	t.Parallel()
	lookAtCommands(t)
	all, err := pages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "reference", p.Name))
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(string(got), string(p.Data)); diff != "" {
			t.Errorf("docs/reference/%s is stale; `go generate ./generator` renews it (-there +made):\n%s", p.Name, diff)
		}
	}
}

// lookAtCommands looks at the files that resgen is built of here, so that go test does not take an older result for this one's.
func lookAtCommands(t *testing.T) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", "..", "cmd", "resgen", "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files of cmd/resgen: %v", err)
	}
	for _, name := range names {
		if _, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSubcommands(t *testing.T) {
	t.Parallel()
	got := subcommands("Usage:\n  resgen\n\nAvailable Commands:\n  generate    Generate\n  help        Help\n  version     Print\n\nFlags:\n  -h\n")
	if diff := cmp.Diff([]string{"generate", "version"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := subcommands("Flags:\n"); len(got) > 0 {
		t.Errorf("got %q where there are none", got)
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v: want three pages", entries, err)
	}
}
