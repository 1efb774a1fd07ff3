package diag

// RG9xxx: faults of resgen itself.
const (
	InternalFault Code = "RG9001"
)

// rg9 is sorted by code.
var rg9 = []Entry{
	{
		Code: InternalFault, Name: "InternalFault", Summary: "resgen made Go code that does not compile, or failed in another way that no input should cause",
		Explain: "Everything that resgen writes is type-checked before the first byte is written, so nothing was changed. Please " +
			"report it, with the file that the message names.",
		Example: "error RG9001: client.gen.go does not compile",
		Fix:     "Report it with the document that leads to it, reduced as far as possible. `--exclude` leaves an operation out until then.",
	},
}
