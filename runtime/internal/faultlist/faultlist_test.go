package faultlist_test

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/providers"
	"github.com/resgen-go/resgen/testdata/providers/callers"
)

// usageOf is what the right answers of the shapes say that they used, and what their streams have said when they break.
var usageOf = map[string][2]policy.Usage{
	"chat":      {{Input: 12, Cached: 4, Output: 6, Reasoning: 2}, {}},
	"responses": {{Input: 12, Cached: 4, Output: 6, Reasoning: 2}, {}},
	"messages":  {{Input: 12, Cached: 4, CacheWrite: 3, Output: 6}, {Input: 12, Cached: 4, CacheWrite: 3, Output: 1}},
	"gemini":    {{Input: 12, Cached: 4, Output: 6}, {Input: 12, Cached: 4}},
	"cohere":    {{Input: 12, Cached: 4, Output: 6}, {}},
}

// cutBy is what the APIs say of an answer that reaches the most tokens that were asked for.
var cutBy = map[string]string{
	"chat": "length", "responses": "max_output_tokens", "messages": "max_tokens", "gemini": "MAX_TOKENS", "cohere": "MAX_TOKENS",
}

// TestTable holds every script to a cell, and every empty cell to a reason.
func TestTable(t *testing.T) {
	t.Parallel()
	cells, empty := 0, 0
	for _, shape := range providers.Shapes() {
		names, plain, stream, err := providers.Faults(shape)
		must(t, err)
		known := map[string]bool{}
		for _, r := range table() {
			if known[r.fault] {
				t.Errorf("%s has two rows", r.fault)
			}
			known[r.fault] = true
			for _, form := range []struct {
				stream bool
				played map[string]bool
			}{{false, plain}, {true, stream}} {
				w := r.of(shape, form.stream)
				if form.played[r.fault] != (w.why == "") {
					t.Errorf("%s %s, stream %v: a script: %v, but the table says %q", shape, r.fault, form.stream, form.played[r.fault], w.why)
				}
				if w.why == "" {
					cells++
				} else {
					empty++
				}
			}
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s: the script %q has no row", shape, name)
			}
		}
	}
	if all := len(providers.Shapes()) * len(table()) * 2; cells+empty != all || cells < leastCells {
		t.Errorf("%d cells and %d with a reason why not, of %d; want at least %d cells", cells, empty, all, leastCells)
	}
	fmt.Fprintf(os.Stdout, "fault list: %d shapes, %d faults, %d cells, %d that cannot be\n", len(providers.Shapes()), len(table()), cells, empty)
}

// leastCells only ever grows.
const leastCells = 351

// TestFaults plays every cell with a second target that is well, and with one that does what the primary does; and what is retried with a
// primary that does it once.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, shape := range providers.Shapes() {
		for _, r := range table() {
			for _, stream := range []bool{false, true} {
				w := r.of(shape, stream)
				if w.why != "" {
					continue
				}
				c := cell{shape: shape, fault: r.fault, stream: stream, want: w}
				t.Run(c.name(), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, c.oneIsWell)
				})
				if w.how == retried {
					t.Run(c.name()+"/once", func(t *testing.T) {
						t.Parallel()
						synctest.Test(t, c.onlyOnce)
					})
				}
				t.Run(c.name()+"/both", func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, c.noneIsWell)
				})
				if w.how == retried || w.how == next {
					t.Run(c.name()+"/nobody", func(t *testing.T) {
						t.Parallel()
						synctest.Test(t, c.nobodyAnswers)
					})
				}
			}
		}
	}
}

// cell is a fault of a shape.
type cell struct {
	shape, fault string
	stream       bool
	want         want
}

func (c *cell) name() string {
	if c.stream {
		return c.shape + "/" + c.fault + "/stream"
	}
	return c.shape + "/" + c.fault + "/plain"
}

// stage is a client and its two providers.
type stage struct {
	call          callers.Call
	group         *runtime.Group
	first, second *providers.Provider
}

// set makes a client whose primary target does the fault.
func (c *cell) set(t *testing.T, second string) *stage {
	t.Helper()
	s := &stage{group: runtime.NewGroup()}
	var err error
	s.first, err = providers.New(c.shape)
	must(t, err)
	s.second, err = providers.New(c.shape)
	must(t, err)
	s.first.Play(c.fault)
	s.second.Play(second)
	toFirst, stopFirst := providers.Serve(s.first)
	toSecond, stopSecond := providers.Serve(s.second)
	t.Cleanup(stopFirst)
	t.Cleanup(stopSecond)
	s.call, err = callers.New(c.shape,
		runtime.WithGroup(s.group), runtime.WithHTTPClient(toFirst), runtime.WithBaseURL("http://first.test"),
		runtime.WithTarget("second", runtime.WithHTTPClient(toSecond), runtime.WithBaseURL("http://second.test")),
	)
	must(t, err)
	return s
}

// primary returns what the machines of the primary target show that have seen calls of the form.
func (s *stage) primary(t *testing.T) runtime.Machines {
	t.Helper()
	var found runtime.Machines
	for _, m := range s.group.Snapshot() {
		if m.Target == policy.PrimaryTarget && (found.Target == "" || m.Breaker.Calls > found.Breaker.Calls || m.PausedUntil.After(found.PausedUntil)) {
			found = m
		}
	}
	if found.Target == "" {
		t.Fatal("no machines of the primary target")
	}
	return found
}

// oneIsWell makes a call while the second target is well.
func (c *cell) oneIsWell(t *testing.T) {
	s := c.set(t, providers.Right)
	var meta runtime.Meta
	o := s.call(runtime.Capture(t.Context(), &meta), "Hello?", c.stream)
	w := c.want

	asked, second := 1, 0
	if w.how == retried {
		asked = 2
	}
	rung, level, reason, text := "", policy.Equal, policy.KindNone, w.text
	if w.how == retried || w.how == next {
		second, rung, level, reason, text = 1, "second", policy.Alternate, w.kind, rightText
	}
	if got := [2]int{len(s.first.Requests()), len(s.second.Requests())}; got != [2]int{asked, second} {
		t.Errorf("requests: %v, want %v", got, [2]int{asked, second})
	}
	c.checkError(t, &o)
	c.checkItems(t, &o)
	if w.how != ends {
		got := callers.Outcome{Began: o.Began, Rung: o.Rung, Level: o.Level, Reason: o.Reason, Text: o.Text}
		want := callers.Outcome{Began: true, Rung: rung, Level: level, Reason: reason, Text: text}
		if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if w.how == broken && o.Partial != w.text {
		t.Errorf("Partial shows %q, want %q", o.Partial, w.text)
	}
	c.checkMeta(t, &meta, rung)
	c.checkMachines(t, s)
	c.checkWait(t, s)
}

// onlyOnce makes a call of which the primary fails the first attempt alone: the second answers, and nobody else is asked.
func (c *cell) onlyOnce(t *testing.T) {
	s := c.set(t, providers.Right)
	s.first.Play(c.fault, providers.Right)
	o := s.call(t.Context(), "Hello?", c.stream)
	if got := [2]int{len(s.first.Requests()), len(s.second.Requests())}; got != [2]int{2, 0} {
		t.Errorf("requests: %v, want two to the primary", got)
	}
	if o.Err != nil || o.Rung != "" || o.Reason != policy.KindNone || o.Text != rightText {
		t.Errorf("%q by %q after %v, %v; want %q by the primary", o.Text, o.Rung, o.Reason, o.Err, rightText)
	}
	c.checkItems(t, &o)
	m := s.primary(t)
	want := [2]int{c.want.evidence[0]/2 + 1, c.want.evidence[1] / 2}
	if got := [2]int{m.Breaker.Calls, m.Breaker.Failures}; got != want {
		t.Errorf("breaker: %v results and failures, want %v", got, want)
	}
}

// noneIsWell makes a call while both targets do the same. What leads on leads to the apology.
func (c *cell) noneIsWell(t *testing.T) {
	s := c.set(t, c.fault)
	o := s.call(t.Context(), "Hello?", c.stream)
	w := c.want
	asked, second := c.askedOfBoth()
	if got := [2]int{len(s.first.Requests()), len(s.second.Requests())}; got != [2]int{asked, second} {
		t.Errorf("requests: %v, want %v", got, [2]int{asked, second})
	}
	switch second {
	case 0:
		c.checkError(t, &o)
	default:
		got := callers.Outcome{Began: o.Began, Err: o.Err, Rung: o.Rung, Level: o.Level, Reason: o.Reason, Text: o.Text}
		want := callers.Outcome{Began: true, Rung: "apology", Level: policy.Canned, Reason: w.kind, Text: sorryText}
		if diff := cmp.Diff(want, got, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// nobodyAnswers makes the same call for a caller who wants no apology.
func (c *cell) nobodyAnswers(t *testing.T) {
	s := c.set(t, c.fault)
	o := s.call(runtime.WithMinLevel(t.Context(), policy.Stale), "Hello?", c.stream)
	c.checkBoth(t, s, o.Err)
}

// askedOfBoth is how often the targets are asked where both do the same.
func (c *cell) askedOfBoth() (first, second int) {
	switch c.want.how {
	case retried:
		return 2, 2
	case next:
		return 1, 1
	case answered, ends, broken:
	}
	return 1, 0
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
