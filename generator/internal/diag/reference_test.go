package diag_test

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
)

func TestReferenceHasEveryCodeOnce(t *testing.T) {
	t.Parallel()
	page := diag.Reference()
	at := 0
	for _, e := range diag.Registry() {
		heading := "\n### " + string(e.Code) + " " + e.Name + "\n"
		i := strings.Index(page, heading)
		if i < at || strings.Count(page, heading) != 1 {
			t.Errorf("%s stands at %d of the page, %d times: want it once, after the code before", e.Code, i, strings.Count(page, heading))
		}
		at = i
		if strings.Contains(e.Example+e.Fix, "```") {
			t.Errorf("%s: an example with ``` breaks the page", e.Code)
		}
	}
	if fences := strings.Count(page, "\n```"); fences != 4*len(diag.Registry()) {
		t.Errorf("%d fences for %d codes", fences, len(diag.Registry()))
	}
}
