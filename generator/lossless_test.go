package generator_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// knownLosses are what generated packages do not have, by document and place, with the reason.
var knownLosses = map[string]string{
	"visible/atlassian-com-jira.json 60719:35": "the body of a 303, which is followed",
	"visible/atlassian-com-jira.json 61947:28": "the body of a 303, which is followed",
	"visible/twilio-api-v2010.json 4921:131":   "the body of a 307, which is followed",
	"visible/pagerduty.json 9968:23":           "each schema that takes the base in names one of its values; the base is not in use by itself",
}

// TestNothingLost reads every real document at hand by itself, and looks in the generated package for each member of each object
// of a JSON body, each value of each enum, each alternative of each union that is an object, and each parameter. What is not
// there must be named by a warning, or be in knownLosses.
func TestNothingLost(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("RESGEN_CORPUS")
	if dir == "" {
		t.Skip("RESGEN_CORPUS is not set: `make corpus` runs this, or RESGEN_CORPUS=folder of OpenAPI documents")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("RESGEN_CORPUS: %v: name a folder of OpenAPI documents to run this", err)
	}
	for _, d := range corpusDocuments(t, dir) {
		if mustRefuse[d.name] != "" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			found := map[string]bool{}
			for _, l := range losses(t, d) {
				place := fmt.Sprintf("%s %d:%d", d.name, l.at.Line, l.at.Column)
				found[place] = true
				if knownLosses[place] == "" {
					t.Errorf("%d:%d: %s", l.at.Line, l.at.Column, l.what)
				}
			}
			for place := range knownLosses {
				if strings.HasPrefix(place, d.name+" ") && !found[place] {
					t.Errorf("%s is not lost: take it off knownLosses", place)
				}
			}
		})
	}
}

// loss is something that a document says and its client does not know.
type loss struct {
	at   source.Pos
	what string
}

// losses generates the client of a document and says what it does not know of it.
func losses(t *testing.T, d *corpusDocument) []loss {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*documentTime) // TestCorpus, which runs beside this, is the judge of times
	defer cancel()
	out := filepath.Join(newModule(t, "lossless.test"), "api")
	cfg := generator.Config{Client: generator.Client{Spec: d.path, Out: out, Package: "api"}}
	if overlay := corpusOverlays[d.name]; overlay != "" {
		cfg.Client.Overlays = []string{overlay}
	}
	result, err := generator.Run(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if result.HasErrors() { // TestCorpus reports it
		return nil
	}
	facts, err := documentFacts(d.path)
	if err != nil {
		t.Fatal(err)
	}
	client, err := readClient(out)
	if err != nil {
		t.Fatal(err)
	}
	var all []loss
	for _, f := range facts {
		if lost := client.lost(f); lost != "" && !isWarned(f.at, result.Diagnostics) {
			all = append(all, loss{f.at.Pos, lost})
		}
	}
	return all
}

// isWarned reports whether a diagnostic is about something within a value.
func isWarned(v *source.Value, all []generator.Diagnostic) bool {
	end := lastPos(v)
	return slices.ContainsFunc(all, func(d generator.Diagnostic) bool {
		at := source.Pos{File: v.Pos.File, Line: d.Span.Line, Column: d.Span.Column} // files are named in different ways
		return filepath.Base(d.Span.File) == filepath.Base(v.Pos.File) && v.Pos.Compare(at) <= 0 && at.Compare(end) <= 0
	})
}

// lastPos is where the last value within a value begins.
func lastPos(v *source.Value) source.Pos {
	switch {
	case len(v.Map) > 0:
		return lastPos(&v.Map[len(v.Map)-1].Value)
	case len(v.List) > 0:
		return lastPos(&v.List[len(v.List)-1])
	default:
		return v.Pos
	}
}

// lost says what of a fact the package does not have; empty where it has all of it.
func (c *clientFacts) lost(f fact) string {
	switch f.kind {
	case "object":
		return c.lostMembers(f)
	case "enum":
		return c.lostValues(f)
	case "union":
		return c.lostVariants(f)
	default:
		return c.lostParameter(f)
	}
}

func (c *clientFacts) lostMembers(f fact) string {
	holders := c.holding(f.names)
	if len(holders) == 0 {
		return fmt.Sprintf("no struct has the members %q", f.names)
	}
	var raw []string
	for _, holder := range holders {
		raw = nil
		for _, key := range f.typed {
			if c.isRaw(c.members[holder][key]) {
				raw = append(raw, key)
			}
		}
		if len(raw) == 0 {
			return ""
		}
	}
	return fmt.Sprintf("%q are raw JSON in every struct that has them", raw)
}

func (c *clientFacts) lostValues(f fact) string {
	var missing []string
	for _, values := range c.constants {
		missing = without(f.names, values)
		if len(missing) == 0 {
			return ""
		}
	}
	return fmt.Sprintf("no type has the values %q", f.names)
}

func (c *clientFacts) lostVariants(f fact) string {
	var lost []string
	for _, keys := range f.variants {
		if !c.hasVariant(keys) {
			lost = append(lost, fmt.Sprintf("%q", keys))
		}
	}
	if len(lost) == 0 || len(f.variants) == 1 { // one object alone is no alternative
		return ""
	}
	return "no union has a variant with the members " + strings.Join(lost, ", ")
}

// hasVariant reports whether some union has a variant with the keys, itself or within one that is a union.
func (c *clientFacts) hasVariant(keys []string) bool {
	holders := c.holding(keys)
	for _, variants := range c.accessors {
		for _, v := range variants {
			if slices.Contains(holders, c.resolved(v)) {
				return true
			}
		}
	}
	return false
}

func (c *clientFacts) lostParameter(f fact) string {
	for _, method := range c.methods[f.request] {
		if slices.Contains(c.literals["new"+method], f.names[0]) {
			return ""
		}
	}
	return fmt.Sprintf("%s sends no parameter %q", f.request, f.names[0])
}
