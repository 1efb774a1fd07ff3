package runtime

import (
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
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("asked every %d, at %d (-want +got):\n%s", every, i, diff)
			}
			before = append(got, -1)
		}
		if diff := cmp.Diff(want, k.all()); diff != "" || before[len(before)-1] != -1 {
			t.Fatalf("asked every %d (-want +got):\n%s", every, diff)
		}
	}
}
