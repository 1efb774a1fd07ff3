package status

import (
	"bytes"
	"crypto/rand"
	_ "embed" // the page
	"html/template"
	"net/http"
)

//go:embed page.html
var pageText string

// pageTemplate is the page. Its layout stands there once: the server fills it, and so does its script, from the JSON, by the names in data-text.
var pageTemplate = template.Must(template.New("page").Parse(pageText))

// view is what the page is filled with. The blanks are what its script fills.
type view struct {
	Report

	Nonce string
	Blank blanks
}

type blanks struct {
	Problem   Problem
	Recovery  Recovery
	Target    Target
	Operation Operation
	Failure   Failure
	Event     Event
}

// JSON returns the endpoint that answers a Report.
func (s *Status) JSON() http.Handler {
	return get(func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, s.Report()) })
}

// Page returns the page. It is one document that asks for nothing but itself, and shows what is new every two seconds; without scripts it is loaded
// anew every ten. With the query "format=json" it answers what JSON does, wherever it is mounted.
func (s *Status) Page() http.Handler {
	return get(func(w http.ResponseWriter, r *http.Request) {
		report := s.Report()
		if r.URL.Query().Get("format") == "json" {
			answer(w, http.StatusOK, report)
			return
		}
		v := view{Report: report, Nonce: rand.Text()}
		var page bytes.Buffer
		if err := pageTemplate.Execute(&page, v); err != nil {
			http.Error(w, "the page cannot be written: "+err.Error(), http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-"+v.Nonce+"'; style-src 'nonce-"+v.Nonce+
			"'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		_, _ = w.Write(page.Bytes()) // who asked may have gone
	})
}
