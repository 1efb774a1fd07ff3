package promobserver

import (
	"slices"

	"github.com/resgen-go/resgen/runtime"
)

// Type is the type of a metric, as Prometheus spells it.
type Type string

// The types.
const (
	// Counter only goes up.
	Counter Type = "counter"
	// Gauge is what is the case when it is collected.
	Gauge Type = "gauge"
	// Histogram counts values by size; with the suffix _count it is how many there were.
	Histogram Type = "histogram"
)

// Metric describes a metric.
type Metric struct {
	// Name is its whole name, with its unit and the suffix of its type.
	Name string
	Type Type
	// Help says what it counts or shows.
	Help string
	// Labels are what its series are told apart by. A label that does not apply is empty.
	Labels []string
}

// Labels. Operation is the client and the operation, "llm.CreateChat", and empty where all operations of a target share what is measured; Target is
// empty for a rung that calls none; Rung is empty for the operation itself; Kind is "none" for an answer.
const (
	labelClient       = "client"
	labelOperation    = "operation"
	labelTarget       = "target"
	labelRung         = "rung"
	labelLevel        = "level"
	labelKind         = "kind"
	labelReason       = "reason"
	labelFallbackUsed = "fallback_used"
	labelExercised    = "exercised"
	labelHedge        = "hedge"
	labelTo           = "to"
	labelTokenType    = "token_type"
	labelOf           = "of"
	labelFault        = "fault"
)

func labels(names ...string) []string { return append([]string{labelClient}, names...) }

// counters are the events that are counted, each by one metric. Whether one is missing is a test's business.
var counters = map[runtime.EventKind]Metric{
	runtime.CallEnd: {
		"resgen_calls_total", Counter, "Calls that ended.",
		labels(labelOperation, labelTarget, labelRung, labelLevel, labelKind, labelReason, labelFallbackUsed, labelExercised),
	},
	runtime.StreamEnd: {
		"resgen_streams_total", Counter, "Answers that outlived their call, such as streams, and ended.",
		labels(labelOperation, labelTarget, labelRung, labelLevel, labelKind, labelFallbackUsed),
	},
	runtime.AttemptEnd: {
		"resgen_attempts_total", Counter, "Attempts that ended.",
		labels(labelOperation, labelTarget, labelRung, labelKind, labelHedge, labelExercised),
	},
	runtime.RetryScheduled: {
		"resgen_retries_total", Counter, "Retries that were scheduled.", labels(labelOperation, labelTarget, labelRung, labelKind),
	},
	runtime.Hedged: {
		"resgen_hedges_total", Counter, "Copies of attempts that were sent beside them.", labels(labelOperation, labelTarget, labelRung),
	},
	runtime.LoserPanicked: {
		"resgen_loser_panics_total", Counter, "Panics of copies that had lost to another one.", labels(labelOperation, labelTarget, labelRung),
	},
	runtime.AttemptAbandoned: {
		"resgen_abandoned_total", Counter, "Attempts that were left behind when their time was over.", labels(labelOperation, labelTarget, labelRung),
	},
	runtime.RungTaken: {
		"resgen_rung_taken_total", Counter, "Steps down the ladder.", labels(labelOperation, labelTarget, labelRung, labelLevel, labelKind),
	},
	runtime.RungUnfit: {
		"resgen_rung_unfit_total", Counter, "Rungs that could not take a request and were passed over.",
		labels(labelOperation, labelTarget, labelRung, labelLevel, labelKind),
	},
	runtime.Rejected: {
		"resgen_rejections_total", Counter, "Attempts that a local policy did not let through.",
		labels(labelOperation, labelTarget, labelRung, labelKind, labelExercised),
	},
	runtime.BudgetDenied: {
		"resgen_budget_denials_total", Counter, "Retries that the budget did not pay for.", labels(labelOperation, labelTarget, labelRung, labelKind),
	},
	runtime.BreakerChanged: {
		"resgen_breaker_changes_total", Counter, "Changes of breakers from one state to another.", labels(labelTarget, labelTo),
	},
	runtime.Paused: {
		"resgen_pauses_total", Counter, "Targets that asked for no requests for a time.", labels(labelOperation, labelTarget, labelRung, labelKind),
	},
	runtime.Substituted: {
		"resgen_substitutions_total", Counter, "Answers of another than was asked for.", labels(labelOperation, labelTarget, labelRung),
	},
	runtime.CacheHit: {
		"resgen_cache_hits_total", Counter, "Answers that were remembered and given again.", labels(labelOperation, labelRung, labelLevel),
	},
	runtime.StoreFailed: {
		"resgen_store_failures_total", Counter, "Accesses to a store that failed or were too slow.", labels(labelOperation),
	},
	runtime.LimitStoreFailed: {
		"resgen_limit_store_failures_total", Counter, "Questions to a store of shared limits that failed or took too long.", labels(labelOperation, labelTarget),
	},
	runtime.LimitStoreBack: {
		"resgen_limit_store_recoveries_total", Counter, "Stores of shared limits that answered again.", labels(labelOperation, labelTarget),
	},
	runtime.EmbedderFailed: {
		"resgen_embedder_failures_total", Counter, "Texts of which an embedder of a semantic cache made no vector.", labels(labelOperation),
	},
	runtime.ExerciseFailed: {
		"resgen_exercise_failures_total", Counter, "Rungs that were found broken in normal times.", labels(labelOperation, labelTarget, labelRung, labelKind),
	},
	runtime.InnerRetry: {
		"resgen_inner_retries_total", Counter, "Attempts whose request was sent again by a client inside.", labels(labelOperation, labelTarget, labelRung),
	},
	runtime.TwoLayers: {
		"resgen_two_layers_total", Counter, "Warnings that two layers around each other both have machines of the same sort.", labels(labelOperation),
	},
	runtime.NotRepeatable: {
		"resgen_not_repeatable_total", Counter, "Calls that were not tried again because their request does not name all that it writes.",
		labels(labelOperation, labelTarget, labelRung),
	},
	runtime.FaultInjected: {
		"resgen_faults_injected_total", Counter, "Faults that attempts met and that were made up.", labels(labelOperation, labelTarget, labelRung, labelFault),
	},
	runtime.ManyClients: {
		"resgen_many_clients_total", Counter, "Warnings that too many clients of one name were made.", labels(),
	},
}

// durations are the events that take time, each in one histogram. Series of histograms are dear, so they have few labels.
var durations = map[runtime.EventKind]Metric{
	runtime.CallEnd: {
		"resgen_call_duration_seconds", Histogram,
		"Time of calls, until their answer or, of one that outlives its call, until its first content.", labels(labelOperation, labelRung, labelKind),
	},
	runtime.AttemptEnd: {"resgen_attempt_duration_seconds", Histogram, "Time of attempts.", labels(labelOperation, labelTarget, labelKind)},
	runtime.StreamEnd: {
		"resgen_stream_duration_seconds", Histogram, "Time of answers that outlive their call, from its start.", labels(labelOperation, labelRung, labelKind),
	},
}

// What answers used, what that cost, and how old they were.
var (
	ages   = Metric{"resgen_answer_age_seconds", Histogram, "Age of answers that were remembered.", labels(labelOperation, labelRung)}
	tokens = Metric{
		"resgen_tokens_total", Counter, "Tokens that answers used, by sort.", labels(labelOperation, labelTarget, labelRung, labelTokenType),
	}
	costs = Metric{"resgen_cost_total", Counter, "What answers cost, in the currency of the plans.", labels(labelOperation, labelTarget, labelRung)}
)

// gauges are what machines show. Series that a machine does not have are not there.
var gauges = []Metric{
	breakerState: {
		"resgen_breaker_state", Gauge, "State of a breaker: 0 closed, 1 half-open, 2 open.", labels(labelTarget, labelOperation),
	},
	bulkheadInFlight: {"resgen_bulkhead_in_flight", Gauge, "Places of a bulkhead that are taken.", labels(labelTarget, labelOperation)},
	bulkheadQueued:   {"resgen_bulkhead_queued", Gauge, "Calls that wait for a place of a bulkhead.", labels(labelTarget, labelOperation)},
	bulkheadLimit: {
		"resgen_bulkhead_limit", Gauge, "Places that a bulkhead has now, for each tenant where it is per tenant.", labels(labelTarget, labelOperation),
	},
	limitLeft: {
		"resgen_limit_left", Gauge,
		"What may be used at once of a limit, of the tenant with the least where it is per tenant; below zero it is a debt.", labels(labelTarget, labelOf),
	},
	limitCapacity:  {"resgen_limit_capacity", Gauge, "What may be used at once of a limit at most.", labels(labelTarget, labelOf)},
	limitWaiting:   {"resgen_limit_waiting", Gauge, "Calls that wait for a limit.", labels(labelTarget)},
	budgetBalance:  {"resgen_budget_balance", Gauge, "Retries that a budget pays for now.", labels(labelTarget)},
	budgetCapacity: {"resgen_budget_capacity", Gauge, "Retries that a budget pays for at most.", labels(labelTarget)},
	budgetRatio:    {"resgen_budget_ratio", Gauge, "Retries that a budget is given for each first attempt, as the plan says.", labels(labelTarget)},
	budgetMin:      {"resgen_budget_min_per_second", Gauge, "Retries that a budget is given each second besides, as the plan says.", labels(labelTarget)},
	callTimeout:    {"resgen_call_timeout_seconds", Gauge, "Time that a call may take, as the plan says.", labels(labelOperation)},
	attemptTimeout: {"resgen_attempt_timeout_seconds", Gauge, "Time that an attempt may take, as the plan says.", labels(labelOperation)},
	limitAlone: {
		"resgen_limit_alone", Gauge, "Whether the store of a shared limit does not answer, so that this instance has a part of the limit: 1, else 0.",
		labels(labelTarget),
	},
	pauseLeft: {
		"resgen_pause_remaining_seconds", Gauge, "Time until a pause ends that a target asked for; 0 without one.", labels(labelTarget),
	},
	shedRatio:        {"resgen_shed_ratio", Gauge, "Share of the calls to a target that is rejected because it does not take them.", labels(labelTarget)},
	spendingSpent:    {"resgen_spending_spent", Gauge, "Money spent in the span of a limit of money, in the currency of the plans.", labels(labelTarget)},
	spendingLimit:    {"resgen_spending_limit", Gauge, "Money that may be spent in that span.", labels(labelTarget)},
	abandonedRunning: {"resgen_abandoned_running", Gauge, "Attempts that run although nobody waits for them.", labels(labelOperation)},
}

// Metrics returns every metric that an Observer may emit, sorted by name.
func Metrics() []Metric {
	all := append(slices.Clone(gauges), ages, tokens, costs)
	for _, m := range counters {
		all = append(all, m)
	}
	for _, m := range durations {
		all = append(all, m)
	}
	for i := range all {
		all[i].Labels = slices.Clone(all[i].Labels)
	}
	slices.SortFunc(all, func(a, b Metric) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return all
}
