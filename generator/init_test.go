package generator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator"
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// starterClients are what starters are made of: each document of the goldens and of the cases, with the overlays beside it, and each
// interface.
func starterClients(t *testing.T) map[string]generator.Client {
	t.Helper()
	all := map[string]generator.Client{}
	for _, pattern := range []string{"*/spec.yaml", "../cases/*/*.yaml"} {
		specs, err := filepath.Glob(filepath.Join(specsDir, pattern))
		if err != nil || len(specs) == 0 {
			t.Fatalf("no documents: %v", err)
		}
		for _, spec := range specs {
			if data, err := os.ReadFile(spec); err != nil || !regexp.MustCompile(`(?m)^(openapi|swagger):`).Match(data) {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(spec), "policy.yaml")); err == nil { // it is only right with that
				continue
			}
			overlays, err := filepath.Glob(filepath.Join(filepath.Dir(spec), "*.overlay.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			all[strings.TrimPrefix(filepath.ToSlash(spec), "../testdata/")] = generator.Client{Spec: spec, Overlays: overlays}
		}
	}
	for _, iface := range []string{"store.Store", "streams.Feed", "generic.Repo"} {
		all["ifaces/"+iface] = generator.Client{Iface: "../testdata/ifaces/" + iface}
	}
	return all
}

// starter makes the starter of a client and returns the policy file.
func starter(t *testing.T, c generator.Client) (dir string, policy []byte) {
	t.Helper()
	dir = t.TempDir()
	s, err := generator.Init(t.Context(), generator.Config{Client: c}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if s.Result.HasErrors() {
		t.Fatalf("it is refused: %s", printed(t, s.Result, ""))
	}
	if diff := cmp.Diff([]string{"resgen.yaml", "resgen.policy.yaml"}, s.Files); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
	policy, err = os.ReadFile(filepath.Join(dir, "resgen.policy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, policy
}

// saidOf lints a client and returns what is said of it, and its plans as JSON.
func saidOf(ctx context.Context, t *testing.T, cfg generator.Config) (said []string, plans string) {
	t.Helper()
	cfg.Mode = generator.Lint
	result, err := generator.Run(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	relative := func(text string) string { return strings.ReplaceAll(text, filepath.ToSlash(root)+"/", "../") }
	for _, d := range result.Diagnostics {
		said = append(said, relative(string(d.Code)+" "+d.Span.String()+": "+d.What))
	}
	explained := result.Explain("")
	for i := range explained {
		explained[i].Output = ""
	}
	data, err := json.MarshalIndent(explained, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return said, relative(string(data))
}

// TestStarterChangesNothing gives every document and interface its starter, and compares what is said and every plan, with who decided
// each of its values, with those of no policy file. The configuration is read as it was written.
func TestStarterChangesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range starterClients(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, _ := starter(t, c)
			said, plans := saidOf(t.Context(), t, generator.Config{Client: c})
			with := generator.Config{File: filepath.Join(dir, "resgen.yaml")}
			if c.Iface != "" { // the go command finds it from within its module alone
				with = generator.Config{Client: c}
				with.Client.Policy = filepath.Join(dir, "resgen.policy.yaml")
			}
			withSaid, withPlans := saidOf(t.Context(), t, with)
			if diff := cmp.Diff(said, withSaid); diff != "" {
				t.Errorf("what is said (-without +with the starter):\n%s", diff)
			}
			if diff := cmp.Diff(plans, withPlans); diff != "" {
				t.Errorf("the plans (-without +with the starter):\n%s", diff)
			}
			if len(plans) < 100 {
				t.Errorf("there is nothing to compare: %s", plans)
			}
		})
	}
}

var (
	suggestedLine = regexp.MustCompile(`^( *)# (.*)$`)
	ruleStart     = regexp.MustCompile(`^  # - match: `)
	timeoutLine   = regexp.MustCompile(`^  #     timeout: "?([A-Za-z0-9-]+)"?$`)
)

// accept takes the suggestions on those lines of a starter that keep chooses, by number from 0.
func accept(file []byte, keep func(line int) bool) string {
	lines := strings.Split(string(file), "\n")
	for i, line := range lines {
		if m := suggestedLine.FindStringSubmatch(line); m != nil && keep(i) {
			lines[i] = m[1] + m[2]
		}
	}
	return strings.Join(lines, "\n")
}

// suggestions are the line numbers of each suggestion that stands by itself: what is for all operations, and each rule with the class that
// it names.
func suggestions(file []byte) [][]int {
	var out [][]int
	classes := map[string]int{}
	for i, line := range strings.Split(string(file), "\n") {
		m := suggestedLine.FindStringSubmatch(line)
		switch {
		case m == nil:
		case ruleStart.MatchString(line) || m[1] == "":
			out = append(out, []int{i})
		case strings.HasPrefix(m[2], " "):
			last := len(out) - 1
			out[last] = append(out[last], i)
			if named := timeoutLine.FindStringSubmatch(line); named != nil {
				out[last] = append(out[last], classes[named[1]])
			}
		default:
			class, _, _ := strings.Cut(m[2], ":")
			classes[class] = i
		}
	}
	return out
}

// TestSuggestionsAreTaken takes every suggestion, alone and all at once: nothing more is said than without a policy file, no fact is
// changed, and only what may be repeated is tried again.
func TestSuggestionsAreTaken(t *testing.T) {
	t.Parallel()
	total := 0
	for name, c := range starterClients(t) {
		_, policy := starter(t, c)
		total += len(suggestions(policy))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said, plans := saidOf(t.Context(), t, generator.Config{Client: c})
			facts := factsOf(t, plans)
			taken := func(what, text string) {
				with := c
				with.Policy = filepath.Join(t.TempDir(), "taken.yaml")
				writeFile(t, with.Policy, text)
				now, plans := saidOf(t.Context(), t, generator.Config{Client: with})
				if more := without(now, said); len(more) > 0 {
					t.Errorf("%s:\n%s\nthen there is said: %v", what, text, more)
				}
				if diff := cmp.Diff(facts, factsOf(t, plans)); diff != "" {
					t.Errorf("%s changes facts (-before +after):\n%s", what, diff)
				}
			}
			taken("all of it", accept(policy, func(int) bool { return true }))
			if testing.Short() {
				return // all at once will do
			}
			for _, lines := range suggestions(policy) {
				taken(fmt.Sprintf("lines %v", lines), accept(policy, func(i int) bool { return slices.Contains(lines, i) }))
			}
		})
	}
	if total < 100 {
		t.Errorf("%d suggestions were taken, want at least 100", total)
	}
}

// factsOf are the facts in plans, but for what presets of errors bring along.
func factsOf(t *testing.T, plans string) map[string]string {
	t.Helper()
	var explained []generator.Explanation
	if err := json.Unmarshal([]byte(plans), &explained); err != nil {
		t.Fatal(err)
	}
	facts := map[string]string{}
	for _, e := range explained {
		for _, v := range e.Values {
			if v.Path == "idempotency" || v.Path == "hedgeable" || strings.HasPrefix(v.Path, "key.") {
				facts[e.Method+" "+v.Path] = v.Value
			}
		}
	}
	return facts
}

// TestOnlyWhatMayBeRepeatedIsTriedAgain looks at the suggestions themselves: none of what must not be repeated is, and none is a fact.
func TestOnlyWhatMayBeRepeatedIsTriedAgain(t *testing.T) {
	t.Parallel()
	retried, not := 0, 0
	for name, c := range starterClients(t) {
		if c.Iface != "" {
			continue
		}
		_, policy := starter(t, c)
		_, plans := saidOf(t.Context(), t, generator.Config{Client: c})
		var explained []generator.Explanation
		if err := json.Unmarshal([]byte(plans), &explained); err != nil {
			t.Fatal(err)
		}
		repeatable := map[string]bool{}
		for _, e := range explained {
			repeatable[e.Operation] = !slices.ContainsFunc(e.Values, func(v generator.ExplainedValue) bool { return v.Path == "idempotency" && v.Value == "none" })
		}
		tree, err := source.Read("policy", []byte(accept(policy, func(int) bool { return true })))
		if err != nil {
			t.Fatal(err)
		}
		var list diag.List
		checked, _ := annot.CheckPolicyFile(tree, &list)
		for _, r := range checked.Rules {
			id := r.Match.OperationID[0]
			switch {
			case r.Facts.Kind == source.Map:
				t.Errorf("%s: %s is suggested facts", name, id)
			case r.Set.Get("retry") == nil:
				not++
			case !repeatable[id]:
				t.Errorf("%s: %s must not be repeated, and is", name, id)
			default:
				retried++
			}
		}
	}
	if retried < 10 || not < 10 {
		t.Errorf("%d are retried and %d are not: want many of each", retried, not)
	}
}

// TestNamesOfStartersStayNames reads the rules of a starter of hostile names back: each matches just the operation that it was made for.
func TestNamesOfStartersStayNames(t *testing.T) {
	t.Parallel()
	ids := []string{
		"a\nb: c", "- x", "# no", "a # b", "*alias", "&anchor", "!tag", "{a: b}", "[x]", "null", "yes", "1", "1e3", `"`, `'`, `\`, "---", "...", "%",
		"\u2028x", "\u202ex", "\U0001f600", "\x1b[2J", "a: b", "@", "`", "k: |\n  v", "{{.}}", "true",
	}
	paths := map[string]any{}
	for i, id := range ids {
		paths[fmt.Sprintf("/p%02d", i)] = map[string]any{"get": map[string]any{"operationId": id, "responses": map[string]any{"204": map[string]any{"description": "x"}}}}
	}
	doc, err := json.Marshal(map[string]any{"openapi": "3.1.0", "info": map[string]any{"title": "x\n# y: z", "version": "1"}, "paths": paths})
	if err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(t.TempDir(), "a b: #c.json")
	writeFile(t, spec, string(doc))
	dir, policy := starter(t, generator.Client{Spec: spec})
	tree, err := source.Read("policy", []byte(accept(policy, func(int) bool { return true })))
	if err != nil {
		t.Fatal(err)
	}
	var list diag.List
	checked, ok := annot.CheckPolicyFile(tree, &list)
	if !ok {
		t.Fatalf("refused: %v", list.Sorted())
	}
	var got []string
	for _, r := range checked.Rules {
		got = append(got, r.Match.OperationID...)
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("the names (-want +got):\n%s", diff)
	}
	said, _ := saidOf(t.Context(), t, generator.Config{File: filepath.Join(dir, "resgen.yaml")})
	if len(said) > 0 {
		t.Errorf("it is said: %v", said)
	}
}

// TestCorpusStarters makes the starter of every document of the corpus: it changes nothing, and all of it can be taken.
func TestCorpusStarters(t *testing.T) {
	corpus := os.Getenv("RESGEN_CORPUS")
	if corpus == "" {
		t.Skip("RESGEN_CORPUS is not set: `make live` runs this, or RESGEN_CORPUS=folder of OpenAPI documents")
	}
	docs := corpusDocuments(t, corpus)
	taken := 0
	for _, d := range docs {
		t.Run(d.name, func(t *testing.T) {
			c := generator.Client{Spec: d.path}
			if overlay := corpusOverlays[d.name]; overlay != "" {
				c.Overlays = []string{overlay}
			}
			if mustRefuse[d.name] != "" {
				t.Skip("no client can be made of it")
			}
			dir, policy := starter(t, c)
			said, plans := saidOf(t.Context(), t, generator.Config{Client: c})
			withSaid, withPlans := saidOf(t.Context(), t, generator.Config{File: filepath.Join(dir, "resgen.yaml")})
			if diff := cmp.Diff(said, withSaid); diff != "" {
				t.Errorf("what is said (-without +with the starter):\n%s", diff)
			}
			if plans != withPlans {
				t.Errorf("the plans are others:\n%s", cmp.Diff(plans, withPlans))
			}
			c.Policy = filepath.Join(t.TempDir(), "taken.yaml")
			writeFile(t, c.Policy, accept(policy, func(int) bool { return true }))
			now, plans := saidOf(t.Context(), t, generator.Config{Client: c})
			if more := without(now, said); len(more) > 0 {
				t.Errorf("with all suggestions there is said: %v", more)
			}
			taken += strings.Count(plans, `"path": "breaker.open-for"`)
		})
	}
	if taken == 0 {
		t.Error("no suggestion was taken")
	}
}
