package codec

import (
	"reflect"
	"strings"
	"testing"
)

// TestOneLargeTextIsNoRule has texts of one type differ: what comes after a large one does not take its room.
func TestOneLargeTextIsNoRule(t *testing.T) {
	t.Parallel()
	type text string
	large, small := text(strings.Repeat("x", 1<<20)), text("x")
	known := &shapeOf(reflect.TypeFor[text]()).sizes
	known.last.Store(0) // a second run in this process knows of the first
	known.least.Store(0)
	for i, step := range []struct {
		v    text
		want int
	}{{small, 0}, {large, 3}, {small, 3}, {large, 3}, {large, 1<<20 + 2}, {small, 3}} {
		if _, err := Marshal(step.v); err != nil {
			t.Fatal(err)
		}
		if got := known.expected(); got != step.want {
			t.Errorf("after text %d room for %d bytes is made, want %d", i, got, step.want)
		}
	}
}
