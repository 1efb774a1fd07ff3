// Package payload has what the benchmarks of JSON and of streams read and write: answers of language models and of vector stores in the form
// in which OpenAI and Qdrant send them, the same bytes in every run, and plain structs for them.
//
// text.go makes the documents, types.go has the structs, requests.go makes values of them.
package payload
