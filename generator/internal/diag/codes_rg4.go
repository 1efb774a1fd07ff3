package diag

// RG4xxx: Go names and types.
const (
	InvalidPackageName Code = "RG4001"
)

// rg4 is sorted by code.
var rg4 = []Entry{
	{
		Code: InvalidPackageName, Name: "InvalidPackageName", Summary: "the name of the package is no Go package name",
		Explain: "A package name is a Go identifier that is no keyword, by convention short and in lower case.",
		Example: "package: my-client",
		Fix:     "package: myclient",
	},
}
