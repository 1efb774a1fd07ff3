package promobserver_test

import "strings"

// panel is a panel of the dashboard: what it answers, and the series that it draws.
type panel struct {
	title, about string
	unit         string // as Grafana calls it
	stacked      bool
	lines        []line
}

// line is an expression and how its series are called.
type line struct{ expr, legend string }

// section is a row of the dashboard.
type section struct {
	title  string
	panels []panel
}

// of selects the series that the variables of the dashboard say; more are further matchers.
func of(metric string, more ...string) string {
	return metric + "{" + strings.Join(append([]string{`job=~"$job"`, `client=~"$client"`}, more...), ", ") + "}"
}

// perSecond is the rate of what is selected, summed by labels.
func perSecond(by, metric string, more ...string) string {
	return "sum by (" + by + ") (rate(" + of(metric, more...) + "[$__rate_interval]))"
}

// p99 is the time that one in a hundred takes longer than.
func p99(by, metric string, more ...string) string {
	return "histogram_quantile(0.99, " + perSecond(by+", le", metric, more...) + ")"
}

// Matchers of panels.
const (
	operation = `operation=~"$operation"`
	target    = `target=~"$target"`
	noSignal  = `kind!~"canceled|caller|refused|context-too-long"`
	noAnswer  = `kind!~"none|canceled|caller|refused|context-too-long"`
	normal    = `exercised="false"`
)

// sections are the dashboard: from what users notice to what is behind it. The alerts' texts name panels by their titles.
var sections = []section{
	{"What users get", usersPanels},
	{"Targets", targetPanels},
	{"Load and limits", loadPanels},
	{"Money", moneyPanels},
	{"What works behind", behindPanels},
}

var usersPanels = []panel{
	{"Calls", "Calls that ended, a second.", "reqps", false, []line{
		{perSecond("operation", "resgen_calls_total", operation, normal), "{{operation}}"},
	}},
	{"Answers, by level", "How good the answers are. All but equal are degraded; canned ones are apologies.", "reqps", true, []line{
		{perSecond("operation, level", "resgen_calls_total", operation, normal, `kind="none"`), "{{operation}} {{level}}"},
	}},
	{"Calls without an answer", "Share of the calls that no rung answered. What callers do wrong or cancel is not counted.", "percentunit", false, []line{
		{
			perSecond("operation", "resgen_calls_total", operation, normal, noAnswer) + " / " +
				perSecond("operation", "resgen_calls_total", operation, normal, noSignal), "{{operation}}",
		},
	}},
	{"Calls without an answer, by kind", "Why no rung answered.", "reqps", true, []line{
		{perSecond("operation, kind", "resgen_calls_total", operation, normal, noAnswer), "{{operation}} {{kind}}"},
	}},
	{"Why fallbacks are used", "Why the operation itself did not answer where a lower rung did.", "reqps", true, []line{
		{perSecond("operation, rung, reason", "resgen_calls_total", operation, normal, `fallback_used="true"`, `kind="none"`), "{{operation}} → {{rung}}: {{reason}}"},
	}},
	{"Time of calls", "One call in a hundred takes longer; dashed is what a call may take.", "s", false, []line{
		{p99("operation", "resgen_call_duration_seconds_bucket", operation, `kind!="canceled"`), "{{operation}}"},
		{"max by (operation) (" + of("resgen_call_timeout_seconds", operation) + ")", "{{operation}} timeout"},
	}},
	{"Streams, by end", "none is a whole stream; reset was cut, timeout stalled or took too long.", "reqps", true, []line{
		{perSecond("operation, kind", "resgen_streams_total", operation), "{{operation}} {{kind}}"},
	}},
	{"Age of remembered answers", "Half of the answers that a cache gave are older, and one in a hundred is.", "s", false, []line{
		{"histogram_quantile(0.5, " + perSecond("operation, le", "resgen_answer_age_seconds_bucket", operation) + ")", "{{operation}} half"},
		{p99("operation", "resgen_answer_age_seconds_bucket", operation), "{{operation}} p99"},
	}},
}

var targetPanels = []panel{
	{"Breakers", "0 closed, 1 half-open, 2 open: the worst of all instances.", "short", false, []line{
		{"max by (target, operation) (" + of("resgen_breaker_state", target) + ")", "{{target}} {{operation}}"},
	}},
	{"Attempts, by kind", "How attempts at targets end; none is an answer.", "reqps", true, []line{
		{perSecond("target, kind", "resgen_attempts_total", target, normal), "{{target}} {{kind}}"},
	}},
	{"Time of attempts", "One attempt in a hundred that is answered takes longer; and half of them.", "s", false, []line{
		{p99("target", "resgen_attempt_duration_seconds_bucket", target, `kind="none"`), "{{target}} p99"},
		{"histogram_quantile(0.5, " + perSecond("target, le", "resgen_attempt_duration_seconds_bucket", target, `kind="none"`) + ")", "{{target}} half"},
		{"max by (operation) (" + of("resgen_attempt_timeout_seconds") + ")", "{{operation}} timeout"},
	}},
	{"Rejections, by kind", "Attempts that were not let through here, and why.", "reqps", true, []line{
		{perSecond("target, kind", "resgen_rejections_total", target, normal), "{{target}} {{kind}}"},
	}},
	{"Amplification", "What targets get beside first attempts: retries, hedges, and what clients inside send again.", "reqps", true, []line{
		{perSecond("target", "resgen_retries_total", target), "{{target}} retries"},
		{perSecond("target", "resgen_hedges_total", target), "{{target}} hedges"},
		{perSecond("target", "resgen_inner_retries_total", target), "{{target}} inside"},
	}},
	{"Retry budgets", "Retries that are paid for now, of the instance with the least; and retries that were denied.", "short", false, []line{
		{"min by (target) (" + of("resgen_budget_balance", target) + ")", "{{target}} left"},
		{"min by (target) (" + of("resgen_budget_capacity", target) + ")", "{{target}} at most"},
		{perSecond("target", "resgen_budget_denials_total", target), "{{target}} denied a second"},
	}},
	{"Hedges", "Copies of attempts, and those of them that answered first.", "reqps", false, []line{
		{perSecond("operation", "resgen_hedges_total", operation), "{{operation}} sent"},
		{perSecond("operation", "resgen_attempts_total", operation, normal, `hedge="true"`, `kind="none"`), "{{operation}} answered first"},
	}},
	{"Other models than asked for", "Answers of a gateway that asked another model.", "reqps", false, []line{
		{perSecond("target", "resgen_substitutions_total", target), "{{target}}"},
	}},
}

var loadPanels = []panel{
	{"Bulkheads", "Share of the places that is taken, in the fullest instance.", "percentunit", false, []line{
		{
			"max by (target, operation) (" + of("resgen_bulkhead_in_flight", target) + " / " + of("resgen_bulkhead_limit", target) + ")",
			"{{target}} {{operation}}",
		},
	}},
	{"Calls that wait", "For a place in a bulkhead, and for a limit.", "short", false, []line{
		{"sum by (target) (" + of("resgen_bulkhead_queued", target) + ")", "{{target}} bulkhead"},
		{"sum by (target) (" + of("resgen_limit_waiting", target) + ")", "{{target}} limit"},
	}},
	{"What is left of limits", "Share that may be used at once, in the instance with the least.", "percentunit", false, []line{
		{
			"min by (target, of) (" + of("resgen_limit_left", target) + " / " + of("resgen_limit_capacity", target) + ")",
			"{{target}} {{of}}",
		},
	}},
	{"Pauses", "Time until the longest pause ends that a target asked for.", "s", false, []line{
		{"max by (target) (" + of("resgen_pause_remaining_seconds", target) + ")", "{{target}}"},
	}},
	{"Shedding", "Share of the calls that is rejected because the target does not take them.", "percentunit", false, []line{
		{"max by (target) (" + of("resgen_shed_ratio", target) + ")", "{{target}}"},
	}},
	{"Attempts nobody waits for", "Functions that run on after the end of their context.", "short", false, []line{
		{"sum by (operation) (" + of("resgen_abandoned_running", operation) + ")", "{{operation}}"},
	}},
}

var moneyPanels = []panel{
	{"Money spent", "Share of what may be spent in the span, in the instance that spent most.", "percentunit", false, []line{
		{"max by (target) (" + of("resgen_spending_spent", target) + " / " + of("resgen_spending_limit", target) + ")", "{{target}}"},
	}},
	{"Cost, by rung", "What answers cost an hour, in the currency of the plans. An empty rung is the operation itself.", "short", true, []line{
		{"3600 * " + perSecond("operation, rung", "resgen_cost_total", operation), "{{operation}} {{rung}}"},
	}},
	{"Tokens", "Tokens that answers used, a second.", "short", true, []line{
		{perSecond("operation, token_type", "resgen_tokens_total", operation), "{{operation}} {{token_type}}"},
	}},
	{"Cache hits", "Answers that were remembered and given again.", "reqps", true, []line{
		{perSecond("operation, level", "resgen_cache_hits_total", operation), "{{operation}} {{level}}"},
	}},
}

var behindPanels = []panel{
	{"Exercises", "Rungs that were found broken in normal times, an hour.", "short", false, []line{
		{"sum by (operation, rung, kind) (increase(" + of("resgen_exercise_failures_total", operation) + "[1h]))", "{{operation}} {{rung}}: {{kind}}"},
	}},
	{"Stores and embedders", "Failures of what caches rest on.", "reqps", false, []line{
		{perSecond("operation", "resgen_store_failures_total", operation), "{{operation}} store"},
		{perSecond("operation", "resgen_embedder_failures_total", operation), "{{operation}} embedder"},
	}},
	{"Rungs that do not fit", "Rungs that could not take a request: too long, or something that they lack.", "reqps", false, []line{
		{perSecond("operation, rung, kind", "resgen_rung_unfit_total", operation), "{{operation}} {{rung}}: {{kind}}"},
	}},
	{"Injected faults", "Faults that attempts met and that were made up.", "reqps", true, []line{
		{perSecond("operation, target, fault", "resgen_faults_injected_total", operation), "{{operation}} {{target}}: {{fault}}"},
	}},
	{"Warnings", "What processes have warned of since they started.", "short", false, []line{
		{"max by (operation) (" + of("resgen_two_layers_total", operation) + ")", "{{operation}} two layers"},
		{"max by (client) (" + of("resgen_many_clients_total") + ")", "{{client}} many clients"},
		{"sum by (operation) (" + of("resgen_not_repeatable_total", operation) + ")", "{{operation}} not repeatable"},
		{"sum by (operation) (" + of("resgen_loser_panics_total", operation) + ")", "{{operation}} panics of copies"},
	}},
}
