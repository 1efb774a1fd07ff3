package artefact

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
)

// Diagnostics is the view of diagnostics.md.tmpl.
type Diagnostics struct{ Groups []DiagnosticGroup }

// DiagnosticGroup is a thousand of codes.
type DiagnosticGroup struct {
	// Codes is such as "RG3xxx", About what they have in common, and Anchor the name of the section within the page.
	Codes, About, Anchor string
	Entries              []DiagnosticEntry
}

// DiagnosticEntry is one code.
type DiagnosticEntry struct {
	Code, Name string
	// Summary is the rule in a sentence, Explain the reason.
	Summary, Explain string
	// Example breaks the rule, and Fix keeps it.
	Example, Fix string
}

// diagnosticGroups are the groups by the first digit of their codes.
var diagnosticGroups = []struct{ digit, about string }{
	{"1", "the input"},
	{"2", "annotations and configuration"},
	{"3", "combinations of policies"},
	{"4", "Go names and types"},
	{"9", "faults of resgen"},
}

// DiagnosticsPage is the reference page of all codes.
func DiagnosticsPage() (Page, error) {
	var view Diagnostics
	for _, g := range diagnosticGroups {
		group := DiagnosticGroup{Codes: "RG" + g.digit + "xxx", About: g.about}
		group.Anchor = strings.ToLower(strings.ReplaceAll(group.Codes+" "+group.About, " ", "-"))
		for _, e := range diag.Registry() {
			if strings.HasPrefix(string(e.Code), "RG"+g.digit) {
				group.Entries = append(group.Entries, DiagnosticEntry{
					Code: string(e.Code), Name: e.Name, Summary: sentence(e.Summary), Explain: e.Explain, Example: e.Example, Fix: e.Fix,
				})
			}
		}
		view.Groups = append(view.Groups, group)
	}
	return render("diagnostics.md", view)
}

// sentence makes a clause stand by itself.
func sentence(clause string) string {
	if clause == "" {
		return ""
	}
	return strings.ToUpper(clause[:1]) + clause[1:] + "."
}
