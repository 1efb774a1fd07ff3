package faultlist_test

import (
	_ "embed"
	"os"
	"slices"
	"strings"
	"testing"
)

//go:embed pending.txt
var pendingText string

// pending skips a cell that the runtime does not hold yet; RESGEN_PENDING=1 plays it.
func pending(t *testing.T) {
	t.Helper()
	if os.Getenv("RESGEN_PENDING") == "" && slices.Contains(strings.Fields(pendingText), t.Name()) {
		t.Skip("not held yet: RESGEN_PENDING=1 plays it")
	}
}
