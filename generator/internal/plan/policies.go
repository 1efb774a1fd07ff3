package plan

import (
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Layers are what Resolve is given beside the API: where policies come from that are not in the document, and what the
// package is to be called.
type Layers struct {
	// PolicyFile is the tree of the policy file; nil where there is none.
	PolicyFile *source.Value
	// Package is the package clause, Output the NAME of the header's second line, ImportPath the package's own import path
	// (empty where unknown).
	Package    string
	Output     string
	ImportPath string
	// Source is the path of the document relative to the output folder, for the header.
	Source string
}

// Resolved are the policies of an API, every slice by the index of model.API.Operations.
type Resolved struct {
	// Plans are what the plain methods run. Of an operation that only streams it is the stream's plan.
	Plans []policy.Plan
	// Twins are what the stream twins run; nil for an operation that has none.
	Twins []*policy.Plan
	// Facts are what types and rungs are made from.
	Facts []annot.Facts
	// Why says which layer set each value of the plan.
	Why [][]Provenance
	// Sources are what the comment of each policy literal names, such as "llm.yaml: createChatCompletion.{retry,fallback},
	// document.timeout"; empty where everything is built in.
	Sources []string
	// Docs are the paragraphs that begin with "METHOD /path" and state the policy in a sentence; TwinDocs those of the stream
	// twins. They hold text of the document (the path): make a Comment of them.
	Docs     []string
	TwinDocs []string
	// Targets are all targets that some operation names, primary first, with the addresses that the annotations give.
	Targets []policy.Target
}

// resolvePolicies merges the layers of each operation, decodes the result into its policy.Plan and refuses what is unsafe. It
// reports to list, and returns plans for all operations whatever it reports.
func resolvePolicies(api *model.API, l Layers, list *diag.List) Resolved {
	n := len(api.Operations)
	return Resolved{
		Plans: make([]policy.Plan, n), Twins: make([]*policy.Plan, n), Facts: make([]annot.Facts, n), Why: make([][]Provenance, n),
		Sources: make([]string, n), Docs: make([]string, n), TwinDocs: make([]string, n),
		Targets: []policy.Target{{Name: policy.PrimaryTarget}},
	}
}
