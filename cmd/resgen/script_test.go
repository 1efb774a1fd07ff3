package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes resgen a command of the scripts, which run this very test binary.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"resgen": main})
}

// TestScript runs the stories of testdata/script. Besides testscript's own commands they have
//
//	exits CODE COMMAND [ARG]...    run a command and want exactly this exit code
func TestScript(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               withGo(t),
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// withGo lets the go command, which reads the packages of interfaces, use the caches of this test, and no network.
func withGo(t *testing.T) func(*testscript.Env) error {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(out))
	return func(env *testscript.Env) error {
		env.Setenv("GOCACHE", caches[0])
		env.Setenv("GOMODCACHE", caches[1])
		env.Setenv("GOPROXY", "off")
		env.Setenv("GOFLAGS", "")
		mod := filepath.Join(env.WorkDir, "go.mod") // without one, each client that comes without tests is warned of
		if _, err := os.Stat(mod); err == nil {
			return nil
		}
		return os.WriteFile(mod, []byte("module example.com/story\n"), 0o600)
	}
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG]...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
