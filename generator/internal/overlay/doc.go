// Package overlay applies OpenAPI Overlays (Overlay Specification 1.0 and 1.1) to a document's tree.
//
//	overlay ──decode──▶ actions ──target (JSONPath)──▶ locations ──update, copy, remove──▶ the document's tree, edited in place
//
// It is the one user of the JSONPath library, and lets it only select: the library gets a mirror of the tree made of Go maps and
// slices, and says where the matches are; the edits are done here, on the tree that keeps positions and the text of scalars.
//
// Where 1.0 and 1.1 differ, 1.1 counts, because its rules are the ones that 1.0's own examples need: scalars may be targets, and a
// list that is written to a list is appended item by item. Two things are stricter than the specification: an action that
// matches nothing is an error unless it says x-resgen-allow-empty, and so is a value of another kind than the one it meets.
//
// Read in this order: apply.go, decode.go, extends.go, selection.go, hint.go, edit.go.
package overlay
