package promobserver

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Observer counts the events of clients, and collects what it counted with what the groups show. It is a runtime.Observer and a
// prometheus.Collector: give it to the clients, and register it once. Safe for concurrent use; it starts nothing.
type Observer struct {
	runtime.ClientCount

	groups   []*runtime.Group
	counters map[runtime.EventKind]*prometheus.CounterVec
	times    map[runtime.EventKind]*prometheus.HistogramVec
	ages     *prometheus.HistogramVec
	tokens   *prometheus.CounterVec
	costs    *prometheus.CounterVec
	gauges   []*prometheus.Desc

	mu    sync.RWMutex
	known map[key]*series
}

// New returns an observer whose gauges are of these groups; nil ones are left out. Without any it counts events alone.
func New(groups ...*runtime.Group) *Observer {
	o := &Observer{
		counters: map[runtime.EventKind]*prometheus.CounterVec{}, times: map[runtime.EventKind]*prometheus.HistogramVec{},
		ages: histogram(&ages), tokens: counter(&tokens), costs: counter(&costs),
		known: map[key]*series{},
	}
	for what, m := range counters {
		o.counters[what] = counter(&m)
	}
	for what, m := range durations {
		o.times[what] = histogram(&m)
	}
	for _, m := range gauges {
		o.gauges = append(o.gauges, prometheus.NewDesc(m.Name, m.Help, m.Labels, nil))
	}
	known := map[*runtime.Group]bool{nil: true}
	for _, g := range groups {
		if !known[g] {
			known[g] = true
			o.groups = append(o.groups, g)
		}
	}
	return o
}

func counter(m *Metric) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: m.Name, Help: m.Help}, m.Labels)
}

// histogram has bounds from a remembered answer's time to a long stream's.
func histogram(m *Metric) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: m.Name, Help: m.Help, Buckets: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600},
	}, m.Labels)
}

// key is what series of an event are found by: all that their labels are made of.
type key struct {
	what                            runtime.EventKind
	client, operation, target, rung string
	to, fault                       string
	level                           runtime.Level
	kind, reason                    runtime.Kind
	fallback, exercised, hedge      bool
	aged, billed                    bool
}

// series is where an event is counted. What it does not have is nil.
type series struct {
	count  prometheus.Counter
	time   prometheus.Observer
	age    prometheus.Observer
	tokens [len(tokenTypes)]prometheus.Counter
	cost   prometheus.Counter
}

// tokenTypes are the sorts of tokens, in the order of usedOf.
var tokenTypes = [...]string{"input", "cached", "cache_write", "output", "reasoning"}

func usedOf(u *policy.Usage) [len(tokenTypes)]int64 {
	return [...]int64{u.Input, u.Cached, u.CacheWrite, u.Output, u.Reasoning}
}

// Observe counts the event. Starts are not counted: what has begun is in the gauges, and is counted at its end.
func (o *Observer) Observe(_ context.Context, e runtime.Event) {
	if _, ok := o.counters[e.What]; !ok {
		return
	}
	s := o.seriesOf(&e)
	s.count.Inc()
	if s.time != nil {
		s.time.Observe(e.Elapsed.Seconds())
	}
	if s.age != nil {
		s.age.Observe(e.Age.Seconds())
	}
	if s.cost == nil {
		return
	}
	for i, n := range usedOf(&e.Usage) {
		s.tokens[i].Add(float64(max(n, 0)))
	}
	s.cost.Add(max(e.Cost, 0))
}

// seriesOf returns where the event is counted. Finding that by a key takes a fifth of the time of finding each series
// by its labels, and allocates nothing.
func (o *Observer) seriesOf(e *runtime.Event) *series {
	ends := e.What == runtime.CallEnd || e.What == runtime.StreamEnd
	k := key{
		what: e.What, client: e.Client, operation: e.Operation, target: e.Target, rung: e.RungName, to: e.To, level: e.Level, kind: e.Kind, reason: e.Reason,
		fallback: e.Rung > 0 && !e.Exercised, exercised: e.Exercised, hedge: e.Hedge,
		aged: e.What == runtime.CallEnd && e.Age > 0, billed: ends && (e.Usage != policy.Usage{} || e.Cost > 0),
	}
	if e.What == runtime.FaultInjected {
		k.fault = e.Injected
	}
	o.mu.RLock()
	s := o.known[k]
	o.mu.RUnlock()
	if s != nil {
		return s
	}
	s = o.newSeries(&k)
	o.mu.Lock()
	o.known[k] = s
	o.mu.Unlock()
	return s
}

// newSeries finds the series of a key by their labels.
func (o *Observer) newSeries(k *key) *series {
	s := &series{count: o.counters[k.what].WithLabelValues(k.values(counters[k.what].Labels, "")...)}
	if t := o.times[k.what]; t != nil {
		s.time = t.WithLabelValues(k.values(durations[k.what].Labels, "")...)
	}
	if k.aged {
		s.age = o.ages.WithLabelValues(k.values(ages.Labels, "")...)
	}
	if k.billed {
		for i, sort := range tokenTypes {
			s.tokens[i] = o.tokens.WithLabelValues(k.values(tokens.Labels, sort)...)
		}
		s.cost = o.costs.WithLabelValues(k.values(costs.Labels, "")...)
	}
	return s
}

// values returns the values of labels; tokenType is that of its label.
func (k *key) values(names []string, tokenType string) []string {
	values := make([]string, len(names))
	for i, name := range names {
		value := ""
		switch name {
		case labelClient:
			value = k.client
		case labelOperation:
			value = k.operation
		case labelTarget:
			value = k.target
		case labelRung:
			value = k.rung
		case labelLevel:
			value = k.level.String()
		case labelKind:
			value = k.kind.String()
		case labelReason:
			value = k.reason.String()
		case labelFallbackUsed:
			value = strconv.FormatBool(k.fallback)
		case labelExercised:
			value = strconv.FormatBool(k.exercised)
		case labelHedge:
			value = strconv.FormatBool(k.hedge)
		case labelTo:
			value = k.to
		case labelFault:
			value = k.fault
		case labelTokenType:
			value = tokenType
		}
		values[i] = valid(value)
	}
	return values
}

// valid returns a label's value that Prometheus takes.
func valid(value string) string { return strings.ToValidUTF8(value, "\uFFFD") }

// Describe tells the registry of every metric.
func (o *Observer) Describe(to chan<- *prometheus.Desc) {
	for _, c := range o.vectors() {
		c.Describe(to)
	}
	for _, d := range o.gauges {
		to <- d
	}
}

// Collect gives the registry what was counted, and what the machines show now.
func (o *Observer) Collect(to chan<- prometheus.Metric) {
	for _, c := range o.vectors() {
		c.Collect(to)
	}
	o.collectGauges(to)
}

func (o *Observer) vectors() []prometheus.Collector {
	all := make([]prometheus.Collector, 0, 3+len(o.counters)+len(o.times))
	all = append(all, o.ages, o.tokens, o.costs)
	for _, c := range o.counters {
		all = append(all, c)
	}
	for _, c := range o.times {
		all = append(all, c)
	}
	return all
}
