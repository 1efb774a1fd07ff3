package runtimetest

import "testing"

// Examine returns the names of the checks that have found something wrong with the first case of a suite, each once, and what they say.
func Examine[C any](t *testing.T, s Suite[C]) (wrong map[string]string, noted []string) {
	t.Helper()
	wrong = map[string]string{}
	for _, f := range examine(t, &s, &s.Cases[0]) {
		if f.wrong {
			wrong[f.check] += f.text + "\n"
		} else {
			noted = append(noted, f.check+": "+f.text)
		}
	}
	return wrong, noted
}
