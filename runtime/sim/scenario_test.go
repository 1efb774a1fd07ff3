package sim_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/sim"
	"github.com/resgen-go/resgen/runtime/sim/tracetest"
)

func TestScenariosHaveATextForm(t *testing.T) {
	t.Parallel()
	all := sim.Named()
	for _, s := range tracetest.Stories() {
		all = append(all, s.Scenario())
	}
	stopped := sim.SlowRecovery() // a factor of zero is one
	stopped.Servers[0].Faults[1].Factor = 0
	all = append(all, stopped)
	for _, s := range all {
		got, err := sim.Parse(s.String())
		if err != nil {
			t.Errorf("%s: %v\n%s", s.Name, err, s)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Errorf("%s is another one after its text form (-want +got):\n%s", s.Name, diff)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	_, err := sim.Parse(`
		# as a person writes it
		scenario mine length=1m
		client app rate=80/s poisson deadline=2s
		server primary capacity=100/s queue=500ms latency=20ms sigma=0.2 slow-share=5% slow-factor=20   # the tail
		busy primary status=429 retry-after=1s
		fault primary answer from=10s to=25s share=30% status=503 after=5ms
		fault primary slow from=10s factor=3
		script second hanging
		`)
	if err == nil || !strings.Contains(err.Error(), `line 9: there is no server "second" above`) {
		t.Errorf("%v, want the line of a server that is not there", err)
	}
	got, err := sim.Parse(`
		scenario mine length=1m
		client app rate=80/s poisson deadline=2s criticality=sheddable remembered=30%
		server primary capacity=100/s queue=500ms latency=20ms sigma=0.2 slow-share=5% slow-factor=20
		busy primary status=429 retry-after=1s
		fault primary answer from=10s to=25s share=30% status=503 after=5ms`)
	want := sim.Scenario{
		Name: "mine", Length: time.Minute,
		Clients: []sim.Client{{Name: "app", Rate: 80, Poisson: true, Deadline: 2 * time.Second, Criticality: policy.Sheddable, Remembered: 0.3}},
		Servers: []sim.Server{{
			Target: policy.PrimaryTarget, Capacity: 100, Queue: 500 * time.Millisecond,
			Busy:    sim.Answer{Status: 429, Pushback: true, RetryAfter: time.Second},
			Latency: sim.Latency{Median: 20 * time.Millisecond, Sigma: 0.2, SlowShare: 0.05, SlowFactor: 20},
			Faults: []sim.Fault{{
				From: 10 * time.Second, To: 25 * time.Second, Share: 0.3, Answer: sim.Answer{Status: 503, After: 5 * time.Millisecond},
			}},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	const head = "scenario a length=1s\nclient c rate=1\n"
	for text, want := range map[string]string{
		"":                                                     "a name is one word",
		"scenario a length=1s":                                 "nobody calls",
		"scenario a length=1s length=2s":                       "twice",
		head + "scenario b length=1s":                          "already",
		head + "scene b":                                       `"scene"`,
		head + "client":                                        "a name is missing",
		head + "client d rate=1 speed=2":                       `"speed"`,
		head + "client d rate=1 fast":                          `"fast"`,
		head + "client d rate=quick":                           "no number",
		head + "client d rate=1 deadline=2":                    "no duration",
		head + "client d rate=1 criticality=x":                 "no criticality",
		head + "client d rate=1 remembered=2":                  "share",
		head + "client d rate=-1":                              "rate",
		head + "client d":                                      "rate",
		head + "client d rate=NaN":                             "rate",
		head + "client d at=-1s":                               "below 0",
		head + "server p\nserver p":                            "two servers",
		head + "server p capacity=-1":                          "below 0",
		head + "server p slow-share=2":                         "share",
		head + "server p\nfault p flood":                       "none of",
		head + "server p\nfault p slow factor=1 share=2":       "share",
		head + "server p\nfault p slow factor=1 from=-1s":      "ends after it begins",
		head + "server p\nfault p slow factor=1 from=2s to=1s": "ends after it begins",
		head + "server p\nscript p status=20":                  "no status",
		head + "server p\nscript p after=-1s":                  "below 0",
		head + "server p\nbusy p after=-1s":                    "below 0",
		head + "server p\nfault p slow factor=-1":              "below 0",
		head + "server p\nfault p slow":                        "has a factor",
		head + "server p\nfault p tight to=1s":                 "has a factor",
		head + "server p\nfault p weak to=1s":                  "has a factor",
	} {
		if _, err := sim.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzParse holds Parse to its promise: what it reads has a text form that means the same, and can be played.
func FuzzParse(f *testing.F) {
	for _, s := range sim.Named() {
		f.Add(s.String())
	}
	f.Add("scenario x length=1s\nclient c at=1ms,2ms cancel=1ms\nserver primary\nscript primary broken\n# and\nscript primary stalls")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := sim.Parse(text)
		if err != nil {
			return
		}
		again, err := sim.Parse(s.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Errorf("it changes with its text form (-want +got):\n%s", diff)
		}
	})
}
