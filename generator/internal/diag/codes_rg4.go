package diag

// RG4xxx: Go names and types.
const (
	InvalidPackageName Code = "RG4001"
	WiringClash        Code = "RG4002"
	LockedName         Code = "RG4003"
	NoImportPath       Code = "RG4004"
	UnreadablePackage  Code = "RG4010"
	NoSuchInterface    Code = "RG4011"
	BrokenPackage      Code = "RG4012"
	UnreachableType    Code = "RG4013"
	SealedInterface    Code = "RG4014"
	PassedThrough      Code = "RG4015"
	NotReached         Code = "RG4016"
	TakenName          Code = "RG4017"
	NoSuchSymbol       Code = "RG4018"
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
	{
		Code: NoImportPath, Name: "NoImportPath", Summary: "the tests of a client are left out, because its import path is not known",
		Explain: "The tests that come with a client are of a package of their own, which imports it. Its import path is --import-path (import-path " +
			"in resgen.yaml), else that of the nearest go.mod above the output folder, and the folder. Where neither tells one that Go takes, the " +
			"client is written without tests.",
		Example: "resgen generate --spec llm.yaml --out llm --package llm     # no go.mod above",
		Fix:     "go mod init example.com/app",
	},
	{
		Code: UnreadablePackage, Name: "UnreadablePackage", Summary: "the go command cannot read the package of an interface",
		Explain: "The package is named by a folder (./store), by an import path, or not at all: then it is the one of the working directory. " +
			"`go list` must be able to read it from there, with the same tags.",
		Example: "resgen generate --iface ./stroe.Store",
		Fix:     "resgen generate --iface ./store.Store",
	},
	{
		Code: NoSuchInterface, Name: "NoSuchInterface", Summary: "there is no such interface, or it is one that nothing can wrap",
		Explain: "The name is that of an interface with methods, at the top of its package and part of the build: not in a test file, and not " +
			"behind a build constraint that does not hold; see --tags. A constraint such as ~int | ~string has no values and cannot be wrapped.",
		Example: "//go:generate go tool resgen generate --iface Stroe",
		Fix:     "//go:generate go tool resgen generate --iface Store",
	},
	{
		Code: BrokenPackage, Name: "BrokenPackage", Summary: "an interface names what does not compile",
		Explain: "Mistakes in a package count only where the interface depends on them: then its wrapper could not be spelled. Wrappers that " +
			"resgen wrote before are not read, so they may be stale or broken.",
		Example: "type Store interface{ Get(ctx context.Context, key Kye) error }",
		Fix:     "type Store interface{ Get(ctx context.Context, key Key) error }",
	},
	{
		Code: UnreachableType, Name: "UnreachableType", Summary: "the wrapper's package cannot name a type of the interface",
		Explain: "A wrapper in another package can name exported types only, none of an internal package that is not its own, and no struct " +
			"literal with unexported fields. In the package of the interface itself all of that can be named.",
		Example: "resgen generate --iface ./store.store --out wrapped/store.gen.go",
		Fix:     "resgen generate --iface ./store.store",
	},
	{
		Code: SealedInterface, Name: "SealedInterface", Summary: "an interface has an unexported method, and its wrapper goes into another package",
		Explain: "Only types of the package that declares an unexported method can have it (https://go.dev/ref/spec#Method_sets).",
		Example: "resgen generate --iface ./store.Sealed --out wrapped/sealed.gen.go",
		Fix:     "resgen generate --iface ./store.Sealed",
	},
	{
		Code: PassedThrough, Name: "PassedThrough", Summary: "a method is passed through as it is",
		Explain: "Without a context.Context among its parameters a call cannot be ended, and without an error among its results there is no way to say " +
			"that it was: the wrapper calls the wrapped method and does nothing else. `//resgen:skip` says that this is meant.",
		Example: "Close() error",
		Fix:     "//resgen:skip\nClose() error",
	},
	{
		Code: NotReached, Name: "NotReached", Summary: "an annotation of a method that is passed through, or is not there",
		Explain: "A policy of a method without a context or an error, of one with `//resgen:skip`, or of one that the interface does not have is a policy " +
			"that silently does not hold.",
		Example: "//resgen:retry attempts=3\nPing() error",
		Fix:     "//resgen:retry attempts=3\nPing(ctx context.Context) error",
	},
	{
		Code: TakenName, Name: "TakenName", Summary: "the package has a name already that the wrapper needs",
		Explain: "The wrapper of Store is ResilientStore, made by NewResilientStore with options StoreOption, WithStoreTarget, WithStoreRuntime and With, " +
			"Store and the name of each function. These names do not change with what else is in the package, so what has one must be renamed.",
		Example: "type ResilientStore struct{ Store }",
		Fix:     "type retryingStore struct{ Store }",
	},
	{
		Code: NoSuchSymbol, Name: "NoSuchSymbol", Summary: "a Go name in an annotation of errors that does not say what an error is",
		Explain: "The names are those of the interface's package, of packages that it imports (by the name of the import), or begin with the path of " +
			"a package. A variable of type error is asked for by errors.Is, a type by errors.As, a func(error) bool by a call; a func(error) " +
			"policy.Kind knows all kinds. The wrapper's package must be able to name it.",
		Example: "//resgen:errors transient=ErrBuzy",
		Fix:     "//resgen:errors transient=ErrBusy",
	},
}
