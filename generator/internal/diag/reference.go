package diag

import "strings"

// groups are the thousands of codes, by their first digit.
var groups = []struct{ digit, title string }{
	{"1", "RG1xxx: the input"},
	{"2", "RG2xxx: annotations and configuration"},
	{"3", "RG3xxx: combinations of policies"},
	{"4", "RG4xxx: Go names and types"},
	{"9", "RG9xxx: faults of resgen"},
}

// Reference is the reference page of all diagnostics, in Markdown.
func Reference() string {
	var b strings.Builder
	b.WriteString("# Diagnostics\n\nEvery code, as `resgen explain` prints it. This page is generated from the registry.\n")
	for _, g := range groups {
		b.WriteString("\n## " + g.title + "\n")
		for _, e := range Registry() {
			if string(e.Code[2]) == g.digit {
				e.reference(&b)
			}
		}
	}
	return b.String()
}

func (e *Entry) reference(b *strings.Builder) {
	b.WriteString("\n### " + string(e.Code) + " " + e.Name + "\n\n" + sentence(e.Summary) + "\n\n" + e.Explain + "\n\n")
	b.WriteString("```yaml\n" + strings.Trim(e.Example, "\n") + "\n```\n\nFix:\n\n```\n" + strings.Trim(e.Fix, "\n") + "\n```\n")
}

// sentence makes a summary stand by itself.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
