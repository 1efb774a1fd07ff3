package diag

// RG4xxx: Go names and types.
const (
	InvalidPackageName Code = "RG4001"
	WiringClash        Code = "RG4002"
)

// rg4 is sorted by code.
var rg4 = []Entry{
	{
		Code: InvalidPackageName, Name: "InvalidPackageName", Summary: "the name of the package is no Go package name",
		Explain: "A package name is a Go identifier that is no keyword, by convention short and in lower case.",
		Example: "package: my-client",
		Fix:     "package: myclient",
	},
	{
		Code: WiringClash, Name: "WiringClash", Summary: "one name for two functions of different signatures",
		Explain: "A function or value that is wired in Go has one option, With and its name, and so one type. A func rung has the signature of the " +
			"method that it stands in for.",
		Example: "get: {operationId: getPet, x-resilience: {fallback: [{name: local, func: remembered}]}}\n" +
			"post: {operationId: addPet, x-resilience: {fallback: [{name: local, func: remembered}]}}",
		Fix: "get: {operationId: getPet, x-resilience: {fallback: [{name: local, func: rememberedPet}]}}\n" +
			"post: {operationId: addPet, x-resilience: {fallback: [{name: local, func: rememberedNewPet}]}}",
	},
}
