// Package lock reads and writes resgen.lock: what the names of generated packages stand for, so that what is added to a document
// renames nothing that was there, and the hashes of remote documents of which copies are kept.
//
//	resgen.lock ──Read──▶ File ──Bytes──▶ resgen.lock
//
// The file is an input like the document: it is committed, and the same document with the same file gives the same package. It has
// one form: what Bytes prints is what the next run compares with.
//
// Read in this order: lock.go, read.go, print.go.
package lock
