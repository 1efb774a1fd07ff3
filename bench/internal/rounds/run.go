package rounds

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Config says how to run.
type Config struct {
	// Dir is the folder of the module.
	Dir string
	// Rounds is how often each benchmark runs, at least 1.
	Rounds int
	// Time is how long it runs each time.
	Time time.Duration
	// Match keeps only arms that match, an expression for each part between slashes, as -test.bench takes them; empty keeps all.
	Match string
	// Log is told about progress.
	Log io.Writer
}

// Run builds the suites and runs them in rounds.
func Run(ctx context.Context, c Config) (*Results, error) {
	bin, err := os.MkdirTemp("", "resgen-bench-")
	if err != nil {
		return nil, fmt.Errorf("a folder for the binaries: %w", err)
	}
	defer os.RemoveAll(bin) //nolint:errcheck // it is in the system's folder for such
	for _, s := range Suites() {
		if err := build(ctx, c, s, filepath.Join(bin, s.Name)); err != nil {
			return nil, err
		}
	}
	res := &Results{
		Date: time.Now().UTC().Format(time.DateOnly), Go: runtime.Version(), Processors: runtime.NumCPU(),
		Rounds: c.Rounds, Time: c.Time.String(), Arms: map[string][]Sample{},
	}
	for round := range c.Rounds {
		began := time.Now()
		for _, s := range Suites() {
			if err := run(ctx, c, s, bin, res); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(c.Log, "round %d of %d: %s\n", round+1, c.Rounds, time.Since(began).Round(time.Second)) //nolint:errcheck // progress
	}
	return res, res.versions(ctx, c.Dir)
}

func build(ctx context.Context, c Config, s Suite, to string) error {
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-tags="+s.Tags, "-o", to, s.Package) //nolint:gosec // of the table of suites
	cmd.Dir = c.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", s.Package, err, out)
	}
	return nil
}

// run runs each benchmark of a suite once.
func run(ctx context.Context, c Config, s Suite, bin string, res *Results) error {
	which := s.Bench
	if c.Match != "" {
		which = "(" + which + ")/" + c.Match
	}
	args := []string{"-test.run=^$", "-test.bench=" + which, "-test.benchtime=" + c.Time.String(), "-test.v"}
	if s.Alone {
		args = append(args, "-test.cpu=1")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(bin, s.Name), args...) //nolint:gosec // as above
	cmd.Dir = filepath.Join(c.Dir, strings.TrimPrefix(s.Package, "./"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run %s: %w\n%s", s.Name, err, out.Bytes())
	}
	return res.read(&out)
}

// peers are the modules that are measured; what they bring along is not worth a line.
var peers = []string{
	"github.com/bytedance/sonic", "github.com/cenkalti/backoff/v5", "github.com/cep21/circuit/v4", "github.com/failsafe-go/failsafe-go",
	"github.com/go-faster/jx", "github.com/go-json-experiment/json", "github.com/goccy/go-json", "github.com/hashicorp/go-retryablehttp",
	"github.com/ogen-go/ogen", "github.com/openai/openai-go/v3", "github.com/sony/gobreaker/v2", "github.com/tmaxmax/go-sse", "golang.org/x/sync",
}

// versions asks the module for the versions of the peers.
func (r *Results) versions(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-m"}, peers...)...) //nolint:gosec // the arguments are the table above
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("ask for the peers' versions: %w", err)
	}
	r.Modules = strings.Split(strings.TrimSpace(string(out)), "\n")
	return nil
}
