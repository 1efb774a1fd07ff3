package diag

import "strings"

// Nearest returns the known name that a mistyped one most likely means, or "" where none is near. Case and separators do not
// count, so that maxAttempts finds max-attempts. Of equally near names the first in known is returned.
func Nearest(name string, known []string) string {
	const longest = 64
	folded := fold(name)
	if folded == "" || len(folded) > longest {
		return ""
	}
	best, bestDistance := "", max(1, len(folded)/3)+1
	for _, candidate := range known {
		if d := distance(folded, fold(candidate), bestDistance); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// DidYouMean returns a question for a diagnostic's fix, or "" where no known name is near.
func DidYouMean(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return `did you mean "` + near + `"?`
	}
	return ""
}

func fold(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' || r == '.' {
			return -1
		}
		return r
	}, s))
}

// distance is the number of edits between two names: insertions, deletions, replacements, and swaps of neighbours (optimal
// string alignment). It stops at a limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			replace := prev[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			cur[j] = min(replace, prev[j]+1, cur[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
