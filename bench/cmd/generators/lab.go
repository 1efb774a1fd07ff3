package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// The time by the clock that one document may take: what is measured is CPU time, and a busy machine is no fault of a tool.
const (
	generateTime = 5 * time.Minute
	buildTime    = 15 * time.Minute
)

// lab is where the tools and a module for each of them are: a cache folder outside the checkout.
type lab struct{ root string }

// result is what one tool made of one document.
type result struct {
	generated, compiles bool
	late, again         bool // it was stopped for the time that it took; it is of the second try
	operations, lines   int
	generate, build     time.Duration // CPU time, of all processes
	buildKB             int64
}

// whole reports whether the package compiles and has every operation of the document.
func (r *result) whole(d *document) bool { return r.compiles && r.operations >= d.operations }

// newLab installs the tools, and prepares their modules with all dependencies built.
func newLab(ctx context.Context, checkout string) (*lab, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	checkout, err = filepath.Abs(checkout)
	if err != nil {
		return nil, fmt.Errorf("checkout: %w", err)
	}
	l := &lab{root: filepath.Join(cache, "resgen-generators")}
	if err := os.MkdirAll(l.root, 0o750); err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	for name, text := range configurations() {
		if err := os.WriteFile(filepath.Join(l.root, name), []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("configuration: %w", err)
		}
	}
	for _, t := range tools() {
		if err := l.prepare(ctx, t, checkout); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// binary is the tool's program.
func (l *lab) binary(t tool) string {
	return filepath.Join(l.root, "bin-"+t.name+"-"+t.version, t.name)
}

func (l *lab) module(t tool) string { return filepath.Join(l.root, "module-"+t.name) }

func (l *lab) prepare(ctx context.Context, t tool, checkout string) error {
	if t.install == "" {
		if err := l.do(ctx, checkout, nil, "build", "-o", l.binary(t), "./cmd/resgen"); err != nil {
			return err
		}
	} else if _, err := os.Stat(l.binary(t)); err != nil {
		env := []string{"GOBIN=" + filepath.Dir(l.binary(t)), "GOFLAGS="}
		if err := l.do(ctx, l.root, env, "install", t.install+"@"+t.version); err != nil {
			return err
		}
	}
	dir := l.module(t)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("module of %s: %w", t.name, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "warm"), 0o750); err != nil {
		return fmt.Errorf("module of %s: %w", t.name, err)
	}
	mod := "module generated\n\ngo 1.26\n"
	if t.install == "" {
		mod += "\nrequire github.com/resgen-go/resgen v0.0.0\n\nreplace github.com/resgen-go/resgen => " + checkout + "\n"
	}
	warm := "package warm\n\nimport (\n\t_ \"" + strings.Join(t.imports, "\"\n\t_ \"") + "\"\n)\n"
	err := errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600),
		os.WriteFile(filepath.Join(dir, "warm", "warm.go"), []byte(warm), 0o600))
	if err != nil {
		return fmt.Errorf("module of %s: %w", t.name, err)
	}
	if len(t.requires) > 0 {
		if err := l.do(ctx, dir, nil, append([]string{"get"}, t.requires...)...); err != nil {
			return err
		}
	}
	if err := l.do(ctx, dir, nil, "mod", "tidy"); err != nil {
		return err
	}
	return l.do(ctx, dir, nil, "build", "./warm")
}

// do runs go.
func (*lab) do(ctx context.Context, dir string, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are in tools
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOWORK=off"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// measure generates a client of a document and builds it: the package alone is compiled, everything that it imports is there.
// Where the first try does not compile, a second may.
func (l *lab) measure(ctx context.Context, t tool, d *document) result {
	first := l.try(ctx, t, d, t.args)
	if first.compiles || first.late || t.again == nil {
		return first
	}
	second := l.try(ctx, t, d, t.again)
	if second.again = true; second.compiles || second.generated && !first.generated {
		return second
	}
	return first
}

func (l *lab) try(ctx context.Context, t tool, d *document, args func(out, spec, config string) []string) result {
	var r result
	out := filepath.Join(l.module(t), "p"+notName.ReplaceAllString(strings.ToLower(d.name), ""))
	defer os.RemoveAll(out) //nolint:errcheck // the folder is in the cache
	if os.RemoveAll(out) != nil || os.MkdirAll(out, 0o750) != nil {
		return r
	}
	did := l.timed(ctx, l.module(t), generateTime, l.binary(t), args(out, d.path, l.root)...)
	r.generate, r.generated, r.late = did.cpu, did.ok, did.late
	if !r.generated {
		return r
	}
	names, err := filepath.Glob(filepath.Join(out, "*.go"))
	var files [][]byte
	for _, name := range names {
		text, readErr := os.ReadFile(name)
		err = errors.Join(err, readErr)
		r.lines += bytes.Count(text, []byte("\n"))
		files = append(files, text)
	}
	r.operations = t.operations(files)
	// What was never built before has no entry in the build cache.
	nonce := fmt.Sprintf("package api\n\nconst _ = %q\n", time.Now().String())
	if err != nil || os.WriteFile(filepath.Join(out, "nonce.go"), []byte(nonce), 0o600) != nil {
		return r
	}
	did = l.timed(ctx, l.module(t), buildTime, "go", "build", "-p", "1", "./"+filepath.Base(out))
	r.build, r.buildKB, r.compiles, r.late = did.cpu, did.kilobytes, did.ok, did.late
	return r
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// outcome is what a command took.
type outcome struct {
	cpu       time.Duration // of it and what it started
	kilobytes int64         // the most memory that one process had
	ok, late  bool
}

// timed runs a command, and stops it and what it started after the time that it may take.
func (*lab) timed(ctx context.Context, dir string, most time.Duration, name string, args ...string) outcome {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // as above
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err := cmd.Run()
	did := outcome{ok: err == nil, late: errors.Is(ctx.Err(), context.DeadlineExceeded)}
	if state := cmd.ProcessState; state != nil {
		did.cpu = state.UserTime() + state.SystemTime()
		if usage, isUsage := state.SysUsage().(*syscall.Rusage); isUsage {
			did.kilobytes = usage.Maxrss
		}
	}
	return did
}
