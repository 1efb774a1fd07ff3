package annot

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// TestCheck refuses values, each alone. A case names the annotation, and the code with a part of what and fix.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, code, what, fix string }{
		{"retry: {attempts: 0}", "RG2006", `"retry.attempts" must be a whole number from 1`, "attempts: 1"},
		{"retry: {attempts: 1.5}", "RG2006", `not "1.5"`, "attempts: 1"},
		{"retry: {attempts: 99999999999999999999}", "RG2006", "must be a whole number", ""},
		{`retry: {attempts: "3"}`, "RG2002", "must be a whole number, not a string", "attempts: 1"},
		{"retry: {on: []}", "RG2006", "is an empty list", "remove the key"},
		{"retry: {on: [tiemout]}", "RG2010", `unknown kind "tiemout"`, `did you mean "timeout"?`},
		{"retry: {on: [3]}", "RG2002", "must be a kind", ""},
		{"retry: {on: {}}", "RG2002", "must be a list of kinds", "on: [throttle]"},
		{"retry: {backoff: {jitter: ful}}", "RG2010", `unknown value of "retry.backoff.jitter" "ful"`, `did you mean "full"?`},
		{"retry: {backoff: {multiplier: 0.5}}", "RG2006", "must be a number from 1", ""},
		{"retry: {backoff: {base: 100}}", "RG2004", `"retry.backoff.base" is a bare number`, "base: 100s` or `base: 100ms"},
		{"retry: {backoff: {base: 0s}}", "RG2003", "must be more than nothing", ""},
		{"bulkhead: {max-wait: -1s}", "RG2003", "must not be negative", ""},
		{"bulkhead: {per: user}", "RG2010", `unknown value of "bulkhead.per" "user"`, "tenant"},
		{"bulkhead: {adaptive: 1}", "RG2002", "must be a boolean", "adaptive: true"},
		{"budget: {ratio: 20}", "RG2006", "must be a share from 0 to 1", "ratio: 20%"},
		{"budget: {ratio: lots}", "RG2006", "must be a share", "ratio: 50%"},
		{"budget: {ratio: [1]}", "RG2002", "must be a share, not a list", ""},
		{"breaker: {mode: true}", "RG2002", "must be one of on, shadow", ""},
		{"idempotency: yes", "RG2010", "unknown value of", "safe, idempotent, keyed, none"},
		{"{idempotent: true, idempotency: safe}", "RG2008", "are both written", ""},
		{"key: {in: query}", "RG2010", `unknown value of "key.in"`, "header"},
		{"key: {name: 'Idempotency Key'}", "RG2006", "is no name of a header", ""},
		{"key: {name: K, source: uuidv7, param: p}", "RG2008", `"param" has no effect: the key comes from "uuidv7"`, "write `source: param`"},
		{"key: {name: K, param: p, func: f}", "RG2008", `"param" has no effect: the key comes from "func"`, ""},
		{"stream: {when: {pointer: /stream}}", "RG2007", `"stream.when" has no "equals"`, "equals: true"},
		{"stream: {when: {pointer: stream, equals: true}}", "RG2006", "is no JSON pointer", ""},
		{"stream: {when: {pointer: /stream, equals: [1]}}", "RG2002", "a boolean, a number or a text", ""},
		{"stream: {preamble: {}}", "RG2006", `"stream.preamble[0]" names no place in an item`, "{/type: [response.created]}"},
		{"stream: {failed: failed}", "RG2002", `"stream.failed" must be rules on items`, ""},
		{"stream: {done: {type: end}}", "RG2006", `is no JSON pointer to a member: "type"`, ""},
		{"stream: {incomplete: [{/a: {b: c}}]}", "RG2002", `must be a value or a list of values`, ""},
		{"stream: {error: [{/a: []}]}", "RG2002", `must be a value or a list of values`, ""},
		{"stream: {error: {pointr: /a}}", "RG2001", `unknown key "pointr"`, "pointer"},
		{"errors: opneai", "RG2010", "unknown value of", `did you mean "openai"?`},
		{"errors: {timeout: [{equals: a}]}", "RG2007", `has no "status"`, ""},
		{"errors: {timeout: [{status: 500, equals: a}]}", "RG2007", `has no "pointer"`, ""},
		{"errors: {timeout: [99]}", "RG2006", `"99" is no status code`, ""},
		{"errors: {timeout: [101]}", "RG2006", `"101" is no final status`, "write a code such as 503"},
		{"errors: {timeout: [200]}", "RG2007", `"errors.timeout[0]" has no "pointer"`, "{status: 200, pointer: /error}"},
		{"errors: {timeout: [{status: 204, pointer: /error}]}", "RG2006", "an answer of status 204 has no body", "`status: 200`"},
		{"errors: {timeout: [2xx]}", "RG2002", `"errors.timeout[0]" must be a status code, an object or a Go name`, "write `503`"},
		{"tokens: {max: /" + strings.Repeat("x", 1024) + "}", "RG2006", "must be a JSON pointer of at most 1024 bytes", ""},
		{"errors: {timeout: [{status: 204}]}", "RG2007", `"errors.timeout[0]" has no "pointer"`, "{status: 200, pointer: /error}"},
		{"errors: {shed: [500]}", "RG2001", `unknown key "shed" in "errors"`, ""},
		{"fallback: []", "RG2006", "must have from 1 to 1000 items", "fallback: null"},
		{"fallback: {refuse: ''}", "RG2006", "must be a text of 1 to", ""},
		{"fallback: {}", "RG2007", `has no "refuse"`, ""},
		{"fallback: [{name: a b, static: c}]", "RG2006", "is no name", ""},
		{"fallback: [{name: a}]", "RG2007", "does not say by what means it answers", "target, patch, static, operation, func, cache"},
		{"fallback: [{name: a, static: b}, {name: a, func: c}]", "RG2008", `two rungs have the name "a"`, ""},
		{"fallback: [{name: a, static: '#/components/schemas/A'}]", "RG2006", "is neither a reference to a component example", ""},
		{"fallback: [{name: a, operation: ' '}]", "RG2006", "must be a text of 1 to", ""},
		{"fallback: [{name: a, operation: b, static: c}]", "RG2008", "has more than one sort: static, operation", ""},
		{"fallback: [{name: a, cache: true}]", "RG2002", "must be an empty object", "cache: {}"},
		{"fallback: [{name: a, cache: {ttl: 3s}}]", "RG2001", `unknown key "ttl" in "fallback[0].cache"`, "cache: {}"},
		{"fallback: [{name: a, cache: {}, when: [canceled]}]", "RG2006", `the kind "canceled" cannot stand in`, ""},
		{"fallback: [{name: a, func: b, when: [caller]}]", "RG2006", `the kind "caller" cannot stand in`, "remove it"},
		{"fallback: [{name: a, cache: {}, func: b}]", "RG2008", "has more than one sort: func, cache", ""},
		{"fallback: [{name: a, static: b, when: [canceled]}]", "RG2006", `the kind "canceled" cannot stand in`, ""},
		{"fallback: [{name: a, func: b, when: [deadline]}]", "RG3110", `"deadline" never leads to the rung "a"`, ""},
		{"fallback: [{name: a, target: b, when: [shed]}]", "RG3110", `"shed" never leads to the rung "a"`, ""},
		{"fallback: [{name: a, patch: [{op: move, path: /a}]}]", "RG2010", `"move"`, "replace, add, remove"},
		{"fallback: [{name: a, patch: [{op: add, path: /a}]}]", "RG2007", `has no "value"`, "op: add, path: /a, value: ..."},
		{"fallback: [{name: a, patch: [{op: remove, path: /a, value: 1}]}]", "RG2008", `"remove" takes no value`, ""},
		{"fallback: [{name: a, patch: [{path: /a}]}]", "RG2007", `has no "op"`, ""},
		{"fallback: [{name: a, patch: [{op: remove, path: ''}]}]", "RG2006", "is no JSON pointer", ""},
		{"timeout: {total: 3s}", "RG2002", `"timeout" must be a name, not an object`, "timeout: fast"},
		{"targets: {a: {}}", "RG2009", `"targets" cannot stand in an operation's annotations`, "top of the document"},
		{"[retry]", "RG2002", "an annotation must be an object of annotations, not a list", ""},
		{"limit: {requests: 500}", "RG2006", "is an amount without a span of time", "requests: 500/1m` or `requests: 500/1s`"},
		{"limit: {requests: 500 per minute}", "RG2006", `"limit.requests" is no rate: "500 per minute"`, "requests: 500/1m"},
		{"limit: {requests: 20 per second}", "RG2006", "is no rate", "requests: 20/1s"},
		{"limit: {requests: 9000/day}", "RG2006", "is no rate", "requests: 9000/24h"},
		{"limit: {requests: 0/1m}", "RG2006", "is no rate", "requests: 500/1m"},
		{"limit: {requests: 5/0s}", "RG2006", "is no rate", "requests: 5/1s"},
		{"limit: {requests: 60/1d}", "RG2006", "is no rate", "requests: 60/24h"},
		{"limit: {requests: 60/2 weeks}", "RG2006", "is no rate", "requests: 60/336h"},
		{"limit: {requests: 3/month}", "RG2006", "is no rate", "requests: 3/720h"},
		{"limit: {requests: 500/30sec}", "RG2006", "is no rate", "requests: 500/30s"},
		{"limit: {requests: 500/30min}", "RG2006", "is no rate", "requests: 500/30m"},
		{"limit: {requests: 20rps}", "RG2006", "is no rate", "requests: 20/1s"},
		{"limit: {requests: '9,000 per hour'}", "RG2006", "is no rate", "requests: 9000/1h"},
		{"limit: {requests: 1e308/1ns}", "RG2006", "is no rate", "requests: 500/1m"},
		{"limit: {requests: 0.5 / 1h}", "RG2006", "is no rate", "requests: 0.5/1h"},
		{"limit: {requests: -5}", "RG2006", "is an amount without a span of time", "requests: 500/1m` or `requests: 500/1s"},
		{"limit: true", "RG2002", "must be an object", "write `limit: {requests: 500/1m}`"},
		{"limit: {requests: 5/1s, burst: 2000000}", "RG2006", "from 1 to 1000000", "burst: 1000000"},
		{"hedge: {max: 9}", "RG2006", "from 1 to 3", "max: 3"},
		{"hedge: {delay: -5}", "RG2004", "is a bare number", "delay: 30s` or `delay: 30ms"},
		{"hedge: {extra-load: 0x1p-2}", "RG2006", "must be a share", "extra-load: 50%"},
		{"hedge: {extra-load: +5%}", "RG2006", "must be a share", ""},
		{"hedge: {extra-load: .nan}", "RG2006", "must be a share", ""},
		{"cache: {ttl: 0}", "RG2004", "is a bare number", "write `ttl: 0s`"},
		{"cache: {key: [model]}", "RG2006", `"cache.key[0]" is no JSON pointer to a member: "model"`, "write `/model`"},
		{"cache: {vectors: on}", "RG2001", "unknown key", "remove it; the keys here are key, ttl, stale-if-error"},
		{"cache: {ttl: 87600h0m1s}", "RG2003", `"cache.ttl" must be at most 87600h, which is ten years, not "87600h0m1s"`, "write `ttl: 87600h`"},
		{"hedge: {delay: 2562047h}", "RG2003", "must be at most 87600h", "write `delay: 87600h`"},
		{"limit: {requests: 5/87601h}", "RG2006", "is no rate", ""},
		{"bulkhead: {per: customer}", "RG2010", "unknown value of", "write `per: tenant`"},
		{"cache: 10m", "RG2002", "must be an object", "write `cache: {ttl: 10m}`"},
		{"cache: {key: /model}", "RG2002", "must be a list of JSON pointers", "write `key: [/model]`"},
		{"cache: {key: model}", "RG2002", "must be a list of JSON pointers", "write `key: [/model, /input]`"},
		{"exercise: {rungs: us}", "RG2002", "must be a list of names of rungs", "write `rungs: [us]`"},
		{"cache: {key: [3]}", "RG2002", `"cache.key[0]" must be a JSON pointer`, "write `/model`"},
		{"cache: {key: [/a, /b, /a]}", "RG2008", `"/a" stands in "cache.key" twice`, "name another one"},
		{"exercise: {rungs: [eu, eu]}", "RG2008", `"eu" stands in "exercise.rungs" twice`, ""},
		{"tokens: {usage: {input: usage.input}}", "RG2006", "is no JSON pointer", "write `input: /usage/input`"},
		{"tokens: {usage: {input: $.usage.input}}", "RG2006", "is no JSON pointer", "write `input: /usage/input`"},
		{"tokens: {usage: {input: '#/usage/input'}}", "RG2006", "is no JSON pointer", "write `input: /usage/input`"},
		{"tokens: {max: a~b c}", "RG2006", "is no JSON pointer", "write `max: /max_tokens`"},
		{"limit: {requests: -5/1m}", "RG2006", "is no rate", "requests: 500/1m"},
		{"limit: {requests: NaN/1m}", "RG2006", "is no rate", ""},
		{"limit: {requests: 1e3/1m}", "RG2006", "is no rate", ""},
		{"limit: {requests: 99999999999999/1m}", "RG2006", "is no rate", "requests: 500/1m"},
		{"limit: {requests: .5/1m}", "RG2006", "is no rate", ""},
		{"limit: {requests: 5/+1m}", "RG2006", "is no rate", "requests: 5/1m"},
		{"limit: {requests: 5/1m/1h}", "RG2006", "is no rate", ""},
		{"limit: {requests: 5/99999999999h}", "RG2006", "is no rate", ""},
		{"limit: {requests: 5/}", "RG2006", "is no rate", ""},
		{"limit: {requests: [5]}", "RG2002", "must be a rate, not a list", "500/1m"},
		{"limit: {cost: 5.00}", "RG2006", `"limit.cost" is an amount without a span of time`, ""},
		{"limit: {shared: all of us}", "RG2006", `"limit.shared"`, "shared: "},
		{"limit: {headers: x}", "RG2010", `unknown value of "limit.headers" "x"`, "none, x-ratelimit, draft"},
		{"limit: {burst: 0}", "RG2006", "must be a whole number from 1", ""},
		{"hedge: {delay: 150}", "RG2004", `"hedge.delay" is a bare number`, "delay: 150s` or `delay: 150ms"},
		{"hedge: {delay: never}", "RG2003", `"hedge.delay" is no duration: "never"`, ""},
		{"hedge: {delay: 0s}", "RG2003", "must be more than nothing", ""},
		{"hedge: {max: 4}", "RG2006", "must be a whole number from 1 to 3", ""},
		{"hedge: {extra-load: 5}", "RG2006", "must be a share", "extra-load: 5%"},
		{"hedge: true", "RG2002", "must be an object", "hedge: {delay: auto, max: 1, extra-load: 5%}"},
		{"shed: {factor: 0.5}", "RG2006", "must be a number from 1", ""},
		{"cache: {key: model}", "RG2002", "must be a list of JSON pointers", "key: [/model, /input]"},
		{"cache: {key: [model]}", "RG2006", "is no JSON pointer", ""},
		{"cache: {ttl: -1s}", "RG2003", "must not be negative", ""},
		{"cache: {semantic: true}", "RG2002", "must be an object", ""},
		{"cache: {semantic: {threshold: 0}}", "RG2006", "must be a similarity above 0 and at most 1", "threshold: 0.93"},
		{"cache: {semantic: {threshold: 93%}}", "RG2002", "must be a number", "threshold: 0.93"},
		{"cache: {semantic: {turn: messages}}", "RG2006", "is no JSON pointer", ""},
		{"cache: {accepts: 3}", "RG2002", "must be a list of names", "accepts: [customer-text]"},
		{"exercise: {mode: shadwo}", "RG2010", `unknown value of "exercise.mode" "shadwo"`, `did you mean "shadow"?`},
		{"exercise: {rungs: eu}", "RG2002", "must be a list of names of rungs", "rungs: [eu]"},
		{"exercise: {share: 2}", "RG2006", "must be a share", "share: 2%"},
		{"tokens: {max: max_tokens}", "RG2006", "is no JSON pointer", ""},
		{"tokens: {usage: {inptu: /a}}", "RG2001", `unknown key "inptu" in "tokens.usage"`, `did you mean "input"?`},
		{"tokens: {counts: {input: some}}", "RG2010", `unknown value of "tokens.counts.input" "some"`, "all, uncached"},
		{"tokens: {counts: {separate: maybe}}", "RG2002", "must be a boolean", "separate: true"},
		{"criticality: high", "RG2010", `unknown value of "criticality" "high"`, "critical, normal, sheddable"},
		{"errors: {caller: [{is: ErrGone, as: '*Gone'}]}", "RG2008", `"is" and "as" stand in one rule`, "two rules"},
		{"errors: {caller: [{is: 'Err Gone'}]}", "RG2006", `is no Go name: "Err Gone"`, "ErrBusy"},
		{"errors: {caller: [{is: ErrGone}], transient: [{is: ErrGone}]}", "RG2008", "the same rule stands under", "remove one"},
		{"errors: {is: {callr: [ErrGone]}}", "RG2001", `unknown key "callr" in "errors.is"`, `did you mean "caller"?`},
		{"errors: {func: 3}", "RG2002", "must be the name of a Go function", "isTransient"},
		{"errors: opena", "RG2010", `unknown value of "errors" "opena"`, `did you mean "openai"?`},
		{"abandon: yes please", "RG2002", `"abandon" must be a boolean`, ""},
		{"data: [a b]", "RG2006", `is no name: "a b"`, ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			var list diag.List
			v := parse(t, c.text)
			out, ok := CheckOperation(v, &list)
			wantOne(t, &list, ok, c.code, c.what, c.fix)
			_ = Decode(&out) // what is left can be decoded
		})
	}
}

// TestCheckShared does the same for what stands at the top.
func TestCheckShared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, code, what, fix string }{
		{"version: 1.0", "RG2011", "version", "version: 1"},
		{"targets: {a: {base-url: ftp://x}}", "RG2006", "must be an absolute http or https URL", ""},
		{"targets: {a: {base-url: 'https://u:p@example.com'}}", "RG2006", "neither a user nor a fragment", ""},
		{"targets: {a: {price: {input: -1}}}", "RG2006", "must be a number from 0", ""},
		{"targets: {a: {price: 3}}", "RG2002", "must be an object", ""},
		{"targets: {'a b': {}}", "RG2006", `"a b" is no name`, "begin with a letter"},
		{"policies: {recommended: {}}", "RG2006", `the name "recommended" is built in`, ""},
		{"policies: {a: {idempotency: safe}}", "RG2009", `"idempotency" cannot stand in a named policy`, "to the operation, or to `defaults`"},
		{"timeout-classes: {a: {totl: 3s}}", "RG2001", `unknown key "totl" in "timeout-classes.a"`, `did you mean "total"?`},
		{"timeout-classes: {a: {min-rate: 5}}", "RG2002", `"timeout-classes.a.min-rate" must be a rate over a time`, "5/s over 10s"},
		{"timeout-classes: {a: {min-rate: 5/s}}", "RG2006", `is no rate over a time: "5/s"`, "200B/s over 10s"},
		{"timeout-classes: {a: {min-rate: 0/s over 1s}}", "RG2006", `is no rate over a time`, ""},
		{"timeout-classes: {a: {min-rate: {rate: 5/s over 10s, enforce: 1}}}", "RG2002", "must be a boolean", ""},
		{"timeout-classes: [a]", "RG2002", "must be timeout classes by name, not a list", ""},
		{"rules: [{set: {retry: null}}]", "RG2007", `"rules[0]" has no "match"`, ""},
		{"rules: [{match: {}, set: {retry: null}}]", "RG2007", `has no "match"`, ""},
		{"rules: [{match: null, set: {retry: null}}]", "RG2007", `has no "match"`, ""},
		{"rules: [{match: {tag: null}, set: {retry: null}}]", "RG2007", `has no "match"`, ""},
		{"rules: [{match: {tag: a}}]", "RG2007", `has no "set"`, ""},
		{"rules: [{match: {tga: a}, set: {retry: null}}]", "RG2001", `unknown key "tga"`, `did you mean "tag"?`},
		{"rules: [{match: {tag: 3}, set: {retry: null}}]", "RG2002", "must be a text or a list of texts", ""},
		{"rules: [{match: {tag: a}, set: {hedgeable: true}}]", "RG2009", `"hedgeable" cannot stand in set`, "move it to `facts`"},
		{"rules: [{match: {tag: a}, facts: {retry: {attempts: 2}}}]", "RG2009", `"retry" cannot stand in facts`, "move it to `set`"},
		{"timeout: fast", "RG2009", `"timeout" cannot stand in a policy file`, "defaults: {timeout: ...}"},
		{"defauts: {}", "RG2001", `unknown key "defauts"`, `did you mean "defaults"?`},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			var list diag.List
			_, ok := CheckPolicyFile(parse(t, c.text), &list)
			wantOne(t, &list, ok, c.code, c.what, c.fix)
		})
	}
	var list diag.List
	_, ok := CheckDocument(parse(t, "rules: []"), &list)
	wantOne(t, &list, ok, "RG2009", `"rules" cannot stand in a document's annotations`, "policy file")
}

func wantOne(t *testing.T, list *diag.List, ok bool, code, what, fix string) {
	t.Helper()
	ds := list.Sorted()
	if len(ds) != 1 || ok {
		t.Fatalf("ok = %v, said %q, want one diagnostic", ok, whats(list))
	}
	d := ds[0]
	if string(d.Code) != code || !strings.Contains(d.What, what) || !strings.Contains(d.Fix, fix) || d.Why == "" || d.Fix == "" {
		t.Errorf("said %s: %s\nfix: %s\nwant %s: %s\nfix: %s", d.Code, d.What, d.Fix, code, what, fix)
	}
	if !d.Span.IsValid() {
		t.Errorf("%q has no position", d.What)
	}
}

// TestNothingIsSaid accepts annotations that are there and say nothing, as where all lines below a key are commented out.
func TestNothingIsSaid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"null", "{}"} {
		var list diag.List
		v := parse(t, text)
		out, ok := CheckOperation(v, &list)
		_, okDoc := CheckDocument(v, &list)
		_, okFile := CheckPolicyFile(v, &list)
		if !ok || !okDoc || !okFile || len(list.Sorted()) > 0 || out.Kind != source.Map {
			t.Errorf("%s: %v, kind %v, said %q", text, ok, out.Kind, whats(&list))
		}
	}
	var list diag.List
	doc, ok := CheckPolicyFile(parse(t, "{defaults: null, targets: null, timeout-classes: {a: null}, policies: {}, rules: null, version: null}"), &list)
	if !ok || len(doc.Rules) > 0 {
		t.Errorf("null at the top is refused: %q", whats(&list))
	}
}

// TestDecodeKey reads a key that several layers had a part in: their order in the object says nothing.
func TestDecodeKey(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]policy.Key{
		"{source: func, param: p, func: f}":    {Source: policy.KeyFunc, From: "f"},
		"{param: p, func: f, source: param}":   {Source: policy.KeyParam, From: "p"},
		"{param: p, source: uuidv7}":           {},
		"{param: p}":                           {Source: policy.KeyParam, From: "p"},
		"{name: K, source: param}":             {Header: "K", Source: policy.KeyParam},
		"{name: K, param: null, source: null}": {Header: "K"},
	} {
		s := Decode(parse(t, "key: "+text))
		if diff := cmp.Diff(want, s.Plan.Key); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestDecodeRung writes out what a rung leaves out.
func TestDecodeRung(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]policy.Rung{
		"{name: a, target: b, when: [timeout, timeout]}": {
			Name: "a", Sort: policy.RungTarget, Target: "b", Level: policy.Alternate, When: []policy.Kind{policy.KindTimeout},
		},
		"{name: a, func: b, when: refused, level: equal}": {
			Name: "a", Sort: policy.RungFunc, Func: "b", Level: policy.Equal, When: []policy.Kind{policy.KindRefused},
		},
		"{name: a, cache: {}, when: [deadline, shed]}": {
			Name: "a", Sort: policy.RungCache, Level: policy.Stale, When: []policy.Kind{policy.KindDeadline, policy.KindShed},
		},
		"{name: a, static: b, when: [deadline], reserve: 2s}": {
			Name: "a", Sort: policy.RungStatic, Func: "b", Level: policy.Canned, When: []policy.Kind{policy.KindDeadline}, Reserve: 2e9,
		},
	} {
		s := decode(t, "fallback: ["+text+"]")
		if diff := cmp.Diff([]policy.Rung{want}, s.Plan.Fallback.Rungs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestDecodeLoad reads every form of rates, delays and tokens.
func TestDecodeLoad(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]policy.Plan{
		"limit: {requests: 500/1m, input-tokens: 1.5/250ms, output-tokens: 7/1h30m, per: tenant, headers: draft, replicas: 3}": {
			Limit: policy.LimitConfig{
				Requests: policy.Rate{Amount: 500, Per: 60e9}, InputTokens: policy.Rate{Amount: 1.5, Per: 250e6},
				OutputTokens: policy.Rate{Amount: 7, Per: 5400e9}, Per: policy.PerTenant, Headers: policy.LimitHeadersDraft, Replicas: 3,
			},
		},
		"limit: {requests: 60/s, tokens: 30000/m, burst: 5, headers: none}": {
			Limit: policy.LimitConfig{Requests: policy.Rate{Amount: 60, Per: 1e9}, Tokens: policy.Rate{Amount: 30000, Per: 60e9}, Burst: 5},
		},
		"hedge: {delay: auto, max: 2}":                      {Hedge: policy.HedgeConfig{Max: 2}},
		"hedge: {delay: 150ms, target: b, extra-load: 0.1}": {Hedge: policy.HedgeConfig{Delay: 150e6, Target: "b", ExtraLoad: 0.1}},
		"shed: {factor: 1.5, window: 1m, max-reject: 50%}":  {Shed: policy.ShedConfig{Factor: 1.5, Window: 60e9, MaxReject: 0.5}},
		"cache: {}": {Cache: policy.CacheConfig{On: true}},
		"cache: {key: [/a, /b/c], ttl: 0s, stale-if-error: 2h}": {
			Cache: policy.CacheConfig{On: true, Key: []string{"/a", "/b/c"}, StaleIfError: 7200e9},
		},
		"cache: null": {},
		"exercise: {share: 2%, mode: serve, max-per-minute: 3, rungs: [a, b]}": {
			Exercise: policy.ExerciseConfig{Share: 0.02, Mode: policy.ExerciseServe, MaxPerMinute: 3, Rungs: []string{"a", "b"}},
		},
		"tokens: {max: /m, usage: {input: /i, cached: /c, cache-write: /w, output: /o, reasoning: /r}}": {
			Tokens: policy.Tokens{Max: "/m", Input: "/i", Cached: "/c", CacheWrite: "/w", Output: "/o", Reasoning: "/r"},
		},
		"criticality: critical":                   {Criticality: policy.Critical},
		"bulkhead: {adaptive: true, per: tenant}": {Bulkhead: policy.BulkheadConfig{Adaptive: true, Per: policy.PerTenant}},
	} {
		s := decode(t, text)
		if diff := cmp.Diff(want, s.Plan); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestAny is every kind that leads to a rung of that sort, and what is named beside it.
func TestAny(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]policy.Kind{
		"{name: a, target: b}": {
			policy.KindThrottle, policy.KindTransient, policy.KindTimeout, policy.KindConnect, policy.KindReset, policy.KindDecode,
			policy.KindUnusable, policy.KindBreakerOpen, policy.KindBulkheadFull, policy.KindRateLimited, policy.KindBudget, policy.KindUnfit,
			policy.KindPermanent,
		},
		"{name: a, static: b, when: [any, refused]}": {
			policy.KindThrottle, policy.KindTransient, policy.KindTimeout, policy.KindConnect, policy.KindReset, policy.KindDecode,
			policy.KindUnusable, policy.KindRefused, policy.KindBreakerOpen, policy.KindBulkheadFull, policy.KindRateLimited, policy.KindShed,
			policy.KindBudget, policy.KindUnfit, policy.KindDeadline, policy.KindPermanent,
		},
		"{name: a, cache: {}}": {
			policy.KindThrottle, policy.KindTransient, policy.KindTimeout, policy.KindConnect, policy.KindReset, policy.KindDecode,
			policy.KindUnusable, policy.KindBreakerOpen, policy.KindBulkheadFull, policy.KindRateLimited, policy.KindShed, policy.KindBudget,
			policy.KindUnfit, policy.KindDeadline, policy.KindPermanent,
		},
	} {
		s := decode(t, "fallback: ["+text+"]")
		if diff := cmp.Diff(want, s.Plan.Fallback.Rungs[0].When); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestErrorRules puts rules on the body first, whatever kind they are of.
func TestErrorRules(t *testing.T) {
	t.Parallel()
	s := decode(t, "errors: {throttle: [529, {status: 429, pointer: /a}], unusable: [{pointer: /error/code, equals: quota}], transient: [{pointer: /b}]}")
	want := []policy.ErrorRule{
		{Kind: policy.KindUnusable, Pointer: "/error/code", Equals: "quota"},
		{Kind: policy.KindThrottle, Status: 429, Pointer: "/a"},
		{Kind: policy.KindTransient, Pointer: "/b"},
		{Kind: policy.KindThrottle, Status: 529},
	}
	if diff := cmp.Diff(want, s.Plan.Errors.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"a", "a", true},
		{"a", "ab", false},
		{"a*", "a", true},
		{"a*", "a/b", false},
		{"a**", "a/b", true},
		{"/*/b", "/a/b", true},
		{"/*/b", "/a/a/b", false},
		{"/**/b", "/a/a/b", true},
		{"a?c", "abc", true},
		{"a?c", "a/c", false},
		{"*", "", true},
		{"[a]", "a", false},
		{"/users/{id}", "/users/{id}", true},
		{strings.Repeat("**a", 40), strings.Repeat("a", 80) + "b", false}, // ends though it cannot match
	} {
		if got := Glob(c.pattern, c.text); got != c.want {
			t.Errorf("Glob(%q, %q) = %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
}

// TestRecommendedIsWhatTheRuntimeSays holds the built-in policy to the runtime's own, through the annotations.
func TestRecommendedIsWhatTheRuntimeSays(t *testing.T) {
	t.Parallel()
	for _, generates := range []bool{false, true} {
		v := Recommended(generates)
		s := Decode(&v)
		if diff := cmp.Diff(policy.Recommended(generates), s.Plan); diff != "" {
			t.Errorf("Recommended(%v) (-runtime +annotations):\n%s", generates, diff)
		}
		class := BuiltInTimeout(generates)
		if diff := cmp.Diff(policy.BuiltIn(generates), DecodeTimeout(&class)); diff != "" {
			t.Errorf("BuiltIn(%v) (-runtime +annotations):\n%s", generates, diff)
		}
	}
}

// FuzzDecodeAnnotations decodes whatever is right of a text, prints it and decodes it again: the two agree, and nothing is refused
// in what was printed.
func FuzzDecodeAnnotations(f *testing.F) {
	for _, e := range Entries() {
		f.Add(e.Example)
	}
	f.Add("fallback: [{name: a, target: b, when: any, level: equal}]\nkey: {source: param, param: p}\nerrors: openai\nretry: null")
	f.Add("{stream: {when: {pointer: /a, equals: 1e3}}, budget: {ratio: 7%}, breaker: {failure-rate: 0.07, slow-call: 1h0m0.5s}}")
	f.Fuzz(func(t *testing.T, input string) {
		v, err := source.Read("fuzz.yaml", []byte(input))
		if err != nil {
			return
		}
		var list diag.List
		out, ok := CheckOperation(v, &list)
		if ok == list.HasErrors() {
			t.Fatalf("ok = %v, and said %q", ok, whats(&list))
		}
		CheckDocument(v, &list)
		CheckPolicyFile(v, &list)
		if !ok {
			_ = Decode(&out)
			return
		}
		agree(t, Decode(&out))
	})
}

func agree(t *testing.T, first Settings) {
	t.Helper()
	printed, _ := source.JSON(new(first.Print()))
	v, err := source.Read("printed.json", printed)
	if err != nil {
		t.Fatalf("printed what cannot be read: %v\n%s", err, printed)
	}
	var list diag.List
	out, ok := CheckOperation(v, &list)
	if !ok {
		t.Fatalf("printed what is refused: %q\n%s", whats(&list), printed)
	}
	second := Decode(&out)
	if diff := cmp.Diff(first, second, ignorePositions); diff != "" {
		t.Errorf("printed as\n%s\nwhich reads differently (-first +second):\n%s", printed, diff)
	}
}
