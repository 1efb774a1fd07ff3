// Package faultlist holds the generated clients of five wire shapes of language models to one list of faults: whatever a provider is seen to
// do, in a whole answer and in a stream, it says what the call comes to. Everything is in its tests; the table is in table_test.go and the files beside it.
package faultlist
