package diag

// RG4xxx: Go names and types.
const (
	InvalidPackageName Code = "RG4001"
	WiringClash        Code = "RG4002"
	LockedName         Code = "RG4003"
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
	{
		Code: LockedName, Name: "LockedName", Summary: "a name of resgen.lock that nothing can have any more",
		Explain: "resgen.lock remembers what each name of a package stands for, so that what is added to a document renames nothing. A name that " +
			"every client has (Client, New, the options), one that is no exported identifier, or one that two entries claim cannot be " +
			"given: what it was for gets another one.",
		Example: "names:\n  'type #/components/schemas/customer': Client",
		Fix:     "names:\n  'type #/components/schemas/customer': Customer",
	},
}
