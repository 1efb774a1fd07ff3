package diag

import (
	"bytes"
	"fmt"
	"strings"
)

// writeGitHub writes workflow commands:
// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions.
func writeGitHub(b *bytes.Buffer, ds []Diagnostic, opts Options) {
	for _, d := range ds {
		var properties []string
		if d.Span.File != "" {
			properties = append(properties, "file="+githubProperty(d.Span.File))
		}
		if d.Span.IsValid() {
			properties = append(properties, fmt.Sprintf("line=%d,col=%d", d.Span.Line, opts.column(d.Span.Pos)))
		}
		properties = append(properties, "title="+githubProperty(string(d.Code)))
		fmt.Fprintf(b, "::%s %s::%s\n", d.Severity, strings.Join(properties, ","), githubData(message(d)))
	}
}

// message is what, why and fix as lines; each is escaped by itself, so that a document cannot add one.
func message(d Diagnostic) string {
	lines := []string{Escape(d.What)}
	for _, r := range d.Related {
		lines = append(lines, "at: "+Escape(r.Span.String())+": "+Escape(r.What))
	}
	if d.Why != "" {
		lines = append(lines, "why: "+Escape(d.Why))
	}
	if d.Fix != "" {
		lines = append(lines, "fix: "+Escape(d.Fix))
	}
	return strings.Join(lines, "\n")
}

func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func githubProperty(s string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(Escape(s))
}
