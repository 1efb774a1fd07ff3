package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// badDir holds documents that must be refused. In their comments:
//
//	# want "RG3104: .*idempotent"        on the line of a diagnostic: a pattern for its code and what
//	# fix "on: [timeout]" -> "on: []"    a replacement after which nothing is refused, nor warned of; each is tried alone
//	# policy: policies/NAME.yaml         the policy file that goes with the document; it has comments of its own
const badDir = "../../../testdata/specs/bad"

// badCase is a document, and the policy file that goes with it.
type badCase struct {
	doc, policy file
}

type file struct{ name, text string }

// TestRefusals loads and plans each document whose refusal is about annotations or policies, and each of its fixes.
func TestRefusals(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(badDir, "RG[23]*.yaml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents in %s: %v", badDir, err)
	}
	for _, name := range names {
		c := readBad(t, name)
		if !strings.Contains(c.doc.text+c.policy.text, "# want") {
			t.Errorf("%s wants nothing", name)
		}
		base := strings.TrimSuffix(filepath.Base(name), ".yaml")
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			compare(t, wanted(t, c.doc, c.policy), said(t, c))
			for i, fixed := range fixes(t, c) {
				t.Run("fix "+strconv.Itoa(i+1), func(t *testing.T) {
					t.Parallel()
					if left := said(t, fixed); len(left) > 0 {
						t.Errorf("the fix is refused: %v\n%s\n%s", left, fixed.doc.text, fixed.policy.text)
					}
				})
			}
		})
	}
}

func readBad(t *testing.T, name string) badCase {
	t.Helper()
	c := badCase{doc: readFile(t, name)}
	if m := regexp.MustCompile(`(?m)^# policy: (\S+)$`).FindStringSubmatch(c.doc.text); m != nil {
		c.policy = readFile(t, filepath.Join(badDir, m[1]))
	}
	return c
}

func readFile(t *testing.T, name string) file {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return file{filepath.Base(name), string(data)}
}

// said returns the diagnostics of a case, each as "file:line CODE: what".
func said(t *testing.T, c badCase) []string {
	t.Helper()
	var list diag.List
	resolveText(t, c.doc, c.policy, &list)
	var out []string
	for _, d := range list.Sorted() {
		if d.Why == "" || d.Fix == "" {
			t.Errorf("%s: %s lacks its why or fix", d.Span.Pos, d.Code)
		}
		if !d.Span.IsValid() {
			t.Errorf("%s: %q has no position", d.Code, d.What)
		}
		out = append(out, d.Span.File+":"+strconv.Itoa(d.Span.Line)+" "+string(d.Code)+": "+d.What)
	}
	return out
}

// resolveText runs load and plan on a document and a policy file, which may be empty.
func resolveText(t *testing.T, doc, policy file, list *diag.List) *Package {
	t.Helper()
	tree := readTree(t, doc)
	api := openapi.Load(t.Context(), openapi.Input{Tree: tree, Source: doc.name, Path: doc.name}, list)
	if api == nil || list.HasErrors() {
		return nil
	}
	layers := Layers{Package: "refused", Output: "refused", Source: doc.name}
	if policy.text != "" {
		layers.PolicyFile = readTree(t, policy)
	}
	return Resolve(api, layers, list)
}

func readTree(t *testing.T, f file) *source.Value {
	t.Helper()
	v, err := source.Read(f.name, []byte(f.text))
	if err != nil {
		t.Fatalf("%v\n%s", err, f.text)
	}
	return v
}

type want struct {
	place   string
	pattern *regexp.Regexp
}

// wanted reads the expectations from the comments of files.
func wanted(t *testing.T, files ...file) []want {
	t.Helper()
	var out []want
	for _, f := range files {
		n := 0
		for line := range strings.Lines(f.text) {
			n++
			_, rest, ok := strings.Cut(line, "# want ")
			for rest = strings.TrimSpace(rest); ok && rest != ""; rest = strings.TrimSpace(rest) {
				quoted, err := strconv.QuotedPrefix(rest)
				if err != nil {
					t.Fatalf("%s:%d: %v", f.name, n, err)
				}
				text, err := strconv.Unquote(quoted)
				if err != nil {
					t.Fatalf("%s:%d: %v", f.name, n, err)
				}
				out = append(out, want{f.name + ":" + strconv.Itoa(n), regexp.MustCompile("^(?:" + text + ")")})
				rest = rest[len(quoted):]
			}
		}
	}
	return out
}

// compare reports what was said and not wanted, and the other way round.
func compare(t *testing.T, wants []want, got []string) {
	t.Helper()
	for _, line := range got {
		place, text, _ := strings.Cut(line, " ")
		i := slices.IndexFunc(wants, func(w want) bool { return w.place == place && w.pattern.MatchString(text) })
		if i < 0 {
			t.Errorf("not wanted: %s", line)
			continue
		}
		wants = slices.Delete(wants, i, i+1)
	}
	for _, w := range wants {
		t.Errorf("wanted at %s, and not said: %s", w.place, w.pattern)
	}
}

var fixLine = regexp.MustCompile(`(?m)^# fix ("(?:[^"\\]|\\.)*") -> ("(?:[^"\\]|\\.)*")$`)

// fixes applies each fix of a case to a copy of its own.
func fixes(t *testing.T, c badCase) []badCase {
	t.Helper()
	var out []badCase
	for _, text := range apply(t, c.doc) {
		out = append(out, badCase{file{c.doc.name, text}, c.policy})
	}
	for _, text := range apply(t, c.policy) {
		out = append(out, badCase{c.doc, file{c.policy.name, text}})
	}
	return out
}

func apply(t *testing.T, f file) []string {
	t.Helper()
	body := fixLine.ReplaceAllString(f.text, "#")
	var out []string
	for _, m := range fixLine.FindAllStringSubmatch(f.text, -1) {
		from, err := strconv.Unquote(m[1])
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		to, err := strconv.Unquote(m[2])
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		if !strings.Contains(body, from) {
			t.Fatalf("%s: the fix replaces %q, which does not stand there", f.name, from)
		}
		out = append(out, strings.Replace(body, from, to, 1))
	}
	return out
}
