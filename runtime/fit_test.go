package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// lengthy is a request of about so many tokens, with what else its body has.
func lengthy(tokens int, more string) *wire.Request {
	const perToken = 4 // bytes of English
	r := wire.NewRequest("POST", "/chat")
	r.JSON(json.RawMessage(`{"text":"` + strings.Repeat("word", tokens*perToken/len("word")) + `"` + more + `}`))
	return r
}

// takes says what a rung takes.
func takes(r policy.Rung, most int64, lacks ...policy.Match) policy.Rung {
	r.MaxInput, r.Lacks = most, lacks
	return r
}

// primaryTakes says what the operation's own target takes.
func primaryTakes(most int64, lacks ...policy.Match) func(*policy.Plan) {
	return func(p *policy.Plan) {
		p.Targets = append(p.Targets, policy.Target{Name: policy.PrimaryTarget, MaxInput: most, Lacks: lacks})
	}
}

// at lacks what stands at a pointer.
func at(pointer string, values ...string) policy.Match {
	return policy.Match{Pointer: pointer, Values: values}
}

func TestRungsThatDoNotFitAreSkipped(t *testing.T) {
	t.Parallel()
	tools, image := at("/tools"), at("/messages/*/content/*/type", "image_url")
	picture := `,"messages":[{"content":"a"},{"content":[{"type":"text"},{"type":"image_url"}]}]`
	down := []string{"down", "small", "big"}
	tests := map[string]struct {
		change []func(*policy.Plan)
		rung   policy.Rung
		in     *wire.Request
		asked  []string // which rungs got an attempt
		served string
		unfit  []string // rungs that were passed over
	}{
		"it fits":             {nil, takes(other("small"), 1000, tools), lengthy(900, ``), down[:2], "small", nil},
		"too long":            {nil, takes(other("small"), 1000), lengthy(1200, ``), []string{"down", "big"}, "big", []string{"small"}},
		"tools":               {nil, takes(other("small"), 0, tools), lengthy(9, `,"tools":[{}]`), []string{"down", "big"}, "big", []string{"small"}},
		"no tools":            {nil, takes(other("small"), 0, tools), lengthy(9, `,"tools":[]`), down[:2], "small", nil},
		"a part among others": {nil, takes(other("small"), 0, tools, image), lengthy(9, picture), []string{"down", "big"}, "big", []string{"small"}},
		"another part": {
			nil, takes(other("small"), 0, at("/messages/*/content/*/type", "audio")), lengthy(9, picture), down[:2], "small", nil,
		},
		"the target": {
			[]func(*policy.Plan){func(p *policy.Plan) { p.Targets[0].MaxInput = 1000 }},
			other("small"), lengthy(1200, ``),
			[]string{"down", "big"},
			"big",
			[]string{"small"},
		},
		"the stricter of two": {
			[]func(*policy.Plan){func(p *policy.Plan) { p.Targets[0].MaxInput = 8000 }},
			takes(other("small"), 1000), lengthy(1200, ``),
			[]string{"down", "big"},
			"big",
			[]string{"small"},
		},
		"a func": {nil, takes(function("small"), 1000), lengthy(1200, ``), []string{"down", "big"}, "big", []string{"small"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				two := func(p *policy.Plan) { p.Targets = []policy.Target{{Name: "small"}, {Name: "big"}} }
				big := takes(other("big"), 100_000)
				big.When = []policy.Kind{policy.KindUnfit, policy.KindTransient}
				op, seen := operation(t, plan(append([]func(*policy.Plan){noRetry, two, ladder(tt.rung, big)}, tt.change...)...))
				var asked []string
				res, err := runtime.DoResult(t.Context(), op, func(_ context.Context, at runtime.Attempt) (string, error) {
					asked = append(asked, down[at.Rung])
					if at.Rung == 0 {
						return "", status(503)
					}
					return down[at.Rung], nil
				}, tt.in)
				if err != nil || res.Value != tt.served || res.Rung != tt.served || !res.Degraded {
					t.Errorf("got %+v, %v, want the answer of %s", res, err, tt.served)
				}
				if diff := cmp.Diff(tt.asked, asked); diff != "" {
					t.Errorf("asked (-want +got):\n%s", diff)
				}
				var unfit []string
				for _, e := range seen.Events(runtime.RungUnfit) {
					if e.Kind != policy.KindUnfit {
						t.Errorf("told of kind %v, want unfit", e.Kind)
					}
					unfit = append(unfit, e.RungName)
				}
				if diff := cmp.Diff(tt.unfit, unfit); diff != "" {
					t.Errorf("passed over (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestTheOperationItselfMayNotFit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		big := func(p *policy.Plan) { p.Targets = append(p.Targets, policy.Target{Name: "big"}) }
		op, _ := operation(t, plan(noRetry, primaryTakes(1000), big, ladder(other("big"))))
		res, err := runtime.DoResult(t.Context(), op, rungs(play(), play(step{Value: "big"})), lengthy(1200, ``))
		if err != nil || res.Rung != "big" || res.Reason != policy.KindUnfit || res.Attempts != 1 {
			t.Errorf("got %+v, %v, want the answer of big, because the operation itself was unfit", res, err)
		}
		_, err = runtime.DoResult(runtime.WithoutFallback(t.Context()), op, rungs(play(), play()), lengthy(1200, ``))
		const want = `llm.Get: unfit: "llm" takes at most 1000 tokens of input, and the request has about 1203`
		if !errors.Is(err, runtime.ErrUnfit) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if e, ok := errors.AsType[*runtime.Error](err); !ok || e.MayHaveActed || e.Attempts != 0 {
			t.Errorf("got %+v, want nothing sent", e)
		}
	})
}

// When all fail, the error is that of the operation itself, and names what was passed over.
func TestErrorsNameWhatDidNotFit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		op, _ := operation(t, plan(noRetry, twoTargets, ladder(takes(other("eu"), 0, at("/tools")))))
		_, err := runtime.DoResult(t.Context(), op, rungs(play(step{Err: status(503)}), play()), lengthy(9, `,"tools":[{}]`))
		const want = `(then rung "eu": unfit: "eu" lacks what the request has at /tools)`
		if !errors.Is(err, runtime.ErrTransient) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want transient, %s", err, want)
		}
		if e, ok := errors.AsType[*runtime.Error](err); !ok || e.Kind != policy.KindTransient {
			t.Errorf("got kind %v, want that of the operation itself", e.Kind)
		}
	})
}

// A rung that does not fit gets no time: the attempt before it has all of it.
func TestNoTimeIsLeftToWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tokens int
		want   time.Duration
	}{
		"a rung that fits has its reserve": {9, 600 * time.Millisecond},
		"one that does not has none":       {1200, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				eu := takes(other("eu"), 1000)
				eu.Reserve = 400 * time.Millisecond
				op, _ := operation(t, plan(noRetry, twoTargets, ladder(eu), func(p *policy.Plan) {
					p.Timeout = policy.Timeout{Attempt: time.Second, Total: 10 * time.Second}
				}))
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				start, took := time.Now(), time.Duration(0)
				_, _ = runtime.DoResult(ctx, op, func(ctx context.Context, at runtime.Attempt) (string, error) {
					if at.Rung == 0 {
						<-ctx.Done()
						took = time.Since(start)
					}
					return "", ctx.Err()
				}, lengthy(tt.tokens, ``))
				if took != tt.want {
					t.Errorf("the operation itself had %v, want %v", took, tt.want)
				}
			})
		})
	}
}

// A copy is not sent to a target that cannot take the request.
func TestCopiesGoOnlyWhereTheyFit(t *testing.T) {
	t.Parallel()
	p := plan(func(p *policy.Plan) {
		p.Hedgeable, p.Hedge = true, policy.HedgeConfig{Max: 1, Target: "eu", Delay: 100 * time.Millisecond, ExtraLoad: 1}
		p.Targets = []policy.Target{{Name: "eu", MaxInput: 1000}}
	})
	fits := policy.FitsOf(&p)
	unfit := policy.Misfits(fits, make([]policy.Machines, 1), policy.Size{Bytes: 4800}, func(policy.Match) bool { return false })
	want := []policy.Misfit{{}, {Input: 1200, Most: 1000}}
	if diff := cmp.Diff(want, unfit); diff != "" {
		t.Errorf("misfits (-want +got):\n%s", diff)
	}
	for bytes, want := range map[int]int{4: 1, 4800: 0} {
		m := []policy.Machines{{Hedger: policy.NewHedger(p.Hedge), Hedge: new(policy.Machines)}}
		c := policy.NewCall(&p, m, policy.Request{
			Worst: policy.Canned,
			Unfit: policy.Misfits(fits, m, policy.Size{Bytes: bytes}, func(policy.Match) bool { return false }),
		}, func() float64 { return 0 })
		armed := 0
		for _, a := range c.Step(time.Now(), policy.Event{What: policy.CallStarted}, nil) {
			if a.Do == policy.SetTimer && a.Timer == policy.HedgeTimer {
				armed++
			}
		}
		if armed != want {
			t.Errorf("%d bytes: %d hedges were armed, want %d", bytes, armed, want)
		}
	}
}
