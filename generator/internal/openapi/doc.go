// Package openapi loads an OpenAPI 2.0, 3.0 or 3.1 document and the files that it refers to, and says what they describe as a
// model.API.
//
//	source.Value ──bundle──▶ one clean document ──kin-openapi──▶ openapi3.T ──convert──▶ model.API
//	 (overlaid)      │         (positions kept)                       │
//	                 └─ other files, by $ref, below the root          └─ order, numbers and positions from the clean document
//
// kin-openapi decodes documents and resolves references, and its types do not leave this package. It also forgets the order of
// keys, the digits of numbers and the positions inside extensions, refuses a whole document for one misplaced keyword, and knows
// a schema by a different pointer on each way that leads to it. So it is not given what the author wrote, but a bundle: one
// document that holds exactly what the kept operations reach, in which every $ref is local and leads somewhere and every keyword
// is of its kind. The bundle is a source.Value itself, so that each conversion has two views of the same place: kin's typed one
// for meaning, the tree for order, digits and positions.
//
// What is wrong but does not keep an operation from working is a warning, and no operation is ever dropped. Schemas that no
// kept operation reaches are not loaded. Links, callbacks and webhooks describe what a server does; a client has no use for
// them, and they are ignored.
//
// Read the files in this order. From the author's tree to the bundle: load.go, version.go, files.go, swagger.go, refs.go, operation.go,
// filter.go, grammar.go, shape.go, scalar.go, schemaobject.go, schemarefs.go, bundle.go, keep.go, cycles.go, kin.go. The HTTP side: convert.go,
// server.go, security.go, parameter.go, mediatype.go, content.go, response.go, example.go. Types: place.go, types.go, decls.go,
// leaves.go, typeof.go, object.go, primitive.go, enum.go, union.go, variant.go, discriminator.go, parts.go, hint.go.
package openapi
