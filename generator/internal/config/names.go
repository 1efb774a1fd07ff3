package config

import (
	"go/token"
	"strings"
)

// ValidName reports whether a text can be the NAME of an output: letters, digits, '-', '_' and '.', a letter or digit first. It
// stands in a comment of each file, and must be one word there.
func ValidName(s string) bool {
	const longest = 100
	for i := range len(s) {
		c := s[i]
		isAlnum := c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !isAlnum && (i == 0 || c != '-' && c != '_' && c != '.') {
			return false
		}
	}
	return s != "" && len(s) <= longest
}

// ValidPackage reports whether a text can be a package clause of a package that others import: a Go identifier, no keyword, not
// "_" and not "main", and no name that Go tools take for tests or, as they do "documentation", leave out of a build.
func ValidPackage(s string) bool {
	return token.IsIdentifier(s) && s != "_" && s != "main" && s != "documentation" && !strings.HasSuffix(s, "_test")
}

// ValidImportPath reports whether a text can be an import path: elements of the letters, digits and signs that the go command
// allows in them, none of which leads elsewhere.
func ValidImportPath(s string) bool {
	for element := range strings.SplitSeq(s, "/") {
		if strings.Trim(element, ".") == "" || strings.HasSuffix(element, ".") || strings.ContainsFunc(element, isForeignToPaths) {
			return false
		}
	}
	return true
}

func isForeignToPaths(r rune) bool {
	isAlnum := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	return !isAlnum && !strings.ContainsRune("-._~+", r)
}
