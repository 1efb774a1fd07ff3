// Package generator turns OpenAPI documents and their resilience annotations into Go packages: the public face of a compiler
// whose stages stay internal, so that they may change freely.
//
//	resgen.yaml, flags                     overlays           policy file
//	       │                                   │                   │
//	       ▼                                   ▼                   ▼
//	     Config ──▶ load: source ─▶ overlay ─▶ openapi ─▶ plan: policies, names, types ─▶ emit ─▶ type-check ─▶ Write
//	       │                                                       │
//	       └───────────────────── diagnostics ◀────────────────────┴─▶ explain, worst case
//
// Run goes through the stages for every client and stops after a stage that reported an error; it returns what there is to say
// and never prints. All outputs are made, type-checked and compared in memory before the first byte is written.
//
// Read in this order: config.go (what goes in), run.go (the stages), inputs.go and paths.go (files, names, confinement), check.go
// (what a fault of resgen becomes), write.go (output folders), result.go, explain.go and worst.go (what comes out), compare.go (two inputs beside each
// other), init.go (what a user begins with).
package generator

//go:generate go run ./internal/gendocs
