package policy

import "fmt"

// Each table below spells an enum as annotations, reports and metrics do. A name that no annotation may use is in the table for
// String and refused by Parse.

var jitterNames = []string{FullJitter: "full", EqualJitter: "equal", DecorrelatedJitter: "decorrelated", NoJitter: "none"}

var scopeNames = []string{ScopeTarget: "target", ScopeOperation: "operation"}

var breakerModeNames = []string{
	BreakerOff: "off", BreakerOn: "on", BreakerShadow: "shadow", BreakerForcedOpen: "forced-open", BreakerForcedClosed: "forced-closed",
}

var keyFormatNames = []string{KeyBare: "bare", KeySFString: "sf-string"}

var keySourceNames = []string{KeyUUIDv7: "uuidv7", KeyParam: "param", KeyFunc: "func"}

var streamFormatNames = []string{NoStream: "none", SSE: "sse", JSONL: "jsonl", JSONSeq: "json-seq"}

var rungSortNames = []string{RungTarget: "target", RungPatch: "patch", RungStatic: "static", RungFunc: "func", RungCache: "cache", RungOperation: "operation"}

var partitionNames = []string{PerAll: "all", PerTenant: "tenant"}

var limitHeadersNames = []string{
	LimitHeadersNone: "none", LimitHeadersX: "x-ratelimit", LimitHeadersDraft: "draft", LimitHeadersOpenAI: "openai", LimitHeadersAzure: "azure",
	LimitHeadersAnthropic: "anthropic", LimitHeadersGroq: "groq", LimitHeadersMistral: "mistral", LimitHeadersTogether: "together",
	LimitHeadersOpenRouter: "openrouter",
}

var inputCountNames = []string{CountAll: "all", CountUncached: "uncached"}

var outputCountNames = []string{CountEstimate: "estimate", CountMax: "max"}

var separationNames = []string{CountTogether: "false", CountApart: "true"}

var exerciseModeNames = []string{ExerciseShadow: "shadow", ExerciseServe: "serve"}

var stateNames = []string{StateClosed: "closed", StateOpen: "open", StateHalfOpen: "half-open"}

var verdictNames = []string{Neutral: "neutral", Success: "success", Answered: "answered", Failure: "failure"}

var bulkheadVerdictNames = []string{Rejected: "rejected", Admitted: "admitted", Waiting: "waiting", Shed: "shed"}

var adviceNames = []string{NoAdvice: "none", AdviseRetry: "retry", AdviseStop: "stop"}

// nameOf returns the name of v in its table, or what it is where there is none.
func nameOf(names []string, v uint8, what string) string {
	if int(v) < len(names) && names[v] != "" {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", what, v)
}

// parseName returns the value of that name among those from first on.
func parseName[E ~uint8](names []string, name string, first E) (E, bool) {
	for v := int(first); v < len(names); v++ {
		if names[v] == name && name != "" {
			return E(v), true
		}
	}
	return 0, false
}

// String returns the name as annotations spell it.
func (j Jitter) String() string { return nameOf(jitterNames, uint8(j), "jitter") }

// ParseJitter returns the jitter of that name and whether there is one.
func ParseJitter(name string) (Jitter, bool) { return parseName(jitterNames, name, FullJitter) }

// String returns the name as annotations spell it.
func (s Scope) String() string { return nameOf(scopeNames, uint8(s), "scope") }

// ParseScope returns the scope of that name and whether there is one.
func ParseScope(name string) (Scope, bool) { return parseName(scopeNames, name, ScopeTarget) }

// String returns the name as annotations spell it, and "off" for BreakerOff, which they cannot.
func (m BreakerMode) String() string { return nameOf(breakerModeNames, uint8(m), "breaker-mode") }

// ParseBreakerMode returns the mode of that name and whether there is one. A breaker that is off is one that nobody wrote.
func ParseBreakerMode(name string) (BreakerMode, bool) {
	return parseName(breakerModeNames, name, BreakerOn)
}

// String returns the name as annotations spell it.
func (f KeyFormat) String() string { return nameOf(keyFormatNames, uint8(f), "key-format") }

// ParseKeyFormat returns the format of that name and whether there is one.
func ParseKeyFormat(name string) (KeyFormat, bool) { return parseName(keyFormatNames, name, KeyBare) }

// String returns the name as annotations spell it.
func (s KeySource) String() string { return nameOf(keySourceNames, uint8(s), "key-source") }

// ParseKeySource returns the source of that name and whether there is one.
func ParseKeySource(name string) (KeySource, bool) { return parseName(keySourceNames, name, KeyUUIDv7) }

// String returns the name as annotations spell it, and "none" for NoStream, which they cannot.
func (f StreamFormat) String() string { return nameOf(streamFormatNames, uint8(f), "stream-format") }

// ParseStreamFormat returns the format of that name and whether there is one.
func ParseStreamFormat(name string) (StreamFormat, bool) {
	return parseName(streamFormatNames, name, SSE)
}

// String returns the rung's key in annotations.
func (s RungSort) String() string { return nameOf(rungSortNames, uint8(s), "rung-sort") }

// ParseRungSort returns the sort whose key has that name and whether there is one.
func ParseRungSort(name string) (RungSort, bool) { return parseName(rungSortNames, name, RungTarget) }

// String returns the name as annotations spell it, and "all" for PerAll, which they cannot.
func (p Partition) String() string { return nameOf(partitionNames, uint8(p), "partition") }

// ParsePartition returns the partition of that name and whether there is one. What is for all is what nobody parted.
func ParsePartition(name string) (Partition, bool) {
	return parseName(partitionNames, name, PerTenant)
}

// String returns the name as annotations spell it.
func (h LimitHeaders) String() string { return nameOf(limitHeadersNames, uint8(h), "limit-headers") }

// ParseLimitHeaders returns the family of that name and whether there is one.
func ParseLimitHeaders(name string) (LimitHeaders, bool) {
	return parseName(limitHeadersNames, name, LimitHeadersNone)
}

// String returns the name as annotations spell it.
func (c InputCount) String() string { return nameOf(inputCountNames, uint8(c), "input-count") }

// ParseInputCount returns the count of that name and whether there is one.
func ParseInputCount(name string) (InputCount, bool) {
	return parseName(inputCountNames, name, CountAll)
}

// String returns the name as annotations spell it.
func (c OutputCount) String() string { return nameOf(outputCountNames, uint8(c), "output-count") }

// ParseOutputCount returns the count of that name and whether there is one.
func ParseOutputCount(name string) (OutputCount, bool) {
	return parseName(outputCountNames, name, CountEstimate)
}

// String returns "true" for CountApart and "false" for CountTogether, as annotations spell it.
func (s Separation) String() string { return nameOf(separationNames, uint8(s), "separation") }

// String returns the name as annotations spell it.
func (m ExerciseMode) String() string { return nameOf(exerciseModeNames, uint8(m), "exercise-mode") }

// ParseExerciseMode returns the mode of that name and whether there is one.
func ParseExerciseMode(name string) (ExerciseMode, bool) {
	return parseName(exerciseModeNames, name, ExerciseShadow)
}

// String returns the state's name as logs and metrics spell it.
func (s State) String() string { return nameOf(stateNames, uint8(s), "state") }

// String returns the verdict's name.
func (v Verdict) String() string { return nameOf(verdictNames, uint8(v), "verdict") }

// String returns the verdict's name.
func (v BulkheadVerdict) String() string {
	return nameOf(bulkheadVerdictNames, uint8(v), "bulkhead-verdict")
}

// String returns the advice's name.
func (a Advice) String() string { return nameOf(adviceNames, uint8(a), "advice") }
