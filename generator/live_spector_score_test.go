package generator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
)

func judgeSpector(t *testing.T, scenarios []json.RawMessage, faults map[string][]string, score map[string]string) {
	t.Helper()
	passed := 0
	for _, name := range slices.Sorted(maps.Keys(score)) {
		if score[name] == "pass" && len(faults[name]) == 0 {
			passed++
			continue
		}
		fmt.Fprintln(os.Stdout, name, score[name], faults[name])
	}
	fmt.Fprintf(os.Stdout, "%d of %d scenarios passed\n", passed, len(scenarios))
}
