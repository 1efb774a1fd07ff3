package runtime

// AtLeastV0_1 ties generated code to a runtime that is new enough: each release that adds what generated code needs adds a
// constant, and code that names a missing one does not compile. The remedy is `go get github.com/resgen-go/resgen@latest`.
const AtLeastV0_1 = true
