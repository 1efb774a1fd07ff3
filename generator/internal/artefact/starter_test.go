package artefact

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/model"
)

func TestWhatOnlyAsks(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/chat/completions": true, "/v1/embeddings": true, "/collections/{name}/points/search": true, "/text-search": true, "/query?beta=true": true,
		"/chat/completions/{id}": false, "/messages": false, "/search-index": false, "/{search}": false, "/": false, "": false, "/orders": false,
		"/completions#2": true,
	} {
		if got := asksOnly(path); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

func TestPageParam(t *testing.T) {
	t.Parallel()
	params := []model.Param{{Name: "cursor", In: model.InHeader}, {Name: "offset", In: model.InQuery}, {Name: "after", In: model.InQuery}}
	if got := pageParam(&model.HTTPBinding{Method: "GET", Params: params}); got != "after" {
		t.Errorf("got %q, want that which comes first among those that are usual", got)
	}
	if got := pageParam(&model.HTTPBinding{Method: "POST", Params: params}); got != "" {
		t.Errorf("got %q of a POST", got)
	}
}

// TestClassesThatAreTaken gives classes other names where the document has some of theirs, and leaves out those that nothing names.
func TestClassesThatAreTaken(t *testing.T) {
	t.Parallel()
	p := Policy{taken: []string{"read", "read-2"}, Operations: []StarterOperation{{ID: "a", class: classRead, Attempts: 3}, {ID: "b", class: classCall}}}
	p.settle()
	if len(p.Classes) != 2 || p.Classes[0].Name != "read-3" || p.Operations[0].Timeout != "read-3" || p.Operations[1].Timeout != "call" {
		t.Errorf("got %+v", p)
	}
	if !p.Refrain(0) || p.Operations[0].Attempts != 0 || p.Operations[0].Timeout == "" {
		t.Errorf("retries come first: %+v", p.Operations[0])
	}
	if !p.Refrain(0) || p.Operations[0].Any() || len(p.Classes) != 1 || p.Refrain(0) {
		t.Errorf("then the rest: %+v", p)
	}
}

// TestAccept takes suggestions and leaves remarks, also where a text of the document looks like one.
func TestAccept(t *testing.T) {
	t.Parallel()
	const file = "# yaml-language-server: $schema=./a.json\n## A remark: x # y.\nversion: 1\n# defaults: {use: recommended}\nrules:\n  ## # b\n  # - match: {operation-id: \"# c\"}\n  #   set:\n"
	want := "\n## A remark: x # y.\nversion: 1\ndefaults: {use: recommended}\nrules:\n  ## # b\n  - match: {operation-id: \"# c\"}\n    set:\n"
	if got := string(Accept([]byte(file))); got != want {
		t.Errorf("got\n%s", strings.ReplaceAll(got, " ", "·"))
	}
}
