package semantic

import (
	"math"
	"slices"
	"time"
)

// near is an entry that was found, and how similar it is.
type near struct {
	*kept

	similarity float64
}

// nearest compares all entries of a namespace, and returns those that are the most similar, the nearest first, and those that are too old.
func nearest(space []*kept, vector []float32, most int, now time.Time) (found []near, old []*kept) {
	length := lengthOf(vector)
	for _, k := range space {
		if k.Old(now) {
			old = append(old, k)
			continue
		}
		x, ok := cosine(vector, k.Key.Vector, length)
		if !ok || len(found) >= most && (most <= 0 || x <= found[most-1].similarity) {
			continue
		}
		at, _ := slices.BinarySearchFunc(found, x, func(n near, x float64) int {
			if n.similarity >= x {
				return -1
			}
			return 1
		})
		if found = slices.Insert(found, at, near{k, x}); len(found) > most {
			found = found[:most]
		}
	}
	return found, old
}

// cosine returns the cosine of the angle between two vectors; false where there is none: vectors of different lengths, of zeros, of what is
// no number.
func cosine(a, b []float32, lengthOfA float64) (float64, bool) {
	if len(a) != len(b) {
		return 0, false
	}
	dot := 0.0
	for i, x := range a {
		dot += float64(x) * float64(b[i])
	}
	x := dot / (lengthOfA * lengthOf(b))
	return x, !math.IsNaN(x) && !math.IsInf(x, 0)
}

// lengthOf returns the Euclidean length of a vector.
func lengthOf(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}
