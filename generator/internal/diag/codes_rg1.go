package diag

// RG1xxx: the input, documents and overlays, cannot be read or says what resgen cannot express.
const (
	UnreadableFile    Code = "RG1001"
	BadSyntax         Code = "RG1002"
	DuplicateKey      Code = "RG1003"
	LimitExceeded     Code = "RG1004"
	InvalidOverlay    Code = "RG1010"
	OverlayVersion    Code = "RG1011"
	OverlayTarget     Code = "RG1012"
	OverlayNoMatch    Code = "RG1013"
	OverlayMixedKinds Code = "RG1014"
	OverlayExtends    Code = "RG1015"
	InvalidLock       Code = "RG1016"
	UnvendoredRef     Code = "RG1017"
	ChangedCopy       Code = "RG1018"
	InvalidScenario   Code = "RG1019"
)

// rg1 is sorted by code.
var rg1 = []Entry{
	{
		Code: UnreadableFile, Name: "UnreadableFile", Summary: "a file that the input names cannot be read",
		Explain: "Files named on the command line or in resgen.yaml are read wherever they lie. What a document names itself " +
			"($ref, extends) is read only below the root, and never from a network.",
		Example: "$ref: parts/missing.yaml#/Pet",
		Fix:     "Correct the path, or give a wider folder with --root.",
	},
	{
		Code: BadSyntax, Name: "BadSyntax", Summary: "a file is neither JSON nor the OpenAPI subset of YAML",
		Explain: "JSON is read as RFC 8259 says, YAML by the core schema of YAML 1.2 with one document a file. Tags of other " +
			"schemas and keys that are objects or lists are refused, because what they mean would be guessed.",
		Example: "{\"openapi\": \"3.1.0\",}",
		Fix:     "{\"openapi\": \"3.1.0\"}",
	},
	{
		Code: DuplicateKey, Name: "DuplicateKey", Summary: "an object has the same key twice",
		Explain: "Readers disagree on which of two equal keys counts, so that the document means different things to different tools.",
		Example: "get: {operationId: listPets}\nget: {operationId: findPets}",
		Fix:     "Remove or rename one of the two.",
	},
	{
		Code: LimitExceeded, Name: "LimitExceeded", Summary: "a document is too large, nests too deep, or grows too much by YAML aliases",
		Explain: "The limits (64 MiB a file and 256 MiB together, depth 500, 2 million values, 200 thousand of them made by aliases, 25,000 operations, " +
			"500,000 objects that they reach, 10,000 parameters of one, a package of 48 MB) are far above any real " +
			"document. They keep a hostile one from exhausting memory.",
		Example: "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]   # and so on: each line doubles the document",
		Fix:     "Write the repeated parts as components, and refer to them by $ref.",
	},
	{
		Code: InvalidOverlay, Name: "InvalidOverlay", Summary: "an overlay does not have the form that the Overlay Specification gives it",
		Explain: "An overlay has overlay, info with title and version, and actions. Each action has a target and one of update, " +
			"remove and (since 1.1) copy.",
		Example: "actions:\n  - target: $.paths['/pets'].get",
		Fix:     "actions:\n  - target: $.paths['/pets'].get\n    update: {x-resilience: {timeout: fast}}",
	},
	{
		Code: OverlayVersion, Name: "OverlayVersion", Summary: "the overlay's version is not known",
		Explain: "resgen applies Overlay Specification 1.0 and 1.1. A later version could give an action another meaning.",
		Example: "overlay: 2.0.0",
		Fix:     "overlay: 1.1.0",
	},
	{
		Code: OverlayTarget, Name: "OverlayTarget", Summary: "the target of an overlay action is no JSONPath query",
		Explain: "Targets are JSONPath as RFC 9535 defines it. Names with special characters stand in brackets and quotes.",
		Example: "target: $.paths./pets.get",
		Fix:     "target: $.paths['/pets'].get",
	},
	{
		Code: OverlayNoMatch, Name: "OverlayNoMatch", Summary: "an overlay action matches nothing in the document",
		Explain: "An action without a match does nothing, and so the policy that it was meant to set is not there. It is an error, " +
			"because the usual cause is a path that was renamed in a new version of the document. The specification lets such " +
			"actions succeed; say so where that is meant.",
		Example: "- target: $.paths['/chat/completion'].post\n  update: {x-resilience: {idempotency: safe}}",
		Fix:     "- target: $.paths['/chat/completions'].post\n  update: {x-resilience: {idempotency: safe}}\nor add `x-resgen-allow-empty: true` to the action.",
	},
	{
		Code: OverlayMixedKinds, Name: "OverlayMixedKinds", Summary: "an overlay action would change what sort of value stands there",
		Explain: "Objects merge with objects, lists are appended to, and scalars replace scalars. An object in place of a scalar or " +
			"a list is refused, since it nearly always is a target that is one step too high or too deep.",
		Example: "- target: $\n  update: {servers: {url: https://example.com}}      # servers is a list",
		Fix:     "- target: $\n  update: {servers: [{url: https://example.com}]}\nor remove the old value in an action before.",
	},
	{
		Code: OverlayExtends, Name: "OverlayExtends", Summary: "an overlay extends another document than the one it is applied to",
		Explain: "extends names the document that the overlay was written for. Applied to another one its targets may match " +
			"something else.",
		Example: "extends: ./llm-v1.yaml      # and --spec llm-v2.yaml",
		Fix:     "Correct extends, or remove it from an overlay that serves several documents.",
	},
	{
		Code: InvalidLock, Name: "InvalidLock", Summary: "resgen.lock does not have the form that resgen writes",
		Explain: "The file remembers which names must not change and which bytes remote documents have. It is written by generate and vendor, " +
			"and committed. Two branches that both add to a document may both change it: then either side will do, since generate " +
			"adds what is missing.",
		Example: "<<<<<<< HEAD",
		Fix:     "git checkout --theirs resgen.lock && resgen generate",
	},
	{
		Code: UnvendoredRef, Name: "UnvendoredRef", Summary: "a $ref leads to a network, and there is no copy of what it names",
		Explain: "Nothing is fetched when a client is generated: the same input gives the same code, today and next year. A remote document is " +
			"read from a copy below resgen.vendor, beside resgen.lock, which has the hash of the copy. `resgen vendor` fetches what is " +
			"missing, once, and writes both; a copy that was put there by hand it only takes note of. Both are committed.",
		Example: "schema: {$ref: 'https://schemas.example.com/common.yaml#/Money'}",
		Fix:     "resgen vendor",
	},
	{
		Code: ChangedCopy, Name: "ChangedCopy", Summary: "the copy of a remote document has other bytes than resgen.lock says",
		Explain: "Somebody changed the copy below resgen.vendor, or only one of the two files was committed.",
		Example: "resgen.vendor/schemas.example.com/common.yaml was edited by hand",
		Fix:     "Restore the file, or remove it and its line of resgen.lock, and run `resgen vendor` again.",
	},
	{
		Code: InvalidScenario, Name: "InvalidScenario", Summary: "a scenario for resgen simulate cannot be read",
		Explain: "The text of a scenario is lines: one that begins with scenario, one for each client and server, and those with the faults of a " +
			"server, which come after it. Each has a name and then name=value. What a scenario expects stands in lines that begin with expect.",
		Example: "scenario outage length=1m\nclient users rate=fast",
		Fix:     "scenario outage length=1m\nclient users rate=50/s",
	},
}
