// Package goiface reads Go interfaces into model.API. It is the only importer of go/packages.
//
//	patterns ──go/packages, one load──▶ packages ──find──▶ interface ──methods, types, directives──▶ model.API
//
// The packages that declare the interfaces are parsed, without the bodies of their functions; what they import comes from export data.
// Files that resgen wrote are read as empty, so that a wrapper that no longer compiles is replaced, and other mistakes in a package count
// only where an interface depends on them.
//
// Read in this order: load.go (the load), parse.go (what is masked), find.go (the interface), method.go (its methods), typeof.go (their
// types), answer.go (what they answer), directive.go and comment.go (what their comments say).
package goiface
