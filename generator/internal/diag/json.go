package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
)

// The shape of the JSON format. Fields are only ever added to it.
type (
	jsonReport struct {
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
		Operations  any              `json:"operations,omitempty"`
	}
	jsonPlace struct {
		File   string `json:"file"`
		Line   int    `json:"line,omitempty"`
		Column int    `json:"column,omitempty"`
		Length int    `json:"length,omitempty"`
	}
	jsonDiagnostic struct {
		jsonPlace

		Severity string        `json:"severity"`
		Code     Code          `json:"code"`
		What     string        `json:"what"`
		Why      string        `json:"why,omitempty"`
		Fix      string        `json:"fix,omitempty"`
		Related  []jsonRelated `json:"related,omitempty"`
	}
	jsonRelated struct {
		jsonPlace

		What string `json:"what"`
	}
)

func writeJSON(b *bytes.Buffer, ds []Diagnostic, opts Options) error {
	report := jsonReport{Diagnostics: make([]jsonDiagnostic, len(ds)), Operations: opts.Operations}
	for i, d := range ds {
		report.Diagnostics[i] = jsonDiagnostic{
			jsonPlace: placeOf(d.Span.File, d.Span.Line, d.Span.Column, d.Span.Len),
			Severity:  d.Severity.String(), Code: d.Code, What: d.What, Why: d.Why, Fix: d.Fix,
		}
		for _, r := range d.Related {
			report.Diagnostics[i].Related = append(report.Diagnostics[i].Related, jsonRelated{
				jsonPlace: placeOf(r.Span.File, r.Span.Line, r.Span.Column, r.Span.Len), What: r.What,
			})
		}
	}
	return EncodeJSON(b, report)
}

func placeOf(file string, line, column, length int) jsonPlace {
	return jsonPlace{File: file, Line: line, Column: column, Length: length}
}

// EncodeJSON writes indented JSON in which every character that a terminal could act on is escaped: encoding/json leaves C1
// controls and those that reorder text raw. All of them can only stand in strings.
func EncodeJSON(b *bytes.Buffer, v any) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode diagnostics: %w", err)
	}
	for _, r := range raw.String() {
		switch {
		case r == '\n' || !hidden(r):
			b.WriteRune(r)
		case utf16.RuneLen(r) == 1:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		}
	}
	return nil
}
