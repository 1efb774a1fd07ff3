// Package artefact fills the templates: what is made that is not Go.
//
//	diag, annot registries ──▶ view structs ──templates.Render──▶ Page
//	plan.Package ──Infer──▶ Inferred ──Starter──▶ ───────┘
//
// A view is flat and fully computed, so that its template only lays it out. Each page has a file here with its view and the function
// that fills it; the template of the same name is in package templates.
//
// Read in this order: page.go, diagnostics.go, annotations.go, cli.go; inferred.go, starter.go, config.go.
package artefact
