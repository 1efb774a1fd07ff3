package runtime_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
)

// The traps that a resilience library can fall into, T1 to T75, are each held by tests of that name, TestT5_…, in this package and those
// below it. What a trap says is in the name of its test; the peers' results are in docs/reference/conformance.md.

// lastTrap is the number of the last trap.
const lastTrap = 75

// noTraps are the traps that cannot be fallen into here, and why.
var noTraps = map[int]string{
	13: "endpoints that are ejected one by one: a target is one endpoint, and its breaker lets probes through",
}

// caseIDs are the cases from public bug reports, TestC001_… or a named part of a test.
const caseIDs = `C001 C002 C004 C005 C007 C008 C010 C011 C013 C014 C016 C017 C019 C020 C022 C023 C025 C026 C028 C029 C031 C032 C034 C035
	C037 C038 C040 C041 C043 C044 C046 C047 C049 C050 C052 C053 C055 C056 C058 C059 C061 C062 C064 C065 C067 C068`

func TestEveryTrapAndCaseHasItsTest(t *testing.T) {
	t.Parallel()
	traps, cases := testsBelow(t, ".")
	for n := 1; n <= lastTrap; n++ {
		why, exempt := noTraps[n]
		switch has := slices.Contains(traps, n); {
		case !has && !exempt:
			t.Errorf("no test is called TestT%d_…", n)
		case has && exempt:
			t.Errorf("T%d has a test, although there is none to have: %s", n, why)
		}
	}
	for id := range strings.FieldsSeq(caseIDs) {
		if !slices.Contains(cases, id) {
			t.Errorf("no test is called Test%s_…, and none has a part of that name", id)
		}
	}
}

var (
	trapName = regexp.MustCompile(`^TestT0?(\d+)_`)
	caseName = regexp.MustCompile(`^(?:Test)?(C\d{3})[_ ]`)
)

// testsBelow returns the traps and the cases that tests in a folder, and in those below it, are named after.
func testsBelow(t *testing.T, dir string) (traps []int, cases []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			name := ""
			switch n := n.(type) {
			case *ast.FuncDecl:
				name = n.Name.Name
			case *ast.BasicLit:
				name = strings.Trim(n.Value, "`\"")
			}
			if m := trapName.FindStringSubmatch(name); m != nil {
				number, _ := strconv.Atoi(m[1])
				traps = append(traps, number)
			}
			if m := caseName.FindStringSubmatch(name); m != nil {
				cases = append(cases, m[1])
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return traps, cases
}

// A client with every machine lives in a bubble of virtual time, and another one in the next: nothing of the package outlasts the first.
func TestT75_ClientsLiveInBubbles(t *testing.T) {
	t.Parallel()
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			p := plan(ladder(as("eu"), static("sorry")))
			p.Breaker, p.Budget = breaker(5), policy.BudgetConfig{Ratio: 0.2, MinPerSecond: 1}
			p.Bulkhead = policy.BulkheadConfig{MaxConcurrent: 4, MaxQueue: 4, MaxWait: time.Second, Adaptive: true}
			p.Limit = policy.LimitConfig{Requests: policy.Rate{Amount: 10, Per: time.Second}}
			p.Shed = policy.ShedConfig{Factor: 2, Window: 2 * time.Minute, MaxReject: 0.9, MinPerSecond: 5}
			p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Delay: 50 * time.Millisecond, ExtraLoad: 1}
			p.Cache = policy.CacheConfig{On: true, TTL: time.Second}
			p.Exercise = policy.ExerciseConfig{Share: 1}
			s := against(t, p, []playStep{slow(200*time.Millisecond, ok()), fails(http.StatusServiceUnavailable), ok()},
				runtime.WithStore(cache.New(cache.Config{})))
			began := time.Now()
			for range 20 {
				if err := s.get(t.Context()); err != nil {
					t.Fatal(err)
				}
				sleep(500 * time.Millisecond)
			}
			if took := time.Since(began); took < 10*time.Second || took > 15*time.Second {
				t.Errorf("20 calls took %s of virtual time, want about 10 s", took)
			}
		})
	}
}
