package policy

// ProblemCode names a rule that a plan breaks. Codes are stable: the generator maps each to a diagnostic.
type ProblemCode string

// The codes.
const (
	// NegativeValue is a duration or a number below zero.
	NegativeValue ProblemCode = "negative-value"
	// UnknownValue is a value that no name stands for.
	UnknownValue ProblemCode = "unknown-value"
	// RateOutOfRange is a rate or a ratio outside of what it may be: a share, above 0 and at most 1.
	RateOutOfRange ProblemCode = "rate-out-of-range"
	// BackoffShape is a multiplier below 1, or a cap below the base.
	BackoffShape ProblemCode = "backoff-shape"
	// RetryNotRetryable is a kind in retry.on that trying again cannot help.
	RetryNotRetryable ProblemCode = "retry-not-retryable"
	// RetryInDoubt is a kind in retry.on that leaves execution in doubt, on an operation that may not be executed twice.
	RetryInDoubt ProblemCode = "retry-in-doubt"
	// RetryLayered is a retry towards a target that retries itself.
	RetryLayered ProblemCode = "retry-layered"
	// TotalTooShort is a total that ends before a second attempt, or the next rung, could achieve anything.
	TotalTooShort ProblemCode = "total-too-short"
	// StreamSilence is a bound on a stream's silence that its whole length makes void.
	StreamSilence ProblemCode = "stream-silence"
	// ItemRulePlace is a rule on items of a stream that looks where nothing can be.
	ItemRulePlace ProblemCode = "item-rule-place"
	// KeySourceMissing is a key from a parameter or a function that is not named.
	KeySourceMissing ProblemCode = "key-source-missing"
	// ProbesZero is a half-open breaker that admits nothing, or that no result can close.
	ProbesZero ProblemCode = "probes-zero"
	// WindowShape is a window that holds nothing, too much, or less than its minimum.
	WindowShape ProblemCode = "window-shape"
	// OpenShape is a breaker that does not stay open, or whose longest open time is below its first.
	OpenShape ProblemCode = "open-shape"
	// RefuseWithRungs is a ladder on an operation that refuses to degrade.
	RefuseWithRungs ProblemCode = "refuse-with-rungs"
	// RungIncomplete is a rung without a name, a sort or a kind of failure that leads to it.
	RungIncomplete ProblemCode = "rung-incomplete"
	// RungTwice is a rung, or a target, whose name another one has.
	RungTwice ProblemCode = "rung-twice"
	// MembersShape is a target whose members cannot be: none of them a target of its own, twice the same, too many, or members of members.
	MembersShape ProblemCode = "members-shape"
	// WeightShape is a weight that is no share, or of no member.
	WeightShape ProblemCode = "weight-shape"
	// AffinityShape is an affinity of a target without members, or one that lasts for no time.
	AffinityShape ProblemCode = "affinity-shape"
	// RungMayDuplicate is a rung that sends again what may have been executed, without a reason given.
	RungMayDuplicate ProblemCode = "rung-may-duplicate"
	// AttemptsExceedTotal is a warning: not all attempts fit into the total if each takes its whole timeout.
	AttemptsExceedTotal ProblemCode = "attempts-exceed-total"
	// HedgeCopies is a hedge with more copies than one can be worth.
	HedgeCopies ProblemCode = "hedge-copies"
	// HedgeInDoubt is a hedge of an operation that may not be executed twice: no copy knows of the other.
	HedgeInDoubt ProblemCode = "hedge-in-doubt"
	// HedgeKeyBusy is a hedge of a keyed operation whose server does not handle two requests with one key at the same time.
	HedgeKeyBusy ProblemCode = "hedge-key-busy"
	// HedgeNotHedgeable is a hedge of an operation that must not run twice at once.
	HedgeNotHedgeable ProblemCode = "hedge-not-hedgeable"
	// HedgeMayDuplicate is a hedge on another target of an operation that may be executed twice on one target only.
	HedgeMayDuplicate ProblemCode = "hedge-may-duplicate"
	// SharedShape is a shared limit whose name is none, or that bounds nothing which processes could share.
	SharedShape ProblemCode = "shared-shape"
	// LimitWithoutRate is a limit, or a burst, that bounds nothing.
	LimitWithoutRate ProblemCode = "limit-without-rate"
	// TokensNotCounted is a limit of tokens on an operation whose answers do not say how many it took.
	TokensNotCounted ProblemCode = "tokens-not-counted"
	// CostWithoutPrice is a bound on money for calls that cost nobody knows what.
	CostWithoutPrice ProblemCode = "cost-without-price"
	// ShedShape is shedding that would reject what is accepted, or never judge anything.
	ShedShape ProblemCode = "shed-shape"
	// AdaptiveUnbounded is a bulkhead that adapts without an upper bound.
	AdaptiveUnbounded ProblemCode = "adaptive-unbounded"
	// CacheNotSafe is a cache on an operation that has effects: a remembered answer would be one without them.
	CacheNotSafe ProblemCode = "cache-not-safe"
	// CacheKeepsNothing is a cache of which no answer is ever given.
	CacheKeepsNothing ProblemCode = "cache-keeps-nothing"
	// StaleWithoutRung is a stale-if-error that no rung serves.
	StaleWithoutRung ProblemCode = "stale-without-rung"
	// RungWithoutCache is a cache rung on an operation that remembers nothing.
	RungWithoutCache ProblemCode = "rung-without-cache"
	// SemanticThreshold is a semantic cache without a threshold, or with one that no similarity reaches or every one does.
	SemanticThreshold ProblemCode = "semantic-threshold"
	// SemanticSubject is a semantic cache that would give one user another one's answers.
	SemanticSubject ProblemCode = "semantic-subject"
	// SemanticEmbedder is a semantic cache without an embedder.
	SemanticEmbedder ProblemCode = "semantic-embedder"
	// SemanticTurn is a semantic cache of requests of which it is not known where their last turn is.
	SemanticTurn ProblemCode = "semantic-turn"
	// SemanticSpace is a semantic cache of vectors.
	SemanticSpace ProblemCode = "semantic-space"
	// ExerciseNotSafe is an exercise on an operation that is keyed, none, refuse or critical.
	ExerciseNotSafe ProblemCode = "exercise-not-safe"
	// ExerciseWithoutRungs is an exercise of a ladder without rungs.
	ExerciseWithoutRungs ProblemCode = "exercise-without-rungs"
	// ExerciseUnknownRung is an exercise of a rung that the ladder does not have.
	ExerciseUnknownRung ProblemCode = "exercise-unknown-rung"
	// ServeNotEqual is an exercise that would serve what is no equal answer.
	ServeNotEqual ProblemCode = "serve-not-equal"
	// PartialShape is a batch whose answer does not say which of its items failed.
	PartialShape ProblemCode = "partial-shape"
	// IDsUnused are ids on an operation that is not repeatable by them.
	IDsUnused ProblemCode = "ids-unused"
	// SpaceOfRung is a rung that may answer in another vector space, without a reason given why it does not.
	SpaceOfRung ProblemCode = "space-of-rung"
	// SpaceOfHedge is a hedge whose copies may be answered in another vector space.
	SpaceOfHedge ProblemCode = "space-of-hedge"
	// DataNotAccepted is data of a class that something which may see it does not accept.
	DataNotAccepted ProblemCode = "data-not-accepted"
	// FitIdle is a bound on the requests of a rung that sends none.
	FitIdle ProblemCode = "fit-idle"
	// SpaceOfCache is a cache whose key leaves out what chooses the vector space.
	SpaceOfCache ProblemCode = "space-of-cache"
	// HedgeTooLate is a warning: the attempt is over before it would be copied.
	HedgeTooLate ProblemCode = "hedge-too-late"
	// BulkheadBelowLimit is a warning: the bulkhead rejects before the limit is used up.
	BulkheadBelowLimit ProblemCode = "bulkhead-below-limit"
	// ShedWindowShort is a warning: calls that hang are out of the window before they are known to have failed.
	ShedWindowShort ProblemCode = "shed-window-short"
	// CacheRungIdle is a warning: a cache rung that has nothing but what the cache gives by itself.
	CacheRungIdle ProblemCode = "cache-rung-idle"
	// ReserveBelowSlow is a warning: a rung that runs out of its reserve is no evidence, because that is no slow call yet.
	ReserveBelowSlow ProblemCode = "reserve-below-slow"
)
