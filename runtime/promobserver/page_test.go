package promobserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/internal/docpage"
	"github.com/resgen-go/resgen/runtime/promobserver"
)

const pageHead = `# Metrics for Prometheus

` + "`runtime/promobserver`" + ` counts what clients do, and reads their machines when Prometheus asks:

` + "```go" + `
group := runtime.NewGroup()
observer := promobserver.New(group)
prometheus.MustRegister(observer)
client, err := llm.New(llm.WithGroup(group), llm.WithObserver(observer))
` + "```" + `

Counters and histograms mean what those of [OpenTelemetry](telemetry.md) mean, spelled as its exporter for Prometheus spells them, and count calls, attempts and
streams besides; gauges are of ` + "`Group.Snapshot`" + ` and cost calls nothing. Labels are what plans bound, never tenants, keys, addresses, models or texts:

| label | |
|---|---|
| ` + "`client`, `operation`" + ` | the client, and the client and its operation ("llm.CreateChat"); a gauge's operation is empty where those of a target share the machine |
| ` + "`target`" + ` | the target, or the member of one; empty for a rung that calls none |
| ` + "`rung`, `level`" + ` | which rung, and how good its answer is; empty for the operation itself |
| ` + "`fallback_used`" + ` | "true" where a rung below the operation itself answered, because that did not |
| ` + "`kind`" + ` | the kind of failure; "none" for an answer |
| ` + "`reason`" + ` | why the operation itself did not answer; "none" where it did |
| ` + "`exercised`, `hedge`" + ` | "true" for rungs that are used in normal times; for copies of attempts |
| ` + "`to`" + ` | the state that a breaker came to |
| ` + "`token_type`, `of`" + ` | input, cached, cache_write, output or reasoning; requests, tokens, input-tokens or output-tokens |

Machines that labels do not tell apart, such as those of one target at two addresses, are one series: the worst breaker, and the sum of the rest. A limit of
money that several targets share is at the first of them.

[Alert rules, a dashboard and a runbook](../operations/README.md) use these metrics and no others.

| metric | type | labels | |
|---|---|---|---|
`

// TestPage holds docs/reference/metrics.md to the descriptions.
func TestPage(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(pageHead)
	for _, m := range promobserver.Metrics() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.Name, m.Type, strings.Join(m.Labels, ", "), m.Help)
	}
	docpage.Hold(t, "metrics.md", b.String())
}
