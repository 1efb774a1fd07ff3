// Package plan turns an API as its author sees it into a Go package with everything decided: names, types, and a policy.Plan for
// each operation, with the layer that set each value. Emitters only print what stands here.
//
//	             ┌─ layers ─ merge ─ decode ─ refuse ─▶ policy.Plan, facts, provenance ─┐
//	model.API ───┤                                                                      ├──▶ Package
//	policy file ─┘  asks and answers ─▶ names ─▶ types, requests, responses, steps ─────┘
//
// Names come in tiers: what every client has, components, operations, and what derives from them. A tier never renames one above
// it, and within a tier a name depends on the author's text and not on the order of the document. Null and absence are in the
// type of every field (see typer.member), raw JSON stands wherever the document leaves a value open, and text of the document
// reaches the Package only as harmless comment lines, as keys, and as literals made by strconv.
//
// Read the files in this order: package.go, shape.go, gotype.go, scheme.go (the vocabulary that emitters print); resolve.go (the
// stage); policies*.go, layers*.go, merge.go, provenance.go, refuse*.go, explain.go (annotations); media.go, content.go,
// answer.go (what travels); ident.go, scope.go, names.go (names); types.go, ring.go, struct.go, enum.go, variant.go (types);
// request.go, response.go, server.go, client.go (the client); locate.go, value.go, step.go (what rungs do); comment.go,
// describe.go (the author's words).
package plan
