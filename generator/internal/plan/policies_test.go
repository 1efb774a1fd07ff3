package plan

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/runtime/policy"
)

// head begins a document; x-resilience of its top may follow, then paths.
const head = "openapi: 3.1.0\ninfo: {title: T, version: 1.0.0}\nservers: [{url: 'https://api.example.com'}]\n"

const (
	wholeAnswer  = "      responses: {'200': {description: done, content: {application/json: {schema: {type: string}}}}}\n"
	streamAnswer = "      responses: {'200': {description: done, content: {text/event-stream: {schema: {type: string}}}}}\n"
)

// operation spells an operation with annotations in YAML's flow form, or none.
func operation(path, method, id, annotations, responses string) string {
	out := "  " + path + ":\n    " + method + ":\n      operationId: " + id + "\n"
	if annotations != "" {
		out += "      x-resilience: " + annotations + "\n"
	}
	return out + responses
}

// planned resolves a document and a policy file, and wants nothing said but warnings.
func planned(t *testing.T, doc, policyFile string) *Package {
	t.Helper()
	var list diag.List
	p := resolveText(t, file{"doc.yaml", doc}, file{"file.yaml", policyFile}, &list)
	if list.HasErrors() || p == nil {
		t.Fatalf("refused: %v\n%s\n%s", list.Sorted(), doc, policyFile)
	}
	return p
}

func methodOf(t *testing.T, p *Package, id string) *Operation {
	t.Helper()
	for i := range p.Client.Operations {
		if p.Client.Operations[i].Model.ID == id {
			return &p.Client.Operations[i]
		}
	}
	t.Fatalf("no operation %q", id)
	return nil
}

// why returns the provenance of an operation as "value (layer)" by path.
func why(op *Operation) map[string]string {
	out := map[string]string{}
	for _, w := range op.Why {
		out[w.Path] = w.Value + " (" + w.Layer + ")"
	}
	return out
}

// TestLayers lays annotations over each other; each case names some leaves of the result. "-" is a leaf that must not be there.
func TestLayers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// top is the document's own x-resilience, path that of the path item, own that of the operation, file the policy file.
		top, path, own, file string
		method, responses    string
		want                 map[string]string
	}{
		{
			name: "built-in",
			want: map[string]string{
				"idempotency": "safe (built-in)", "hedgeable": "true (built-in)", "timeout.total": "1m (built-in)",
				"timeout.attempt": "1m (built-in)", "timeout.connect": "5s (built-in)", "retry.attempts": "-", "breaker.mode": "-",
				"timeout.idle": "-",
			},
		},
		{
			name: "built-in stream", method: "post", responses: streamAnswer,
			want: map[string]string{
				"idempotency": "none (built-in)", "hedgeable": "false (built-in)", "timeout.first-byte": "15s (built-in)",
				"timeout.first-item": "30s (built-in)", "timeout.idle": "30s (built-in)", "timeout.item-gap": "1m (built-in)",
				"timeout.max-stream": "10m (built-in)",
			},
		},
		{name: "PUT is idempotent", method: "put", want: map[string]string{"idempotency": "idempotent (built-in)", "hedgeable": "false (built-in)"}},
		{name: "file defaults", file: "{defaults: {retry: {attempts: 4}}}", want: map[string]string{"retry.attempts": "4 (policy-file defaults)"}},
		{
			name: "document over file defaults", file: "{defaults: {retry: {attempts: 4}}}", top: "{defaults: {retry: {attempts: 5}}}",
			want: map[string]string{"retry.attempts": "5 (document defaults)"},
		},
		{
			name: "path over document", top: "{defaults: {retry: {attempts: 5}}}", path: "{retry: {attempts: 6}}",
			want: map[string]string{"retry.attempts": "6 (path)"},
		},
		{
			name: "operation over path", path: "{retry: {attempts: 6}}", own: "{retry: {attempts: 7}}",
			want: map[string]string{"retry.attempts": "7 (operation)"},
		},
		{
			name: "rules over operation, later ones win", own: "{retry: {attempts: 7}}",
			file: "{rules: [{match: {method: GET}, set: {retry: {attempts: 8}}}, {match: {path: '/**'}, set: {retry: {attempts: 9}}}]}",
			want: map[string]string{"retry.attempts": "9 (rule 2)"},
		},
		{
			name: "maps merge by key", top: "{defaults: {retry: {attempts: 5, backoff: {base: 1s}}}}", own: "{retry: {backoff: {max: 3s}}}",
			want: map[string]string{
				"retry.attempts": "5 (document defaults)", "retry.backoff.base": "1s (document defaults)", "retry.backoff.max": "3s (operation)",
				"retry.backoff.multiplier": "2 (recommended)",
			},
		},
		{
			name: "lists replace", top: "{defaults: {retry: {attempts: 2, on: [throttle, connect]}}}", own: "{retry: {on: [timeout]}}",
			want: map[string]string{"retry.on": "[timeout] (operation)"},
		},
		{
			name: "null removes a policy", top: "{defaults: {use: recommended}}", own: "{retry: null}",
			want: map[string]string{"retry.attempts": "-", "retry.backoff.base": "-", "breaker.mode": "on (recommended)"},
		},
		{
			name: "null removes a key for good", own: "{breaker: {consecutive: null, min-calls: 10}}",
			want: map[string]string{"breaker.consecutive": "-", "breaker.min-calls": "10 (operation)", "breaker.probes": "3 (recommended)"},
		},
		{
			name: "what null removed can be written again", top: "{defaults: {retry: {attempts: 5, backoff: {base: 1s}}}}", path: "{retry: null}",
			own:  "{retry: {attempts: 2}}",
			want: map[string]string{"retry.attempts": "2 (operation)", "retry.backoff.base": "100ms (recommended)"},
		},
		{
			name: "use ranks just below its own layer", top: "{policies: {p: {retry: {attempts: 3, backoff: {base: 10ms}}}}}",
			path: "{retry: {attempts: 6, backoff: {multiplier: 3}}}", own: "{use: p, retry: {backoff: {base: 20ms}}}",
			want: map[string]string{
				"retry.attempts": "3 (policy p)", "retry.backoff.base": "20ms (operation)", "retry.backoff.multiplier": "3 (path)",
			},
		},
		{
			name: "the highest use counts", top: "{policies: {p: {retry: {attempts: 3}}, q: {retry: {backoff: {base: 10ms}}}}, defaults: {use: p}}",
			own:  "{use: q}",
			want: map[string]string{"retry.attempts": "3 (recommended)", "retry.backoff.base": "10ms (policy q)"},
		},
		{
			name: "use null", top: "{defaults: {use: recommended}}", own: "{use: null}",
			want: map[string]string{"retry.attempts": "-", "breaker.mode": "-"},
		},
		{
			name: "a named policy uses another", top: "{policies: {p: {use: recommended, retry: {attempts: 4}}}}", own: "{use: p}",
			want: map[string]string{"retry.attempts": "4 (policy p)", "bulkhead.max-queue": "64 (recommended)", "breaker.mode": "on (recommended)"},
		},
		{
			name: "policies that are not written stay off", own: "{retry: {attempts: 2}}",
			want: map[string]string{"retry.backoff.base": "100ms (recommended)", "budget.ratio": "-", "breaker.mode": "-", "bulkhead.max-wait": "-"},
		},
		{
			name: "what generates is retried less", own: "{use: recommended}", responses: streamAnswer,
			want: map[string]string{
				"retry.attempts": "2 (recommended)", "retry.backoff.base": "500ms (recommended)", "budget.ratio": "10% (recommended)",
				"retry.respect-retry-after.max": "1m (recommended)",
			},
		},
		{
			name: "what has tokens is retried less", own: "{use: recommended, tokens: {usage: {output: /usage/out}}}",
			responses: strings.Replace(wholeAnswer, "{type: string}", "{}", 1),
			want:      map[string]string{"retry.attempts": "2 (recommended)", "tokens.usage.output": "/usage/out (operation)"},
		},
		{
			name: "tokens that null removed are none", path: "{tokens: {usage: {output: /usage/out}}}", own: "{use: recommended, tokens: null}",
			want: map[string]string{"retry.attempts": "3 (recommended)", "tokens.usage.output": "-"},
		},
		{
			name: "a hedge in part", own: "{hedge: {delay: 200ms}}",
			want: map[string]string{
				"hedge.delay": "200ms (operation)", "hedge.max": "1 (recommended)", "hedge.extra-load": "5% (recommended)", "hedge.target": "-",
			},
		},
		{
			name: "a hedge of which only that it is was written", top: "{defaults: {hedge: {}}}", own: "{hedge: {max: 2}}",
			want: map[string]string{"hedge.delay": "auto (recommended)", "hedge.max": "2 (operation)"},
		},
		{
			name: "shedding and an exercise in part", own: "{criticality: sheddable, shed: {factor: 3}, exercise: {}, fallback: [{name: f, func: f}]}",
			want: map[string]string{
				"criticality": "sheddable (operation)", "shed.factor": "3 (operation)", "shed.window": "2m (recommended)",
				"shed.max-reject": "90% (recommended)", "shed.min-per-second": "5 (recommended)",
				"exercise.share": "1% (recommended)", "exercise.mode": "shadow (recommended)", "exercise.max-per-minute": "-",
			},
		},
		{
			name: "limits and caches have nothing to fill in", top: "{defaults: {limit: {requests: 60/s}}}",
			own: "{limit: {burst: 5, per: tenant}, cache: {ttl: 10m}}",
			want: map[string]string{
				"limit.requests": "60/s (document defaults)", "limit.burst": "5 (operation)", "limit.per": "tenant (operation)", "limit.headers": "-",
				"cache.ttl": "10m (operation)", "cache.stale-if-error": "-",
			},
		},
		{
			name: "recommended turns none of them on", own: "{use: recommended}",
			want: map[string]string{
				"hedge.max": "-", "shed.factor": "-", "exercise.share": "-", "limit.requests": "-", "cache.ttl": "-", "bulkhead.adaptive": "-",
			},
		},
		{
			name: "a breaker's mode and an adaptive bulkhead", own: "{breaker: {mode: forced-closed}, bulkhead: {adaptive: true, per: tenant}}",
			want: map[string]string{
				"breaker.mode": "forced-closed (operation)", "bulkhead.adaptive": "true (operation)", "bulkhead.per": "tenant (operation)",
				"bulkhead.max-concurrent": "64 (recommended)",
			},
		},
		{
			name: "what is filled in yields to what is written", own: "{retry: {backoff: {base: 5s}}, breaker: {window: {calls: 10}, open-for: 20s}}",
			want: map[string]string{
				"retry.backoff.max": "5s (recommended)", "breaker.min-calls": "10 (recommended)", "breaker.open-max": "20s (recommended)",
			},
		},
		{
			name: "the attempt is divided out of the total", top: "{timeout-classes: {fast: {total: 10s}}, targets: {b: {}}}",
			own: "{timeout: fast, retry: {attempts: 3}, fallback: [{name: b, target: b}, {name: c, static: c}]}",
			want: map[string]string{
				"timeout": "fast (operation)", "timeout.total": "10s (class fast)", "timeout.attempt": "2.5s (built-in)",
				"timeout.connect": "2.5s (built-in)",
			},
		},
		{
			name: "but is a second at least", top: "{timeout-classes: {fast: {total: 2s}}}", own: "{timeout: fast, retry: {attempts: 4}}",
			want: map[string]string{"timeout.attempt": "1s (built-in)"},
		},
		{
			name: "without retry or rungs it is the total", top: "{timeout-classes: {slow: {total: 90s}}}", own: "{timeout: slow}",
			want: map[string]string{"timeout.attempt": "1m30s (built-in)", "timeout.connect": "5s (built-in)"},
		},
		{
			name: "built-in stream timers make room", top: "{timeout-classes: {s: {total: 9s, max-stream: 20s}}}", own: "{timeout: s}", responses: streamAnswer,
			want: map[string]string{
				"timeout.first-item": "9s (built-in)", "timeout.first-byte": "9s (built-in)", "timeout.idle": "10s (built-in)", "timeout.item-gap": "10s (built-in)",
			},
		},
		{
			name: "null removes a bound", top: "{timeout-classes: {s: {total: 9s, idle: null}}}", own: "{timeout: s}", responses: streamAnswer,
			want: map[string]string{"timeout.idle": "-", "timeout.item-gap": "1m (built-in)"},
		},
		{
			name: "retry.on is what idempotency allows", own: "{retry: {attempts: 2}}", method: "post",
			want: map[string]string{"retry.on": "[throttle, connect] (built-in)"},
		},
		{
			name: "the document's class wins over the file's, key by key", file: "{timeout-classes: {fast: {total: 9s, connect: 1s}}}",
			top: "{timeout-classes: {fast: {total: 3s}}, defaults: {timeout: fast}}",
			want: map[string]string{
				"timeout.total": "3s (class fast)", "timeout.connect": "1s (class fast)", "timeout": "fast (document defaults)",
			},
		},
		{name: "short form of idempotency", own: "{idempotent: true}", method: "post", want: map[string]string{"idempotency": "idempotent (operation)"}},
		{
			name: "short and long forms merge", top: "{defaults: {errors: openai}}", own: "{errors: {transient: [499]}}",
			want: map[string]string{"errors.preset": "openai (document defaults)", "errors.transient": "[{status: 499}] (operation)"},
		},
		{
			name: "a preset fills in what a stream's errors are", own: "{errors: openai}", responses: streamAnswer,
			want: map[string]string{"stream.error.pointer": "/error (preset openai)", "stream.error.event": "error (preset openai)"},
		},
		{
			name: "the author's word on a stream's errors counts", own: "{errors: openai, stream: {error: {pointer: /fault}}}", responses: streamAnswer,
			want: map[string]string{"stream.error.pointer": "/fault (operation)", "stream.error.event": "-"},
		},
		{
			name: "a stream in defaults makes nothing stream", top: "{defaults: {stream: {format: sse, done: '[DONE]'}}}",
			want: map[string]string{"stream.format": "-", "stream.done": "-"},
		},
		{
			name: "an annotation makes an operation stream", own: "{stream: {done: end}}",
			want: map[string]string{"stream.done": "end (operation)", "timeout.idle": "30s (built-in)"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := head
			if c.top != "" {
				doc += "x-resilience: " + c.top + "\n"
			}
			if c.method == "" {
				c.method = "get"
			}
			if c.responses == "" {
				c.responses = wholeAnswer
			}
			op := operation("/a", c.method, "getA", c.own, c.responses)
			if c.path != "" {
				op = strings.Replace(op, "  /a:\n", "  /a:\n    x-resilience: "+c.path+"\n", 1)
			}
			got := why(methodOf(t, planned(t, doc+"paths:\n"+op, c.file), "getA"))
			for path, want := range c.want {
				text, has := got[path]
				if !has {
					text = "-"
				}
				if text != want {
					t.Errorf("%s = %s, want %s", path, text, want)
				}
			}
		})
	}
}

// TestProvenancePositions names the line and column that set a value.
func TestProvenancePositions(t *testing.T) {
	t.Parallel()
	doc := head + "x-resilience:\n  timeout-classes: {fast: {total: 3s}}\n  defaults: {timeout: fast}\npaths:\n" +
		operation("/a", "get", "getA", "{retry: {attempts: 2}}", wholeAnswer)
	got := map[string]string{}
	for _, w := range methodOf(t, planned(t, doc, ""), "getA").Why {
		if w.Pos.IsValid() {
			got[w.Path] = w.Pos.String()
		}
	}
	want := map[string]string{
		"timeout.total": "doc.yaml:5:35", "timeout": "doc.yaml:6:23", "retry.attempts": "doc.yaml:11:40",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
}

// TestRulesMatch holds keys to be ANDed, lists ORed, and patterns of paths and ids to be whole.
func TestRulesMatch(t *testing.T) {
	t.Parallel()
	doc := head + "paths:\n" +
		operation("/users/{id}", "get", "getUser", "", "      tags: [admin, users]\n"+wholeAnswer) +
		operation("/users", "post", "createUser", "", "      tags: [users]\n"+wholeAnswer) +
		operation("/chat/completions", "post", "createChat", "", wholeAnswer)
	for match, want := range map[string]string{
		"{operation-id: getUser}":                        "getUser",
		"{operation-id: [getUser, createChat]}":          "getUser createChat",
		"{operation-id: create*}":                        "createUser createChat",
		"{tag: users}":                                   "getUser createUser",
		"{tag: users, method: POST}":                     "createUser",
		"{tag: [admin, other]}":                          "getUser",
		"{path: /users}":                                 "createUser",
		"{path: '/users/*'}":                             "getUser",
		"{path: '/*'}":                                   "createUser",
		"{path: '/**'}":                                  "getUser createUser createChat",
		"{path: '/chat/complet?ons', method: post}":      "createChat",
		"{operation-id: createChat, go: Model.Complete}": "createChat",
	} {
		t.Run(match, func(t *testing.T) {
			t.Parallel()
			p := planned(t, doc, "{rules: [{match: "+match+", set: {retry: {attempts: 2}}}, {match: {go: 'Model.*'}, set: {retry: {attempts: 9}}}]}")
			var got []string
			for i := range p.Client.Operations {
				if op := &p.Client.Operations[i]; op.Policy.Retry.Attempts == 2 {
					got = append(got, op.Model.ID)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("matched %q, want %q", got, want)
			}
		})
	}
}

// TestPartial forgives what nothing uses where operations were left out: it may be theirs.
func TestPartial(t *testing.T) {
	t.Parallel()
	doc := head + "x-resilience: {timeout-classes: {fast: {total: 1s}}}\npaths:\n" + operation("/a", "get", "getA", "", wholeAnswer)
	rules := "{rules: [{match: {operation-id: getB}, set: {retry: null}}]}"
	for _, partial := range []bool{false, true} {
		var list diag.List
		api := openapi.Load(t.Context(), openapi.Input{Tree: readTree(t, file{"doc.yaml", doc}), Source: "doc.yaml", Path: "doc.yaml"}, &list)
		Resolve(api, Layers{Package: "p", PolicyFile: readTree(t, file{"file.yaml", rules}), Partial: partial}, &list)
		var codes []diag.Code
		for _, d := range list.Sorted() {
			codes = append(codes, d.Code)
		}
		want := []diag.Code{diag.NothingUsesIt, diag.RuleMatchesNothing}
		if partial {
			want = nil
		}
		if diff := cmp.Diff(want, codes); diff != "" {
			t.Errorf("partial %v (-want +got):\n%s", partial, diff)
		}
	}
}

// TestTargets gives the client every target that is named, and the plan those that have policies or flags of their own.
func TestTargets(t *testing.T) {
	t.Parallel()
	doc := head + `x-resilience:
  targets:
    primary: {base-url: 'https://one.example.com', breaker: {open-for: 2s}}
    second: {base-url: 'https://two.example.com'}
    third: {internal: true, layered: true}
paths:
` + operation("/a", "get", "getA", "{fallback: [{name: b, target: second}, {name: c, target: third}]}", wholeAnswer)
	p := planned(t, doc, "")
	recommended := policy.Recommended(false).Breaker
	recommended.OpenFor = 2 * time.Second
	wantClient := []policy.Target{
		{Name: "primary", BaseURL: "https://one.example.com", Breaker: recommended},
		{Name: "second", BaseURL: "https://two.example.com"},
		{Name: "third", Internal: true, Layered: true},
	}
	if diff := cmp.Diff(wantClient, p.Client.Targets); diff != "" {
		t.Errorf("the client's targets (-want +got):\n%s", diff)
	}
	wantPlan := []policy.Target{{Name: "primary", Breaker: recommended}, {Name: "third", Internal: true, Layered: true}}
	if diff := cmp.Diff(wantPlan, methodOf(t, p, "getA").Policy.Targets); diff != "" {
		t.Errorf("the plan's targets (-want +got):\n%s", diff)
	}
	got := map[string]string{}
	for _, w := range methodOf(t, p, "getA").WhyTargets {
		got[w.Path] = w.Value + " (" + w.Layer + ")"
	}
	for path, want := range map[string]string{
		"targets.primary.breaker.open-for": "2s (target primary)", "targets.primary.breaker.probes": "3 (recommended)",
		"targets.primary.base-url": "", "targets.third.layered": "true (target third)", "targets.second.base-url": "",
	} {
		if got[path] != want {
			t.Errorf("%s is explained by %q, want %q", path, got[path], want)
		}
	}
}

// TestHedgeTarget gives the client and the plan the target that only copies go to.
func TestHedgeTarget(t *testing.T) {
	t.Parallel()
	doc := head + `x-resilience:
  targets:
    eu: {base-url: 'https://eu.example.com', limit: {requests: 60/s}}
paths:
` + operation("/a", "get", "getA", "{hedge: {target: eu}}", wholeAnswer)
	p := planned(t, doc, "")
	eu := policy.Target{Name: "eu", Limit: policy.LimitConfig{Requests: policy.Rate{Amount: 60, Per: time.Second}}}
	if diff := cmp.Diff([]policy.Target{eu}, methodOf(t, p, "getA").Policy.Targets); diff != "" {
		t.Errorf("the plan's targets (-want +got):\n%s", diff)
	}
	eu.BaseURL = "https://eu.example.com"
	if diff := cmp.Diff([]policy.Target{{Name: "primary"}, eu}, p.Client.Targets); diff != "" {
		t.Errorf("the client's targets (-want +got):\n%s", diff)
	}
}

// TestShowsRequest names the operations whose request the runtime looks into.
func TestShowsRequest(t *testing.T) {
	t.Parallel()
	doc := head + `x-resilience:
  targets: {eu: {limit: {tokens: 500/1m}}, us: {limit: {requests: 500/1m}}}
paths:
`
	answer := strings.Replace(wholeAnswer, "{type: string}", "{}", 1)
	want := map[string]bool{}
	for i, c := range []struct {
		own  string
		want bool
	}{
		{"{}", false},
		{"{limit: {requests: 5/s}}", false},
		{"{cache: {ttl: 5s}}", true},
		{"{limit: {output-tokens: 5/s}, tokens: {usage: {output: /out}}}", true},
		{"{fallback: [{name: eu, target: eu}], tokens: {usage: {output: /out}}}", true},
		{"{hedge: {target: eu}}", true},
		{"{fallback: [{name: us, target: us}]}", false},
	} {
		id := "op" + strconv.Itoa(i)
		want[id] = c.want
		doc += operation("/"+id, "get", id, c.own, answer)
	}
	p := planned(t, doc, "")
	for id, want := range want {
		if got := methodOf(t, p, id).ShowsRequest(); got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

// TestTwinHasTheWholeLadder: the cache, fixed and remembered rungs, and what exercises them, are the stream's too.
func TestTwinHasTheWholeLadder(t *testing.T) {
	t.Parallel()
	const answers = "      responses: {'200': {description: done, content: {application/json: {schema: {type: string}}, " +
		"text/event-stream: {schema: {type: string}}}}}\n"
	doc := head + "paths:\n" + operation("/a", "get", "getA", "{cache: {ttl: 0s, stale-if-error: 1h}, exercise: {rungs: [sorry, old]}"+
		", fallback: [{name: old, cache: {}}, {name: sorry, static: sorry}, {name: f, func: f}]}", answers)
	p := planned(t, doc, "")
	plain, twin := &p.Client.Operations[0].Policy, &p.Client.Operations[1].Policy
	for what, diff := range map[string]string{
		"cache": cmp.Diff(plain.Cache, twin.Cache), "rungs": cmp.Diff(plain.Fallback, twin.Fallback), "exercise": cmp.Diff(plain.Exercise, twin.Exercise),
	} {
		if diff != "" {
			t.Errorf("the twin's %s (-plain +twin):\n%s", what, diff)
		}
	}
	if problems := twin.Validate(); problems != nil || !twin.Cache.On {
		t.Errorf("%v, %+v", problems, twin.Cache)
	}
}

// TestTwin splits an operation that wholeAnswer at once or by a stream into two plans.
func TestTwin(t *testing.T) {
	t.Parallel()
	doc := head + "paths:\n" + operation("/a", "post", "createA",
		"{idempotency: safe, stream: {when: {pointer: /stream, equals: true}, done: end}, fallback: [{name: sorry, static: sorry}, {name: f, func: f}]}",
		"      requestBody: {content: {application/json: {schema: {type: object, properties: {stream: {type: boolean}}}}}}\n"+
			"      responses: {'200': {description: done, content: {application/json: {schema: {type: string}}, text/event-stream: {schema: {type: string}}}}}\n")
	p := planned(t, doc, "")
	if n := len(p.Client.Operations); n != 2 {
		t.Fatalf("%d methods, want 2", n)
	}
	plain, twin := &p.Client.Operations[0].Policy, &p.Client.Operations[1].Policy
	if !cmp.Equal(plain.Stream, policy.Stream{}) || plain.Timeout.Idle != 0 || len(plain.Fallback.Rungs) != 2 {
		t.Errorf("the plain plan has parts of a stream, or lacks a rung: %+v", plain)
	}
	if !cmp.Equal(twin.Stream, policy.Stream{Format: policy.SSE, Done: "end"}) || twin.Timeout.Idle != 30*time.Second {
		t.Errorf("the stream's plan lacks parts of a stream: %+v", twin)
	}
	if rungs := twin.Fallback.Rungs; len(rungs) != 2 {
		t.Errorf("the stream's rungs are %+v, want both", rungs)
	}
	if twin.Operation == plain.Operation {
		t.Errorf("both plans are called %q", plain.Operation)
	}
}
