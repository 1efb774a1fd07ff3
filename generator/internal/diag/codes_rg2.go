package diag

// RG2xxx: annotations and configuration, each by itself.
const (
	UnknownKey      Code = "RG2001"
	WrongType       Code = "RG2002"
	BadDuration     Code = "RG2003"
	BareDuration    Code = "RG2004"
	NotSupportedYet Code = "RG2005"
	BadValue        Code = "RG2006"
	MissingKey      Code = "RG2007"
	ConflictingKeys Code = "RG2008"
	MisplacedKey    Code = "RG2009"
	UnknownName     Code = "RG2010"
	BadVersion      Code = "RG2011"
	UseCycle        Code = "RG2012"
	OnlyGoMethods   Code = "RG2013"
	BadDirective    Code = "RG2014"
	OnlyDocuments   Code = "RG2015"
)

// rg2 is sorted by code.
var rg2 = []Entry{
	{
		Code: UnknownKey, Name: "UnknownKey", Summary: "a key that nothing reads",
		Explain: "A key with a typing error would be a policy that is silently off, so every unknown key is an error. Keys are " +
			"kebab-case.",
		Example: "x-resilience: {retry: {atempts: 3}}",
		Fix:     "x-resilience: {retry: {attempts: 3}}",
	},
	{
		Code: WrongType, Name: "WrongType", Summary: "a value has another form than its key takes",
		Explain: "Each key takes one form: a text, a number, a share, a duration, a list, an object. Nothing is converted silently.",
		Example: "retry: {attempts: three}",
		Fix:     "retry: {attempts: 3}",
	},
	{
		Code: BadDuration, Name: "BadDuration", Summary: "a duration that cannot be read, or is out of range",
		Explain: "Durations are written as Go writes them: a number with a unit, ns, us, ms, s, m or h, possibly several. They " +
			"are not negative, and at most 87600h: ten years.",
		Example: "timeout-classes: {fast: {total: 2 sec}}",
		Fix:     "timeout-classes: {fast: {total: 2s}}",
	},
	{
		Code: BareDuration, Name: "BareDuration", Summary: "a bare number where a duration is expected",
		Explain: "30 could mean seconds, milliseconds or nanoseconds; half of all outages by timeout are a unit that was guessed. " +
			"Write the unit.",
		Example: "retry: {backoff: {base: 100}}",
		Fix:     "retry: {backoff: {base: 100ms}}",
	},
	{
		Code: NotSupportedYet, Name: "NotSupportedYet", Summary: "a key that belongs to resgen but that this version does not carry out",
		Explain: "The key is in the reference, but no machine acts on it yet. It is refused and not ignored: a policy that is " +
			"written must be a policy that runs.",
		Example: "page: {style: cursor}",
		Fix:     "Remove the key, or use a version that supports it.",
	},
	{
		Code: BadValue, Name: "BadValue", Summary: "a value of the right form that its key cannot have",
		Explain: "The value is out of range, malformed or already taken: a share above 1, no attempts at all, a pointer without a " +
			"slash, a name with spaces. It could not be carried out as written.",
		Example: "breaker: {failure-rate: 50}",
		Fix:     "breaker: {failure-rate: 50%}",
	},
	{
		Code: MissingKey, Name: "MissingKey", Summary: "an object lacks a key that it needs",
		Explain: "Some objects mean something only as a whole: a rung needs a name and a means, a rule needs to say what it matches, a " +
			"field of the request that asks for a stream needs its value.",
		Example: "fallback: [{static: apology}]",
		Fix:     "fallback: [{name: sorry, static: apology}]",
	},
	{
		Code: ConflictingKeys, Name: "ConflictingKeys", Summary: "two keys or items that cannot both hold",
		Explain: "Only one of the two could be carried out, and which would be a guess: a rung of two sorts, two rungs of one name, a rule " +
			"under two kinds, a short form beside its long form.",
		Example: "fallback: [{name: eu, target: secondary, static: apology}]",
		Fix:     "fallback: [{name: eu, target: secondary}, {name: sorry, static: apology}]",
	},
	{
		Code: MisplacedKey, Name: "MisplacedKey", Summary: "a key stands where it has no meaning",
		Explain: "Facts stand with the operation, in defaults, or in the facts of a rule; policies also in named policies and in the set of a " +
			"rule. Classes, policies, targets and defaults are shared, and stand at the top of the document or of the policy file.",
		Example: "rules: [{match: {tag: admin}, set: {idempotency: safe}}]",
		Fix:     "rules: [{match: {tag: admin}, facts: {idempotency: safe}}]",
	},
	{
		Code: UnknownName, Name: "UnknownName", Summary: "a name that is defined nowhere",
		Explain: "A timeout class, a target, a named policy, a kind or a level is used but not defined. Classes, policies and " +
			"targets are defined at the top of the document's x-resilience or in the policy file; kinds and levels are fixed.",
		Example: "timeout: fsat",
		Fix:     "timeout: fast",
	},
	{
		Code: BadVersion, Name: "BadVersion", Summary: "a version of the vocabulary that is not known",
		Explain: "The version says what the keys mean. There is version 1 only; a later one could give the same keys another meaning.",
		Example: "x-resilience: {version: 2}",
		Fix:     "x-resilience: {version: 1}",
	},
	{
		Code: UseCycle, Name: "UseCycle", Summary: "named policies that use each other in a circle",
		Explain: "A named policy may take over another by `use`. Where the chain comes back to where it began, there is no lowest one.",
		Example: "policies: {a: {use: b}, b: {use: a}}",
		Fix:     "policies: {a: {use: b}, b: {use: recommended}}",
	},
	{
		Code: OnlyGoMethods, Name: "OnlyGoMethods", Summary: "an annotation of Go methods at an operation of HTTP",
		Explain: "What an HTTP operation fails with is a status, a body or a broken connection, and its rules say so; Go variables, types and " +
			"functions describe the errors of a wrapped Go method. And a request over HTTP ends with its context, so that there is nothing to " +
			"abandon.",
		Example: "errors: {caller: [{is: ErrNotFound}]}",
		Fix:     "errors: {caller: [404]}",
	},
	{
		Code: BadDirective, Name: "BadDirective", Summary: "a comment that is no directive, or a directive that says nothing",
		Explain: "A directive is `//resgen:KEY [VALUE] [path.to.key=value]...` in the comment above a method or a type of a Go file, without a space " +
			"behind // or around the colon. Commas make lists; a value with spaces or commas in it is a Go string.",
		Example: "// resgen:retry attempts=3",
		Fix:     "//resgen:retry attempts=3",
	},
	{
		Code: OnlyDocuments, Name: "OnlyDocuments", Summary: "an annotation of HTTP operations at a Go method",
		Explain: "Some annotations point into the bodies of requests and answers. What a Go method sends and is answered is its own business: the client " +
			"inside it looks there, where it was generated from a document.",
		Example: "//resgen:ids /points/*/id",
		Fix:     "//resgen:idempotent",
	},
}
