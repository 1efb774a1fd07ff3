package otelobserver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/internal/docpage"
	"github.com/resgen-go/resgen/runtime/policy"
)

const pageHead = `# Traces and metrics

` + "`runtime/otelobserver`" + ` tells OpenTelemetry what clients do:

` + "```go" + `
observer, err := otelobserver.New(otelobserver.Config{}) // the global providers
...
client, err := llm.New(llm.WithObserver(observer))
` + "```" + `

A call is a span with the name of its operation; each attempt is a span below it, and what is sent carries the trace where a client's
` + "`runtime.WithInjector`" + ` puts it. A stream, which outlives its call, has a span of its own below that of the call. What else happens (retries, steps
down the ladder, rejections) is an event of these spans. The span of a call says which rung answered:

| attribute | |
|---|---|
| ` + "`resgen.fallback_used`" + ` | a rung below the operation itself answered, because that did not |
| ` + "`resgen.rung`" + `, ` + "`resgen.level`" + ` | which, and how good that is |
| ` + "`resgen.reason`" + ` | why the operation itself did not answer: a kind of failure |
| ` + "`resgen.age`" + ` | how old an answer is that was remembered, in seconds |
| ` + "`resgen.attempts`, `resgen.served`, `resgen.cost`" + ` | how many there were, who answered as it says itself, what that cost |
| ` + "`gen_ai.usage.input_tokens`, `gen_ai.usage.output_tokens`" + ` | what the answer used |
| ` + "`error.type`" + ` | the kind of a failure; the status of the span has its redacted text |

Metrics are told apart by what a plan bounds, never by tenants, models or texts: ` + "`resgen.operation`, `resgen.target`, `resgen.rung`," + `
` + "`resgen.level`, `resgen.reason`, `resgen.hedge`, `resgen.exercised`" + ` and ` + "`error.type`" + `, where what happened has them; those of breakers, which operations
share, by ` + "`resgen.client`" + ` and ` + "`resgen.target`" + `; durations of calls and streams also by ` + "`resgen.fallback_used`" + `, tokens by ` + "`gen_ai.token.type`" + `.

| metric | unit | |
|---|---|---|
`

// TestPage holds docs/reference/telemetry.md to what is measured of every event.
func TestPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for what := runtime.CallStart; what.String() != "unknown event"; what++ {
		w.observer.Observe(t.Context(), runtime.Event{
			What: what, Client: "c", Operation: "o", Target: "t", Rung: 1, RungName: "r", Level: policy.Reduced, Kind: policy.KindReset, Reason: policy.KindReset,
			Hedge: true, Exercised: true, Age: time.Second, Usage: policy.Usage{Input: 1}, Cost: 1, From: "closed", To: "open",
		})
	}
	var all metricdata.ResourceMetrics
	if err := w.metrics.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, m := range all.ScopeMetrics[0].Metrics {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", m.Name, strings.Trim(m.Unit, "{}"), m.Description))
	}
	slices.Sort(rows)
	docpage.Hold(t, "telemetry.md", pageHead+strings.Join(rows, ""))
}
