package diag

import (
	"bytes"
	"net/url"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// The parts of SARIF 2.1.0 that diagnostics need:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    Code      `json:"id"`
		Name  string    `json:"name,omitempty"`
		Short sarifText `json:"shortDescription"`
		Full  sarifText `json:"fullDescription"`
		Help  sarifText `json:"help"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    Code            `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	projectURI  = "https://github.com/resgen-go/resgen"
)

func writeSARIF(b *bytes.Buffer, ds []Diagnostic, opts Options) error {
	rules := sarifRules(ds)
	run := sarifRun{
		Tool:       sarifTool{Driver: sarifDriver{Name: "resgen", InformationURI: projectURI, Rules: rules}},
		ColumnKind: "unicodeCodePoints",
		Results:    make([]sarifResult, len(ds)),
	}
	for i, d := range ds {
		result := sarifResult{
			RuleID: d.Code, Level: d.Severity.String(), Message: sarifText{message(Diagnostic{What: d.What, Why: d.Why, Fix: d.Fix})},
			RuleIndex: slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == d.Code }),
		}
		if d.Span.File != "" {
			result.Locations = []sarifLocation{sarifPlace(d.Span, opts)}
		}
		for _, r := range d.Related {
			place := sarifPlace(r.Span, opts)
			place.Message = &sarifText{Escape(r.What)}
			result.Related = append(result.Related, place)
		}
		run.Results[i] = result
	}
	return EncodeJSON(b, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifRules describes the codes that occur, in ascending order.
func sarifRules(ds []Diagnostic) []sarifRule {
	codes := make([]Code, len(ds))
	for i, d := range ds {
		codes[i] = d.Code
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	rules := make([]sarifRule, len(codes))
	for i, code := range codes {
		e, _ := Lookup(string(code))
		rules[i] = sarifRule{
			ID: code, Name: e.Name, Short: sarifText{e.Summary + "."}, Full: sarifText{e.Explain},
			Help: sarifText{"resgen explain " + string(code)},
		}
	}
	return rules
}

func sarifPlace(span source.Span, opts Options) sarifLocation {
	place := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{URI: (&url.URL{Path: span.File}).String()}}}
	if span.IsValid() {
		place.Physical.Region = &sarifRegion{StartLine: span.Line, StartColumn: opts.column(span.Pos)}
	}
	return place
}
