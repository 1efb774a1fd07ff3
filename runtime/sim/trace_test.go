package sim_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/sim/tracetest"
)

var update = flag.Bool("update", false, "write the traces anew")

// TestTraces holds the simulator to the traces that were reviewed. The live driver is held to the same ones by TestTraces of
// package runtime.
func TestTraces(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("testdata", "traces")
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	stories := tracetest.Stories()
	if !*update && len(files) != len(stories) {
		t.Errorf("%d files for %d stories: go test ./runtime/sim -run TestTraces -update, and look at the difference", len(files), len(stories))
	}
	for _, s := range stories {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			got, err := s.Simulated()
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join(dir, s.Name+".txt")
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("the story went another way (-want +got):\n%s", diff)
			}
		})
	}
}
