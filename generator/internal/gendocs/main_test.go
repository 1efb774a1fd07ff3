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
	// So that go test, which does not see what the commands are built of, takes no older result for this one's.
	if _, err := os.ReadDir(filepath.Join("..", "..", "..", "cmd", "resgen")); err != nil {
		t.Fatal(err)
	}
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
	if err != nil || len(entries) != 4 {
		t.Errorf("%v, %v: want four pages", entries, err)
	}
}
