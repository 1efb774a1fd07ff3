package policy

import "testing"

// What only keeps writes out, a full disk say, is no reason to send searches elsewhere.
func TestRowsOnWritesLeaveReadsAlone(t *testing.T) {
	t.Parallel()
	rows := 0
	for _, name := range Presets() {
		for i := range presets[name].failures {
			r := &presets[name].failures[i]
			if !r.writes {
				continue
			}
			rows++
			a := readSample(t, name, r.id).answer()
			a.Safe = true
			if got := (Errors{Preset: name}).rowOf(newReading(a), nil); got == r {
				t.Errorf("%s/%s: also of what changes nothing", name, r.id)
			}
		}
	}
	if rows == 0 {
		t.Error("no row is about writes")
	}
}
