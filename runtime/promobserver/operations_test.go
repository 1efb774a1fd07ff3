package promobserver_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/promobserver"
)

// metricNames finds the names of metrics; what is recorded has colons in its name.
var metricNames = regexp.MustCompile(`[\w:]*resgen_[\w:]+`)

// TestOperationsNameWhatIsEmitted holds rules and dashboard to the metrics. The module bench/alerts holds their labels too, and plays the alerts.
func TestOperationsNameWhatIsEmitted(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, m := range promobserver.Metrics() {
		known[m.Name] = m.Type != promobserver.Histogram
		if m.Type == promobserver.Histogram {
			known[m.Name+"_bucket"] = true
		}
	}
	rules := read(t, "alerts.yaml")
	for _, m := range regexp.MustCompile(`- record: (\S+)`).FindAllStringSubmatch(rules, -1) {
		known[m[1]] = true
	}
	comments := regexp.MustCompile(`(?m)^\s*#.*$`)
	for file, text := range map[string]string{"alerts.yaml": comments.ReplaceAllString(rules, ""), "dashboard.json": read(t, "dashboard.json")} {
		names := metricNames.FindAllString(text, -1)
		if len(names) < 30 {
			t.Errorf("%s: %d names", file, len(names))
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s: nothing emits or records %s", file, name)
			}
		}
	}
}

// TestEveryAlertHasARunbook holds the alerts and the sections of the runbook to each other, and each section to its parts.
func TestEveryAlertHasARunbook(t *testing.T) {
	t.Parallel()
	alerts := names(regexp.MustCompile(`- alert: (\w+)`), read(t, "alerts.yaml"))
	runbook := read(t, "runbook.md")
	if diff := cmp.Diff(alerts, names(regexp.MustCompile(`(?m)^## (Resgen\w+)$`), runbook)); diff != "" {
		t.Errorf("alerts and sections of the runbook (-alerts +sections):\n%s", diff)
	}
	for _, s := range strings.Split(runbook, "\n## ")[1:] {
		title, text, _ := strings.Cut(s, "\n")
		for _, part := range []string{"**Means**", "**Users**", "**Check**", "**Do**", "**False alarm**"} {
			if strings.HasPrefix(title, "Resgen") && strings.Count(text, part) != 1 {
				t.Errorf("%s: %s is not there once", title, part)
			}
		}
	}
}

// TestTextsNamePanels holds the runbook and the texts of alerts to the titles of the dashboard: whoever is woken is sent to what exists.
func TestTextsNamePanels(t *testing.T) {
	t.Parallel()
	var titles []string
	for _, s := range sections {
		for _, p := range s.panels {
			titles = append(titles, p.title)
		}
	}
	comments := regexp.MustCompile(`(?m)^\s*#.*$`)
	for _, file := range []string{"runbook.md", "alerts.yaml"} {
		named := names(regexp.MustCompile(`"([A-Z][^"]*)"`), comments.ReplaceAllString(read(t, file), ""))
		if len(named) < 20 {
			t.Errorf("%s names %d panels", file, len(named))
		}
		for _, name := range named {
			if !slices.Contains(titles, name) {
				t.Errorf("%s: no panel is called %q", file, name)
			}
		}
	}
}

// names returns what the pattern finds, sorted.
func names(pattern *regexp.Regexp, text string) []string {
	var all []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(operations, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
