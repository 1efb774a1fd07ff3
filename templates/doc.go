// Package templates holds every output that is not Go: its text, and nothing that decides.
//
//	artefact: view struct ──Render──▶ page, configuration, rules
//
// Go code is emitted as structure, by package emit. What is here is text around values, so a value is never put there as it is: it
// passes a function that quotes it for the language of the output. Each template begins with a comment that names its view, which is
// flat and fully computed; a template has range, if and the functions of quote.go and markdown.go, and nothing cleverer. A page of HTML is
// rendered by RenderHTML, which knows where in the page a value stands.
//
// Read in this order: templates.go (Render), quote.go (JSON and YAML), markdown.go, html.go, then the templates.
package templates
