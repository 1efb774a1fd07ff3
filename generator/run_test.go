package generator_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator"
)

const pets = `openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get: {operationId: listPets, responses: {'204': {description: Nothing.}}}
`

// project makes a folder with a document, and the request to generate from it.
func project(t *testing.T, spec string) (dir string, cfg generator.Config) {
	t.Helper()
	dir = t.TempDir()
	writeFile(t, filepath.Join(dir, "api.yaml"), spec)
	return dir, generator.Config{Client: generator.Client{Spec: filepath.Join(dir, "api.yaml"), Out: filepath.Join(dir, "api"), Package: "api", WithoutTests: true}}
}

func TestRunTellsItsStages(t *testing.T) {
	t.Parallel()
	_, cfg := project(t, pets)
	var got []string
	cfg.Progress = func(s generator.Stage) { got = append(got, s.Client+" "+s.Step) }
	if _, err := generator.Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	want := []string{"api load", "api plan", "api emit", "api type-check", "api write"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRunReturnsWhatItMade(t *testing.T) {
	t.Parallel()
	_, cfg := project(t, pets)
	for _, mode := range []generator.Mode{generator.Lint, generator.Check, generator.Generate, generator.Check} {
		cfg.Mode = mode
		written := false
		if _, err := os.Stat(cfg.Client.Out); err == nil {
			written = true
		}
		result, err := generator.Run(t.Context(), cfg)
		if err != nil || result.HasErrors() || len(result.Outputs) != 1 {
			t.Fatalf("mode %d: %+v, %v", mode, result, err)
		}
		o := result.Outputs[0]
		if o.Name != "api" || o.Dir != cfg.Client.Out || (len(o.Files) == 0) != (mode == generator.Lint) {
			t.Errorf("mode %d: output %q in %q with %d files", mode, o.Name, o.Dir, len(o.Files))
		}
		if want := mode != generator.Lint && !written; result.Stale() != want {
			t.Errorf("mode %d: stale is %t, want %t", mode, result.Stale(), want)
		}
		for _, f := range o.Files {
			if mode == generator.Generate && folder(t, o.Dir)[f.Name] != string(f.Data) {
				t.Errorf("%s was not written as it is in the result", f.Name)
			}
		}
	}
}

func TestRunStopsWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	_, cfg := project(t, pets)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := generator.Run(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if _, err := os.Stat(cfg.Client.Out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

// stuck is an input that asks for the end of the run and then never yields: what a stage is that does not look at its context.
type stuck struct {
	stop    func()
	release chan struct{}
}

func (s stuck) Read([]byte) (int, error) {
	s.stop()
	<-s.release
	return 0, errors.New("released")
}

func TestRunStopsWhereNobodyLooksAtItsContext(t *testing.T) {
	t.Parallel()
	_, cfg := project(t, pets)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in := stuck{cancel, make(chan struct{})}
		cfg.Client.Spec, cfg.Stdin = "-", in
		if _, err := generator.Run(ctx, cfg); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		close(in.release)
	})
	if _, err := os.Stat(cfg.Client.Out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

// TestRunTakesAnyFileName generates from documents whose names would end the comment that they stand in, or hide a part of it.
func TestRunTakesAnyFileName(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"a\n//go:build ignore.yaml": `// Source: ../a\n/go:build ignore.yaml`,
		"a\u202e.yaml":              `// Source: ../a\u202e.yaml`,
		"a*\t.yaml":                 `// Source: ../a*\t.yaml`,
	} {
		dir, cfg := project(t, pets)
		cfg.Client.Spec = filepath.Join(dir, filepath.FromSlash(file))
		writeFile(t, cfg.Client.Spec, pets)
		result, err := generator.Run(t.Context(), cfg)
		if err != nil || result.HasErrors() {
			t.Errorf("%q: %v, %v", file, err, result.Diagnostics)
			continue
		}
		if got := strings.Split(folder(t, cfg.Client.Out)["client.gen.go"], "\n")[2]; got != want {
			t.Errorf("%q: the third line is %q, want %q", file, got, want)
		}
	}
}

func TestRunRefusesIncompleteRequests(t *testing.T) {
	t.Parallel()
	dir, good := project(t, pets)
	writeFile(t, filepath.Join(dir, "resgen.yaml"), "version: 1\nclients: [{name: a, spec: api.yaml, out: api, package: a}]\n")
	tests := map[string]func(*generator.Config){
		"no document":        func(c *generator.Config) { c.Client.Spec = "" },
		"no folder":          func(c *generator.Config) { c.Client.Out = "" },
		"no package":         func(c *generator.Config) { c.Client.Package = "" },
		"keyword as package": func(c *generator.Config) { c.Client.Package = "func" },
		"path as name":       func(c *generator.Config) { c.Client.Name = "../x" },
		"no import path":     func(c *generator.Config) { c.Client.ImportPath = "x\n//go:build ignore" },
		"file and client":    func(c *generator.Config) { c.File = filepath.Join(dir, "resgen.yaml") },
		"file and one pattern": func(c *generator.Config) {
			*c = generator.Config{File: filepath.Join(dir, "resgen.yaml"), Client: generator.Client{Include: []string{"x"}}}
		},
		"no standard input": func(c *generator.Config) { c.Client.Spec = "-" },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := good
			change(&cfg)
			result, err := generator.Run(t.Context(), cfg)
			if !errors.Is(err, generator.ErrUsage) {
				t.Errorf("got %v, want ErrUsage", err)
			}
			if result == nil || len(result.Outputs) > 0 {
				t.Errorf("the result is %+v", result)
			}
		})
	}
	if got := folder(t, dir); len(got) == 0 || got["api.yaml"] != pets {
		t.Errorf("the folder holds %v", got)
	}
}

// TestRunIsDeterministic makes the example's package again and again in one process, in which every map has another order.
func TestRunIsDeterministic(t *testing.T) {
	t.Parallel()
	cfg := generator.Config{Mode: generator.Check, Client: generator.Client{
		Spec: filepath.Join("..", "testdata", "specs", "llm", "spec.yaml"), Out: filepath.Join(t.TempDir(), "llm"), Package: "llm",
	}}
	var first *generator.Result
	for range 5 {
		result, err := generator.Run(t.Context(), cfg)
		if err != nil || result.HasErrors() {
			t.Fatalf("%v, %v", result.Diagnostics, err)
		}
		if first == nil {
			first = result
			continue
		}
		if diff := cmp.Diff(first.Outputs[0].Files, result.Outputs[0].Files); diff != "" {
			t.Fatalf("(-first +later)\n%s", diff)
		}
		if diff := cmp.Diff(first.Diagnostics, result.Diagnostics); diff != "" {
			t.Fatalf("diagnostics (-first +later)\n%s", diff)
		}
		if diff := cmp.Diff(first.Explain(""), result.Explain("")); diff != "" {
			t.Fatalf("explanations (-first +later)\n%s", diff)
		}
	}
}

// TestRunKeepsSpellingsOutOfTheOutput generates from one document by different spellings of its path.
func TestRunKeepsSpellingsOutOfTheOutput(t *testing.T) {
	t.Parallel()
	dir, cfg := project(t, strings.Replace(pets, "operationId", "x-resilience: {retry: {attempts: 2}}, operationId", 1))
	result, err := generator.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := result.Outputs[0].Files
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(wd, dir)
	if err != nil {
		t.Skipf("no relative way to the temporary folder: %v", err)
	}
	cfg.Mode = generator.Check
	cfg.Client.Spec = filepath.Join(rel, "api.yaml")
	cfg.Client.Out = rel + "/./api/../api"
	if result, err = generator.Run(t.Context(), cfg); err != nil || result.Stale() {
		t.Errorf("stale is %t, %v", result.Stale(), err)
	}
	if diff := cmp.Diff(want, result.Outputs[0].Files); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, f := range want {
		if strings.Contains(string(f.Data), dir) {
			t.Errorf("%s names the folder %s", f.Name, dir)
		}
	}
}

// TestMaxTime gives a run no time at all: it says so, names the document, and writes nothing.
func TestMaxTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spec := filepath.Join(dir, "api.yaml")
	writeFile(t, spec, "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {operationId: getA, responses: {'204': {description: d}}}}}\n")
	out := filepath.Join(dir, "out")
	_, err := generator.Run(t.Context(), generator.Config{MaxTime: 1, Client: generator.Client{Spec: spec, Out: out, Package: "p"}})
	if !errors.Is(err, generator.ErrTooLong) || !strings.Contains(err.Error(), "api.yaml") || !strings.Contains(err.Error(), "--max-time") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}
