package policy

import (
	"slices"
	"strings"
)

// Served says where an answer tells who gave it: a gateway, or an alias of a model, may have sent the request elsewhere. The zero value looks
// for nothing.
type Served struct {
	// Pointer is a JSON pointer (RFC 6901) into the answer, or into the items of a stream, of which the first that says so counts.
	Pointer string
	// Header is the name of a response header, for those who say it there. It comes before Pointer.
	Header string
	// Asked is a JSON pointer into the request to what is asked for. Empty: nothing is compared.
	Asked string
	// Equal lists what is as good as what is asked for, besides itself and its dated versions.
	Equal []string
}

// IsOn reports whether anything is looked for.
func (s *Served) IsOn() bool { return s.Pointer != "" || s.Header != "" }

// ServedOf returns where the answers of a preset's provider say who gave them; zero where that is not known.
func ServedOf(preset string) Served {
	switch preset {
	case "azure":
		return Served{Pointer: "/model"} // what is asked for is a deployment, of any name
	case "openai", "anthropic", "mistral", "groq", "together", "openrouter", "openai-compatible":
		return Served{Pointer: "/model", Asked: "/model"}
	case "gemini":
		return Served{Pointer: "/modelVersion"} // what is asked for stands in the path
	default:
		return Served{}
	}
}

// Substitutes reports whether what served is another than what was asked for. What is not known is no substitute.
func (s *Served) Substitutes(asked, served string) bool {
	if asked == "" || served == "" || isSame(asked, served) {
		return false
	}
	return !slices.ContainsFunc(s.Equal, func(equal string) bool { return isSame(equal, served) })
}

// isSame reports whether a served model is the one that was asked for: by its name, whoever's name stands before it, or by that of a dated
// version of it. "gpt-4o" is served as "gpt-4o-2024-08-06", and "claude-x-latest" as "claude-x-20250101"; but "gpt-4o" and "gpt-4o-mini" are
// two, and so are two dated versions.
func isSame(asked, served string) bool {
	asked, served = baseOf(asked), baseOf(served)
	if name, tag, tagged := strings.Cut(asked, ":"); tagged && !strings.Contains(served, ":") && tag != "" {
		asked = name // a variant of how it is served: free, online
	}
	asked, served = strings.TrimSuffix(asked, "-latest"), strings.TrimSuffix(served, "-latest") // some answer with the alias
	version, ok := strings.CutPrefix(served, asked)
	return asked == "" || ok && (version == "" || isDate(version))
}

// baseOf returns a model's name without those of whoever serves it.
func baseOf(model string) string { return strings.ToLower(model[strings.LastIndexByte(model, '/')+1:]) }

// isDate reports whether what follows a name is the date, or the number, of a version: -2024-08-06, -20250101, -0613, -001, @20250101.
func isDate(version string) bool {
	digits := version[1:]
	switch version[0] {
	case '-', '@':
	default:
		return false
	}
	const number, monthDay, date, dashed = 3, 4, 8, 10
	switch len(digits) {
	case number, monthDay, date:
		return isAllDigits(digits)
	case dashed:
		return digits[4] == '-' && digits[7] == '-' && isAllDigits(digits[:4]+digits[5:7]+digits[8:])
	default:
		return false
	}
}

func isAllDigits(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}
