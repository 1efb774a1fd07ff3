package generator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// badDir holds documents that must be refused, or warned of. In their comments:
//
//	# want "RG3104: .*idempotent"        on the line of a diagnostic: a pattern for its code and what; several may follow one another
//	# fix "on: [timeout]" -> "on: []"    a replacement after which nothing is said any more; each is tried alone
//	# policy: policies/NAME.yaml         the policy file that goes with the document, and
//	# overlay: overlays/NAME.yaml        an overlay; both have comments of their own
//	# include: GLOB                      a pattern of operations
//	# config: configs/NAME.yaml          a resgen.yaml instead of all these, whose diagnostics are looked at too
//	# lock: configs/NAME.lock            the lock that goes with a configuration of that name
const badDir = "../testdata/specs/bad"

// badSubfolders are what lies beside the documents and goes with them.
var badSubfolders = []string{"policies", "overlays", "configs", "parts"}

// TestBad lints every document of badDir and compares what is said with what is wanted, then tries each of its fixes.
func TestBad(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(badDir, "RG*.yaml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents in %s: %v", badDir, err)
	}
	for _, name := range names {
		base := filepath.Base(name)
		t.Run(strings.TrimSuffix(base, ".yaml"), func(t *testing.T) {
			t.Parallel()
			c := readBad(t, badDir, base)
			wanted := c.wanted(t)
			if !slices.ContainsFunc(wanted, func(w expectation) bool {
				return strings.Contains(w.pattern.String(), base[:6])
			}) {
				t.Errorf("%s does not want %s", base, base[:6])
			}
			compareSaid(t, wanted, c.said(t))
			for i, f := range c.fixes(t) {
				t.Run("fix "+strconv.Itoa(i+1), func(t *testing.T) {
					t.Parallel()
					fixed := readBad(t, c.applied(t, f), base)
					if left := fixed.said(t); len(left) > 0 {
						t.Errorf("after %q -> %q there is left: %v", f.from, f.to, left)
					}
				})
			}
		})
	}
}

// badCase is a document with what goes with it. Files are named from its folder.
type badCase struct {
	dir, doc string
	policy   string
	overlays []string
	include  []string
	config   string
	texts    map[string]string
}

var directive = regexp.MustCompile(`(?m)^# (policy|overlay|include|config|lock): (.+)$`)

func readBad(t *testing.T, dir, doc string) *badCase {
	t.Helper()
	c := &badCase{dir: dir, doc: doc, texts: map[string]string{}}
	c.read(t, doc)
	for _, m := range directive.FindAllStringSubmatch(c.texts[doc], -1) {
		switch m[1] {
		case "policy":
			c.policy = m[2]
		case "overlay":
			c.overlays = append(c.overlays, m[2])
		case "include":
			c.include = append(c.include, m[2])
			continue
		case "config":
			c.config = m[2]
		}
		c.read(t, m[2])
	}
	return c
}

func (c *badCase) read(t *testing.T, name string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	c.texts[name] = string(data)
}

// said returns the diagnostics, each as "file:line CODE: what".
func (c *badCase) said(t *testing.T) []string {
	t.Helper()
	cfg := generator.Config{Mode: generator.Lint}
	if c.config != "" {
		cfg.File = filepath.Join(c.dir, c.config)
	} else {
		cfg.Client = generator.Client{Spec: filepath.Join(c.dir, c.doc), Include: c.include}
		if c.policy != "" {
			cfg.Client.Policy = filepath.Join(c.dir, c.policy)
		}
		for _, o := range c.overlays {
			cfg.Client.Overlays = append(cfg.Client.Overlays, filepath.Join(c.dir, o))
		}
	}
	result, err := generator.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range result.Diagnostics {
		if d.Why == "" || d.Fix == "" {
			t.Errorf("%s: %s lacks its why or fix", d.Span.Pos, d.Code)
		}
		file, ok := strings.CutPrefix(d.Span.File, filepath.ToSlash(c.dir)+"/")
		if !ok && d.Span.File != "" {
			t.Errorf("%s %s stands in a file that is not of the case", d.Span.Pos, d.Code)
		}
		out = append(out, fmt.Sprintf("%s:%d %s: %s", file, d.Span.Line, d.Code, d.What))
	}
	return out
}

// expectation is a diagnostic that is wanted.
type expectation struct {
	place   string
	pattern *regexp.Regexp
}

// wanted reads the expectations from the comments of all files.
func (c *badCase) wanted(t *testing.T) []expectation {
	t.Helper()
	var out []expectation
	for name, text := range c.texts {
		n := 0
		for line := range strings.Lines(text) {
			n++
			_, rest, ok := strings.Cut(line, "# want ")
			for rest = strings.TrimSpace(rest); ok && rest != ""; rest = strings.TrimSpace(rest) {
				quoted, err := strconv.QuotedPrefix(rest)
				if err != nil {
					t.Fatalf("%s:%d: %v", name, n, err)
				}
				pattern := unquote(t, quoted)
				out = append(out, expectation{fmt.Sprintf("%s:%d", name, n), regexp.MustCompile("^(?:" + pattern + ")")})
				rest = rest[len(quoted):]
			}
		}
	}
	return out
}

func unquote(t *testing.T, quoted string) string {
	t.Helper()
	text, err := strconv.Unquote(quoted)
	if err != nil {
		t.Fatalf("%s: %v", quoted, err)
	}
	return text
}

// compareSaid reports what was said and not wanted, and the other way round.
func compareSaid(t *testing.T, wanted []expectation, said []string) {
	t.Helper()
	for _, line := range said {
		place, text, _ := strings.Cut(line, " ")
		i := slices.IndexFunc(wanted, func(w expectation) bool { return w.place == place && w.pattern.MatchString(text) })
		if i < 0 {
			t.Errorf("not wanted: %s", line)
			continue
		}
		wanted = slices.Delete(wanted, i, i+1)
	}
	for _, w := range wanted {
		t.Errorf("wanted at %s, and not said: %s", w.place, w.pattern)
	}
}

// fix is a replacement in a file.
type fix struct{ file, from, to string }

var fixLine = regexp.MustCompile(`(?m)^# fix ("(?:[^"\\]|\\.)*") -> ("(?:[^"\\]|\\.)*")$`)

func (c *badCase) fixes(t *testing.T) []fix {
	t.Helper()
	var out []fix
	for name, text := range c.texts {
		for _, m := range fixLine.FindAllStringSubmatch(text, -1) {
			out = append(out, fix{name, unquote(t, m[1]), unquote(t, m[2])})
		}
	}
	return out
}

// applied copies the case into a folder of its own with one fix applied, and returns the folder.
func (c *badCase) applied(t *testing.T, f fix) string {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range badSubfolders {
		if err := os.CopyFS(filepath.Join(dir, sub), os.DirFS(filepath.Join(c.dir, sub))); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	for name, text := range c.texts {
		if name == f.file {
			body := fixLine.ReplaceAllString(text, "#")
			if !strings.Contains(body, f.from) {
				t.Fatalf("%s: the fix replaces %q, which does not stand there", name, f.from)
			}
			text = strings.Replace(body, f.from, f.to, 1)
		}
		path := filepath.Join(dir, name)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, text)
	}
	return dir
}
