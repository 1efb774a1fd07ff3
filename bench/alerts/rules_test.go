package alerts_test

import (
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/promobserver"
)

const (
	rulesFile     = "../../docs/operations/alerts.yaml"
	dashboardFile = "../../docs/operations/dashboard.json"
	recordedGroup = "resgen-recorded"
)

// known are the metrics with their labels: those that an observer emits, and those that the rules record.
type known map[string][]string

// emitted returns what an observer emits, as Prometheus stores it.
func emitted() known {
	all := known{}
	for _, m := range promobserver.Metrics() {
		with := append(slices.Clone(m.Labels), "job", "instance")
		if m.Type == promobserver.Histogram {
			all[m.Name+"_bucket"], all[m.Name+"_sum"], all[m.Name+"_count"] = append(slices.Clone(with), "le"), with, with
			continue
		}
		all[m.Name] = with
	}
	return all
}

// readRules returns the rules, and what is known when they are.
func readRules(t *testing.T) (all []rulefmt.Rule, names known) {
	t.Helper()
	file, errs := rulefmt.ParseFile(rulesFile, false, model.LegacyValidation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Fatal(err)
	}
	names = emitted()
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			all = append(all, r)
			if r.Record != "" {
				names[r.Record] = names.check(t, r.Record, r.Expr)
			}
		}
	}
	return all, names
}

// check parses an expression, finds whatever it names that does not exist, and returns the labels that its result may have.
func (k known) check(t *testing.T, where, text string) []string {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(text)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return nil
	}
	return k.labelsOf(t, where, expr)
}

// labelsOf returns the labels that the result of an expression may have, and checks that no other is asked for.
func (k known) labelsOf(t *testing.T, where string, expr parser.Node) []string {
	t.Helper()
	has := func(what string, names, all []string) {
		for _, name := range names {
			if !slices.Contains(all, name) {
				t.Errorf("%s: %s has no label %q: %s", where, what, name, expr)
			}
		}
	}
	switch e := expr.(type) {
	case *parser.VectorSelector:
		all, ok := k[e.Name]
		if !ok {
			t.Errorf("%s: nothing emits or records %q", where, e.Name)
			return nil
		}
		for _, m := range e.LabelMatchers {
			if m.Name != model.MetricNameLabel {
				has(e.Name, []string{m.Name}, all)
				checkValue(t, where, m)
			}
		}
		return all
	case *parser.AggregateExpr:
		inner := k.labelsOf(t, where, e.Expr)
		has("what is aggregated", e.Grouping, inner)
		if e.Without {
			return slices.DeleteFunc(slices.Clone(inner), func(name string) bool { return slices.Contains(e.Grouping, name) })
		}
		return e.Grouping
	case *parser.BinaryExpr:
		left, right := k.labelsOf(t, where, e.LHS), k.labelsOf(t, where, e.RHS)
		if m := e.VectorMatching; m != nil {
			has("what is matched", m.MatchingLabels, slices.Concat(left, right))
			if e.Op == parser.LOR || left == nil {
				return slices.Concat(left, right)
			}
		}
		return slices.Concat(left, right[:0:0])
	default:
		var all []string
		for child := range parser.ChildrenIter(expr) {
			all = append(all, k.labelsOf(t, where, child)...)
		}
		return all
	}
}

// closed are the values of labels that have few.
func closed() map[string][]string {
	all := map[string][]string{
		"exercised": {"true", "false"}, "hedge": {"true", "false"}, "fallback_used": {"true", "false"}, "to": {"closed", "open", "half-open"},
		"kind": {"none"}, "token_type": {"input", "cached", "cache_write", "output", "reasoning"},
		"of": {"", "requests", "tokens", "input-tokens", "output-tokens"},
	}
	for _, kind := range policy.Kinds() {
		all["kind"] = append(all["kind"], kind.String())
	}
	all["reason"] = all["kind"]
	for level := policy.Equal; level <= policy.Canned; level++ {
		all["level"] = append(all["level"], level.String())
	}
	return all
}

// checkValue finds a value that its label never has: the rule would be silent for ever.
func checkValue(t *testing.T, where string, m *labels.Matcher) {
	t.Helper()
	values, ok := closed()[m.Name]
	if !ok || strings.HasPrefix(m.Value, "$") {
		return
	}
	for value := range strings.SplitSeq(m.Value, "|") {
		if !slices.Contains(values, value) {
			t.Errorf("%s: the label %q is never %q", where, m.Name, value)
		}
	}
}

var labelOfTemplate = regexp.MustCompile(`\$labels\.(\w+)`)

// TestRulesNameWhatIsEmitted holds every expression and text of the rules to the metrics and labels that there are.
func TestRulesNameWhatIsEmitted(t *testing.T) {
	t.Parallel()
	all, names := readRules(t)
	used := map[string]bool{}
	for _, r := range all {
		if r.Record != "" {
			continue
		}
		result := names.check(t, r.Alert, r.Expr)
		for _, text := range r.Annotations {
			for _, m := range labelOfTemplate.FindAllStringSubmatch(text, -1) {
				if !slices.Contains(result, m[1]) {
					t.Errorf("%s: a text names the label %q, which the alert does not have", r.Alert, m[1])
				}
			}
		}
	}
	for _, text := range slices.Concat(expressionsOf(all), slices.Collect(maps.Values(panels(t)))) {
		for name := range names {
			used[name] = used[name] || strings.Contains(text, name)
		}
	}
	for _, r := range all {
		if r.Record != "" && !used[r.Record] {
			t.Errorf("%s is recorded, and nothing uses it", r.Record)
		}
	}
}

func expressionsOf(all []rulefmt.Rule) []string {
	texts := make([]string, len(all))
	for i, r := range all {
		texts[i] = r.Expr
	}
	return texts
}

// panels returns the expressions of the dashboard, joined, by the title of their panel.
func panels(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(dashboardFile)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, p := range d.Panels {
		var exprs []string
		for _, target := range p.Targets {
			exprs = append(exprs, target.Expr)
		}
		all[p.Title] = strings.Join(exprs, "\n")
	}
	return all
}

// TestDashboardNamesWhatIsEmitted holds every expression of the dashboard to the metrics and labels that there are.
func TestDashboardNamesWhatIsEmitted(t *testing.T) {
	t.Parallel()
	_, names := readRules(t)
	n := 0
	for title, exprs := range panels(t) {
		for text := range strings.Lines(exprs) {
			names.check(t, title, grafana.Replace(strings.TrimSpace(text)))
			n++
		}
	}
	if n < 20 {
		t.Errorf("%d expressions", n)
	}
}

// TestAlertsSayWhatToDo holds each alert to what it must have.
func TestAlertsSayWhatToDo(t *testing.T) {
	t.Parallel()
	all, _ := readRules(t)
	for _, r := range all {
		if r.Alert == "" {
			continue
		}
		if s := r.Labels["severity"]; s != "page" && s != "ticket" && s != "info" {
			t.Errorf("%s: severity %q", r.Alert, s)
		}
		if want := "https://github.com/resgen-go/resgen/blob/main/docs/operations/runbook.md#" + strings.ToLower(r.Alert); r.Annotations["runbook_url"] != want {
			t.Errorf("%s: %s, want %s", r.Alert, r.Annotations["runbook_url"], want)
		}
		if !strings.Contains(r.Annotations["description"], "Look first at") || !strings.Contains(r.Annotations["summary"], "$labels.") {
			t.Errorf("%s: the texts do not say what is wrong where, and what to look at first", r.Alert)
		}
	}
}

// TestRulesTakeAnotherLabel holds the rules to the command of docs/operations/README.md that has them told apart by one label more.
func TestRulesTakeAnotherLabel(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../docs/operations/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), `'s/(job, /(namespace, job, /g; s/\bjob_client/namespace_job_client/g'`) {
		t.Fatal("the command is another one")
	}
	changed := regexp.MustCompile(`\bjob_client`).ReplaceAllString(strings.ReplaceAll(string(text), "(job, ", "(namespace, job, "), "namespace_job_client")
	file, errs := rulefmt.Parse([]byte(changed), false, model.LegacyValidation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Fatal(err)
	}
	grouped := regexp.MustCompile(`(by|on) \(([^)]*)\)`)
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			for _, m := range grouped.FindAllStringSubmatch(r.Expr, -1) {
				if !strings.HasPrefix(m[2], "namespace, ") {
					t.Errorf("%s%s: %s", r.Record, r.Alert, m[0])
				}
			}
		}
	}
}

// TestEveryAlertIsPlayed fails where an alert fires in no incident: nobody knows then whether it can.
func TestEveryAlertIsPlayed(t *testing.T) {
	t.Parallel()
	fires := map[string]bool{}
	for _, in := range allIncidents() {
		for _, name := range in.want {
			fires[name] = true
		}
	}
	all, _ := readRules(t)
	for _, r := range all {
		if r.Alert != "" && !fires[r.Alert] {
			t.Errorf("%s fires in no incident", r.Alert)
		}
	}
}
