package diag

// RG2xxx: annotations and configuration, each by itself.
const (
	UnknownKey      Code = "RG2001"
	WrongType       Code = "RG2002"
	BadDuration     Code = "RG2003"
	BareDuration    Code = "RG2004"
	NotSupportedYet Code = "RG2005"
	UnknownName     Code = "RG2010"
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
			"are not negative.",
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
		Example: "hedge: {delay: auto}",
		Fix:     "Remove the key, or use a version that supports it.",
	},
	{
		Code: UnknownName, Name: "UnknownName", Summary: "a name that is defined nowhere",
		Explain: "A timeout class, a target, a named policy, a kind or a level is used but not defined. Classes, policies and " +
			"targets are defined at the top of the document's x-resilience or in the policy file; kinds and levels are fixed.",
		Example: "timeout: fsat",
		Fix:     "timeout: fast",
	},
}
