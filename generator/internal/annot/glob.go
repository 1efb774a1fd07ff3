package annot

import "strings"

// Glob reports whether a pattern matches a whole text: `*` stands for any run of characters without a slash, `**` for any run,
// `?` for one character that is no slash. Everything else stands for itself.
func Glob(pattern, text string) bool {
	return glob(pattern, text, &globBudget{steps: 1 << 16})
}

// globBudget bounds the work on a hostile pattern.
type globBudget struct{ steps int }

func glob(pattern, text string, budget *globBudget) bool {
	for pattern != "" {
		if budget.steps--; budget.steps < 0 {
			return false
		}
		switch {
		case strings.HasPrefix(pattern, "*"):
			rest, deep := strings.CutPrefix(pattern, "**")
			if !deep {
				rest = pattern[1:]
			}
			return globRun(rest, text, deep, budget)
		case text == "" || pattern[0] == '?' && text[0] == '/' || pattern[0] != '?' && pattern[0] != text[0]:
			return false
		}
		pattern, text = pattern[1:], text[1:]
	}
	return text == ""
}

func globRun(rest, text string, deep bool, budget *globBudget) bool {
	for i := 0; ; i++ {
		if glob(rest, text[i:], budget) {
			return true
		}
		if i == len(text) || !deep && text[i] == '/' {
			return false
		}
	}
}
