package generator_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// caseIfaces holds the packages of the kinds of C115 to C131, a configuration that wraps their interfaces into their own and into other
// packages, and in play the tests that drive the wrappers.
const caseIfaces = "../testdata/cases/ifaces"

// TestCasesOfInterfaces generates all wrappers in one run, the same bytes again, builds and vets them, also for another system and behind
// a tag, and runs the tests of play; each of them is a part of this one.
func TestCasesOfInterfaces(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles a module of twenty packages: run it without -short")
	}
	module := newModule(t, "cases.test")
	if err := os.CopyFS(module, os.DirFS(caseIfaces)); err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(module, "tags", "dialer_resilient.gen.go")
	if err := os.Rename(stale+".stale", stale); err != nil {
		t.Fatal(err)
	}
	cfg := generator.Config{File: filepath.Join(module, "resgen.yaml")}
	result, err := generator.Run(t.Context(), cfg)
	if err != nil || result.HasErrors() {
		t.Fatalf("%v\n%s", err, printed(t, result, ""))
	}
	cfg.Mode = generator.Check
	if again, err := generator.Run(t.Context(), cfg); err != nil || again.Stale() {
		t.Errorf("generated again: stale is %t, %v", again.Stale(), err)
	}
	passedThrough(t, printed(t, result, ""))
	for _, env := range []string{"GOOS=windows", "CGO_ENABLED=0", "GOFLAGS=-mod=mod -tags=extra"} {
		cmd := exec.CommandContext(t.Context(), "go", "vet", "./tags")
		cmd.Dir = module
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", env)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s go vet ./tags: %v\n%s", env, err, out)
		}
	}
	args := []string{"test", "-vet=all", "-json"}
	if raced {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, "./...")...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.Output()
	report(t, out, err)
}

// passedThrough holds the report to naming each method that is passed through, and no other.
func passedThrough(t *testing.T, said string) {
	t.Helper()
	for _, name := range []string{
		"Mixed.Ping", "Mixed.Name", "Mixed.Deadline", "Mixed.MyErr", "Mixed.Must", "Pipes.Done", "Pipes.Sink", "Pipes.Plain", "Rest.Log", "Port.mustEmbed",
	} {
		if !strings.Contains(said, name+" is passed through") {
			t.Errorf("nothing is said of %s", name)
		}
	}
	for _, name := range []string{"Mixed.Last", "Mixed.ErrFirst", "Pipes.Lazy", "Port.sealed"} {
		if strings.Contains(said, name) {
			t.Errorf("%s is wrapped, and something is said of it", name)
		}
	}
}
