package runtime

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What was gathered is all there whenever it is asked for, and what was handed out is not written to.
func TestGathered(t *testing.T) {
	t.Parallel()
	for _, every := range []int{1, 2, 7, 300, 5000} {
		var k gathered[int]
		var want, before []int
		if got := k.all(); len(got) != 0 {
			t.Fatalf("%v in an empty list", got)
		}
		for i := range 3000 {
			*k.room() = i
			k.add()
			want = append(want, i)
			if i%every != 0 {
				continue
			}
			got := k.all()
			if !slices.Equal(want, got) { // cmp.Diff of equal lists took minutes
				t.Fatalf("asked every %d, at %d (-want +got):\n%s", every, i, cmp.Diff(want, got))
			}
			before = append(got, -1)
		}
		if got := k.all(); !slices.Equal(want, got) || before[len(before)-1] != -1 {
			t.Fatalf("asked every %d (-want +got):\n%s", every, cmp.Diff(want, got))
		}
	}
}
