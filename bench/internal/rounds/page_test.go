package rounds

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The page is what the results that are kept beside it say.
func TestPageIsFresh(t *testing.T) {
	t.Parallel()
	kept, err := Load("../../results.json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/reference/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := kept.Page()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(page)); diff != "" {
		t.Errorf("docs/reference/performance.md is stale: run `make -C bench page` (-results +page):\n%s", diff)
	}
}
