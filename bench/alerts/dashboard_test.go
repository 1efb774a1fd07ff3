package alerts_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/util/teststorage"
)

// grafana stands in for what Grafana puts in for its variables.
var grafana = strings.NewReplacer("$__rate_interval", "5m", "$job", ".*", "$client", ".*", "$operation", ".*", "$target", ".*")

// TestDashboardIsGrafanas reads the dashboard with Grafana's own types, which want every field that Grafana needs and no other.
func TestDashboardIsGrafanas(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(dashboardFile)
	if err != nil {
		t.Fatal(err)
	}
	plugins.RegisterDefaultPlugins()
	var d dashboard.Dashboard                                                //nolint:staticcheck // version 1 is what every Grafana in use imports, and files are read as
	if err := d.UnmarshalJSONStrict(text); err != nil && err.Error() != "" { // without errors it returns an empty list of them
		t.Error(err)
	}
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
}

// drawing evaluates the expressions of the dashboard, and remembers which have drawn anything.
type drawing struct {
	exprs map[string]string // the panel of each
	drawn map[string]bool
}

func newDrawing(t *testing.T) *drawing {
	t.Helper()
	d := &drawing{exprs: map[string]string{}, drawn: map[string]bool{}}
	for title, exprs := range panels(t) {
		for expr := range strings.Lines(exprs) {
			d.exprs[grafana.Replace(strings.TrimSpace(expr))] = title
		}
	}
	return d
}

// draw evaluates all at a time of an incident.
func (d *drawing) draw(t *testing.T, engine *promql.Engine, db *teststorage.TestStorage, at time.Time) {
	t.Helper()
	for expr, title := range d.exprs {
		q, err := engine.NewInstantQuery(t.Context(), db, nil, expr, at)
		if err != nil {
			t.Fatalf("%s: %v", title, err)
		}
		result := q.Exec(t.Context())
		vector, err := result.Vector()
		if err != nil {
			t.Errorf("%s: %s: %v", title, expr, err)
		}
		d.drawn[expr] = d.drawn[expr] || len(vector) > 0
		q.Close()
	}
}

// check fails where an expression has drawn nothing in any incident: nobody knows then whether it can.
func (d *drawing) check(t *testing.T) {
	t.Helper()
	for _, expr := range slices.Sorted(maps.Keys(d.exprs)) {
		if !d.drawn[expr] {
			t.Errorf("%s: drawn in no incident: %s", d.exprs[expr], expr)
		}
	}
}
