package sample_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/sample"
)

// TestCorpus makes the samples of real documents, which are no part of the repository.
func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("RESGEN_CORPUS")
	if dir == "" {
		t.Skip("RESGEN_CORPUS is not set: `make corpus` runs this, or RESGEN_CORPUS=folder of OpenAPI documents")
	}
	names, _ := filepath.Glob(filepath.Join(dir, "visible", "*.*"))
	if len(names) == 0 {
		t.Fatalf("RESGEN_CORPUS: no documents in %s", filepath.Join(dir, "visible"))
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".tsv") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			pkg := planOf(t, name, data, "")
			if pkg == nil {
				t.Skip("not an OpenAPI 3 document")
			}
			m := sample.New(pkg)
			all, none := 0, 0
			for i := range pkg.Client.Operations {
				op := &pkg.Client.Operations[i]
				all += 2
				if _, err := m.Request(op); err != nil {
					none++
					t.Log(err)
				}
				if _, err := m.Answer(op); err != nil {
					none++
					t.Log(err)
				}
			}
			if none*20 > all {
				t.Errorf("%d of %d have no sample", none, all)
			}
		})
	}
}
