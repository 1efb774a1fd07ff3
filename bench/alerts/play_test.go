package alerts_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/teststorage"
)

// everyScrape is how often series are collected and rules evaluated.
const everyScrape = 30 * time.Second

// scrape is what /metrics gave at a time, of each instance.
type scrape struct {
	at       time.Time
	families [][]*dto.MetricFamily
}

// samples returns the series of a scrape as Prometheus stores them, with the labels that it adds.
func (s *scrape) samples() map[string]sample {
	all := map[string]sample{}
	for i, instance := range s.families {
		for _, f := range instance {
			for _, m := range f.GetMetric() {
				addSeries(all, fmt.Sprintf("shop-%d", i+1), f.GetName(), m)
			}
		}
	}
	return all
}

// addSeries adds the series of a metric of an instance.
func addSeries(all map[string]sample, instance, name string, m *dto.Metric) {
	add := func(suffix string, v float64, more ...string) {
		b := labels.NewBuilder(labels.EmptyLabels())
		b.Set(model.MetricNameLabel, name+suffix).Set("job", "shop").Set("instance", instance)
		for _, l := range m.GetLabel() {
			b.Set(l.GetName(), l.GetValue())
		}
		for i := 0; i+1 < len(more); i += 2 {
			b.Set(more[i], more[i+1])
		}
		at := b.Labels()
		all[at.String()] = sample{at, v}
	}
	switch {
	case m.GetHistogram() != nil:
		for _, bucket := range m.GetHistogram().GetBucket() {
			add("_bucket", float64(bucket.GetCumulativeCount()), "le", fmt.Sprint(bucket.GetUpperBound()))
		}
		add("_bucket", float64(m.GetHistogram().GetSampleCount()), "le", "+Inf")
		add("_count", float64(m.GetHistogram().GetSampleCount()))
		add("_sum", m.GetHistogram().GetSampleSum())
	case m.GetCounter() != nil:
		add("", m.GetCounter().GetValue())
	default:
		add("", m.GetGauge().GetValue())
	}
}

type sample struct {
	labels labels.Labels
	value  float64
}

// change is an alert that began or ceased to fire.
type change struct {
	after                  time.Duration // since the incident's first scrape
	fires                  bool
	alert, severity, about string
	of                     string // what it is about: an operation or a target
	key                    string // tells alerts of one name apart
}

func (c change) String() string {
	verb := "ends"
	if c.fires {
		verb = "fires"
	}
	return fmt.Sprintf("%6s %s %s (%s): %s", c.after, c.alert, verb, c.severity, c.about)
}

// play evaluates the rules over the scrapes, as Prometheus does, and returns what began and ceased to fire. In the middle it draws the dashboard.
func play(t *testing.T, scrapes []scrape, d *drawing) []change {
	t.Helper()
	db := teststorage.New(t)
	engine := promql.NewEngine(promql.EngineOpts{
		MaxSamples: 1e6, Timeout: time.Minute, LookbackDelta: 5 * time.Minute, Parser: parser.NewParser(parser.Options{}),
	})
	t.Cleanup(func() { _ = engine.Close() })
	groups := loadGroups(t, engine, db)
	var changes []change
	firing, before := map[string]change{}, map[string]sample{}
	for i, s := range scrapes {
		now := s.samples()
		keep(t, db, s.at, now, before)
		before = now
		for _, g := range groups {
			g.Eval(t.Context(), s.at)
			for _, r := range g.Rules() {
				if err := r.LastError(); err != nil {
					t.Fatalf("%s: %v", r.Name(), err)
				}
			}
		}
		if i == len(scrapes)/2 {
			d.draw(t, engine, db, s.at)
		}
		was := firing
		firing = firingIn(groups)
		for key, c := range firing {
			if _, fired := was[key]; !fired {
				c.after, c.fires = s.at.Sub(scrapes[0].at), true
				changes = append(changes, c)
			}
		}
		for key, c := range was {
			if _, fires := firing[key]; !fires {
				c.after = s.at.Sub(scrapes[0].at)
				changes = append(changes, c)
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int {
		if a.after != b.after {
			return int(a.after - b.after)
		}
		return strings.Compare(a.key, b.key)
	})
	return changes
}

// firingIn returns the alerts that fire, by their labels.
func firingIn(groups []*rules.Group) map[string]change {
	all := map[string]change{}
	for _, g := range groups {
		for _, r := range g.AlertingRules() {
			for _, a := range r.ActiveAlerts() {
				if a.State == rules.StateFiring {
					key, of := a.Labels.String(), cmp.Or(a.Labels.Get("operation"), a.Labels.Get("target"), a.Labels.Get("client"))
					all[key] = change{alert: r.Name(), severity: a.Labels.Get("severity"), about: a.Annotations.Get("summary"), of: of, key: key}
				}
			}
		}
	}
	return all
}

// loadGroups reads the rules that users load.
func loadGroups(t *testing.T, engine *promql.Engine, db *teststorage.TestStorage) []*rules.Group {
	t.Helper()
	m := rules.NewManager(&rules.ManagerOptions{
		QueryFunc: rules.EngineQueryFunc(engine, db), Appendable: db, Queryable: db, Context: context.Background(),
		Logger: slog.New(slog.DiscardHandler), NotifyFunc: func(context.Context, string, ...*rules.Alert) {}, Parser: parser.NewParser(parser.Options{}),
	})
	byName, errs := m.LoadGroups(everyScrape, labels.EmptyLabels(), "", nil, false, rulesFile)
	for _, err := range errs {
		t.Fatal(err)
	}
	groups := make([]*rules.Group, 0, len(byName))
	for _, g := range byName {
		groups = append(groups, g)
	}
	// What is recorded comes first, or else every alert is one evaluation late.
	slices.SortFunc(groups, func(a, b *rules.Group) int {
		if (a.Name() == recordedGroup) != (b.Name() == recordedGroup) {
			if a.Name() == recordedGroup {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name(), b.Name())
	})
	return groups
}

// keep stores a scrape; series that are not in it any more end.
func keep(t *testing.T, db *teststorage.TestStorage, at time.Time, now, before map[string]sample) {
	t.Helper()
	a := db.Appender(t.Context())
	for _, s := range now {
		if _, err := a.Append(storage.SeriesRef(0), s.labels, at.UnixMilli(), s.value); err != nil {
			t.Fatal(err)
		}
	}
	for key, s := range before {
		if _, goes := now[key]; !goes {
			if _, err := a.Append(storage.SeriesRef(0), s.labels, at.UnixMilli(), math.Float64frombits(value.StaleNaN)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.Commit(); err != nil {
		t.Fatal(err)
	}
}
