package generator_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/resgen-go/resgen/generator"
	"github.com/resgen-go/resgen/generator/internal/diag"
)

// documentTime bounds the generation of one document.
const documentTime = time.Minute

// mustPass are the documents that the project promises: no reason excuses them. A number is how many operations there must be.
var mustPass = map[string]int{
	"visible/openai.yaml":          288,
	"visible/qdrant.json":          0,
	"visible/cohere.yaml":          0,
	"visible/anthropic.json":       0,
	"components/chroma-1.0.5.json": 0,
}

// corpusOverlays repair documents that are wrong as they stand.
var corpusOverlays = map[string]string{"visible/openai.yaml": "../testdata/overlays/openai.yaml"}

// withTests are the documents whose clients come with their tests, which are run.
var withTests = map[string]bool{"visible/qdrant.json": true, "visible/mistral.yaml": true}

// mustRefuse are the documents that are to be refused, with the code of the one error: no client can be made of them.
var mustRefuse = map[string]string{"cases/allof_self_cycle.yaml": "RG1105"}

// knownFailures are the documents that are expected to fail, with the reason. One that passes must be taken off the list. There is
// none.
var knownFailures = map[string]string{}

// corpusDocument is a document of the corpus and what became of it.
type corpusDocument struct {
	// name is the document's way from the corpus, or from the folder beside it, with forward slashes.
	name, path string
	// folder is its package in the temporary module.
	folder string
	// want and got are the operations of the document and of the generated interface, as "METHOD /path".
	want, got []string
	warnings  int
	faults    []string
	took      time.Duration
}

// TestCorpus generates a client from every real document at hand into one module, builds and vets all of them, and counts their
// operations. It fails where a document fails that is not in knownFailures.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("RESGEN_CORPUS")
	if dir == "" {
		t.Skip("RESGEN_CORPUS is not set: `make corpus` runs this, or RESGEN_CORPUS=folder of OpenAPI documents")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("RESGEN_CORPUS: %v: name a folder of OpenAPI documents to run this", err)
	}
	began := time.Now()
	docs := corpusDocuments(t, dir)
	module := newModule(t, "corpus.test")
	generateAll(t, module, docs)
	generated := time.Since(began)
	build(t, module, docs, "build")
	built := time.Since(began)
	build(t, module, docs, "vet")
	for _, d := range docs {
		if !withTests[d.name] {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "go", "test", "./"+d.folder)
		cmd.Dir, cmd.Env = module, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			d.faultf("its tests: %v\n%s", err, out)
		}
	}

	passed, failed, got, want := 0, 0, 0, 0
	for _, d := range docs {
		got, want = got+len(d.got), want+len(d.want)
		if len(d.faults) == 0 {
			passed++
		} else {
			failed++
		}
		d.judge(t)
	}
	printTable(docs)
	fmt.Fprintf(os.Stdout, "generated in %v, built in %v, vetted in %v\n", generated.Round(time.Second), (built - generated).Round(time.Second),
		(time.Since(began) - built).Round(time.Second))
	fmt.Fprintf(os.Stdout, "%d of %d operations\n", got, want)
	fmt.Fprintf(os.Stdout, "%d passed, %d failed\n", passed, failed)
}

// judge fails the test for what must not be.
func (d *corpusDocument) judge(t *testing.T) {
	t.Helper()
	reason, known := knownFailures[d.name]
	operations, promised := mustPass[d.name]
	switch {
	case promised && len(d.faults) > 0:
		t.Errorf("%s must pass:\n\t%s", d.name, strings.Join(d.faults, "\n\t"))
	case promised && operations > 0 && len(d.got) != operations:
		t.Errorf("%s has %d operations, want %d", d.name, len(d.got), operations)
	case known && len(d.faults) == 0:
		t.Errorf("%s passes: take it off knownFailures (%s)", d.name, reason)
	case !known && len(d.faults) > 0:
		t.Errorf("%s fails:\n\t%s", d.name, strings.Join(d.faults, "\n\t"))
	}
}

// corpusDocuments finds the documents: those of the corpus, and the cases beside it.
func corpusDocuments(t *testing.T, dir string) []*corpusDocument {
	t.Helper()
	var docs []*corpusDocument
	seen := map[string]bool{}
	add := func(base, prefix string, keep func(rel string) bool) {
		err := filepath.WalkDir(base, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			rel, err := filepath.Rel(base, path)
			rel = filepath.ToSlash(rel)
			if ext := filepath.Ext(rel); err == nil && keep(rel) && (ext == ".json" || ext == ".yaml" || ext == ".yml") {
				docs = append(docs, &corpusDocument{name: prefix + rel, path: path})
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	add(dir, "", func(rel string) bool {
		top, rest, _ := strings.Cut(rel, "/")
		switch top {
		case "visible":
			return !strings.Contains(rest, "/")
		case "spector":
			return strings.HasPrefix(filepath.Base(rel), "openapi")
		case "components":
			return true
		default: // somebody's own folder of documents
			return rest == ""
		}
	})
	add(filepath.Join(dir, "..", "cases", "specs"), "cases/", func(rel string) bool { return !strings.Contains(rel, "/") })
	slices.SortFunc(docs, func(a, b *corpusDocument) int { return strings.Compare(a.name, b.name) })
	for _, d := range docs {
		folder := strings.Trim(notName.ReplaceAllString(strings.ToLower(d.name), "_"), "_")
		for seen[folder] {
			folder += "_"
		}
		seen[folder] = true
		d.folder = folder
	}
	for name := range mustPass {
		if _, err := os.Stat(filepath.Join(dir, "visible")); err == nil && !slices.ContainsFunc(docs, func(d *corpusDocument) bool { return d.name == name }) {
			t.Errorf("%s is not there", name)
		}
	}
	return docs
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// generateAll generates every document into a folder of the module, two at a time.
func generateAll(t *testing.T, module string, docs []*corpusDocument) {
	t.Helper()
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for _, d := range docs {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			d.generate(t.Context(), module)
		})
	}
	wg.Wait()
}

// generate makes the client of one document and counts its operations.
func (d *corpusDocument) generate(ctx context.Context, module string) {
	began := time.Now()
	defer func() { d.took = time.Since(began) }()
	ctx, cancel := context.WithTimeout(ctx, documentTime)
	defer cancel()
	cfg := generator.Config{Client: generator.Client{Spec: d.path, Out: filepath.Join(module, d.folder), Package: "api", WithoutTests: !withTests[d.name]}}
	if overlay := corpusOverlays[d.name]; overlay != "" {
		cfg.Client.Overlays = []string{overlay}
	}
	result, err := generator.Run(ctx, cfg)
	if err != nil {
		d.faultf("%v", err)
		return
	}
	if d.diagnosed(result); result.HasErrors() {
		return
	}
	if d.want, err = documentOperations(d.path); err != nil {
		d.faultf("count: %v", err)
	}
	if d.got, err = clientOperations(filepath.Join(module, d.folder)); err != nil {
		d.faultf("count: %v", err)
	}
	for _, name := range without(d.want, d.got) {
		d.faultf("%s is missing", name)
	}
	for _, name := range without(d.got, d.want) {
		d.faultf("%s is not in the document", name)
	}
}

// diagnosed notes what resgen says.
func (d *corpusDocument) diagnosed(result *generator.Result) {
	var codes []string
	for _, diagnostic := range result.Diagnostics {
		if diagnostic.Severity != diag.Error {
			d.warnings++
			continue
		}
		codes = append(codes, string(diagnostic.Code))
		d.faultf("%s:%d: %s: %s", filepath.Base(diagnostic.Span.File), diagnostic.Span.Line, diagnostic.Code, diagnostic.What)
	}
	if code, refuse := mustRefuse[d.name]; refuse {
		d.faults = nil
		if !slices.Equal(codes, []string{code}) {
			d.faultf("refused with %q, want %s", codes, code)
		}
	}
}

func (d *corpusDocument) faultf(format string, args ...any) {
	const most = 10
	if text := fmt.Sprintf(format, args...); len(d.faults) < most && !slices.Contains(d.faults, text) {
		d.faults = append(d.faults, text)
	}
}

// build runs a command of go over all packages at once. Its output names the package that each complaint is about. Without paths in
// what is compiled, the next run reuses whatever did not change.
func build(t *testing.T, module string, docs []*corpusDocument, verb string) {
	t.Helper()
	args := []string{verb, "-p", "2", "-trimpath"}
	if verb == "build" {
		args = append(args, "-gcflags=-N -l") // what does not compile does not do so without optimizations either, in three quarters of the time
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, "./...")...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	var current *corpusDocument
	blamed := false
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			rest, _, _ = strings.Cut(strings.Trim(rest, "[]"), " ")
			i := slices.IndexFunc(docs, func(d *corpusDocument) bool { return "corpus.test/"+d.folder == rest })
			if current = nil; i >= 0 {
				current = docs[i]
			}
			continue
		}
		if current != nil {
			blamed = true
			current.faultf("go %s: %s", verb, strings.TrimSpace(line))
		}
	}
	if !blamed {
		t.Fatalf("go %s: %v\n%s", verb, err, out)
	}
}

func printTable(docs []*corpusDocument) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer func() { _ = w.Flush() }()
	fmt.Fprintln(w, "document\toperations\twarnings\ttime\tresult")
	for _, d := range docs {
		result := "ok"
		switch {
		case len(d.faults) == 0 && mustRefuse[d.name] != "":
			result = "refused, as it must be"
		case len(d.faults) > 0:
			result = "FAILED: " + d.faults[0]
		}
		fmt.Fprintf(w, "%s\t%d of %d\t%d\t%v\t%s\n", d.name, len(d.got), len(d.want), d.warnings, d.took.Round(10*time.Millisecond), result)
	}
}
