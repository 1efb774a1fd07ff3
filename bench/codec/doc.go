// Package codec measures JSON: the answers of language models and vector stores are read (BenchmarkDecode), their requests are written
// (BenchmarkEncode). `resgen` are the types that resgen generates of llm/openapi.yaml; all other arms read and write the plain structs of
// internal/payload, but ogen its own.
//
// arms_test.go says what each column is, decode_test.go and encode_test.go have the tables, ogen_test.go is there with the build tag "ogen"
// (`make ogen`). exact_test.go and the tests beside the tables prove that what is measured gives the same values.
package codec
