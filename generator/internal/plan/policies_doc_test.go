package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPolicySentences states each policy in a sentence of the method's comment, and its sources in a line of the literal's.
func TestPolicySentences(t *testing.T) {
	t.Parallel()
	doc := head + `x-resilience:
  timeout-classes: {fast: {total: 30s, attempt: 4s}}
  policies: {polite: {retry: {attempts: 3}, budget: {ratio: 10%}}}
  targets: {second: {}}
paths:
` + operation("/plain", "get", "plain", "", wholeAnswer) +
		operation("/keyed", "post", "keyed", "{use: polite, timeout: fast, idempotency: keyed, key: {name: Idempotency-Key}}", wholeAnswer) +
		operation("/refuse", "get", "refuse", `{fallback: {refuse: "not\nby another way."}}`, wholeAnswer) +
		operation("/once", "post", "once", "{timeout: fast, retry: {attempts: 3}}", wholeAnswer) +
		operation("/one", "get", "one", "{fallback: [{name: sorry, static: sorry}]}", wholeAnswer) +
		operation("/hedged", "get", "hedged", "{hedge: {delay: auto}, limit: {requests: 500/1m}, cache: {ttl: 10m}}", wholeAnswer) +
		operation("/copies", "get", "copies", "{hedge: {max: 2, delay: 80ms, target: second}, limit: {requests: 1/24h, per: tenant}}", wholeAnswer) +
		operation("/headers", "get", "headers", "{limit: {headers: draft, per: tenant}}", wholeAnswer) +
		operation("/tokens", "get", "tokens", "{limit: {requests: 2500/1m, tokens: 30000/1m, output-tokens: 1.5/10s}, "+
			"tokens: {usage: {input: /a, output: /b}}}", strings.Replace(wholeAnswer, "{type: string}", "{}", 1)) +
		operation("/shed", "get", "shed", "{shed: {factor: 2}, criticality: sheddable, exercise: {share: 0.25%}, fallback: [{name: old, cache: {}}, "+
			"{name: f, func: local}], cache: {ttl: 0s, stale-if-error: 2h}}", wholeAnswer) +
		operation("/two", "get", "two", "{timeout: fast, retry: {attempts: 2}, fallback: [{name: b, target: second}, {name: f, func: local}]}", wholeAnswer)
	p := planned(t, doc, "{rules: [{match: {operation-id: two}, set: {budget: {ratio: 5%}}}]}")
	for _, c := range []struct{ id, doc, source string }{
		{"plain", "GET /plain. Tried once within 1m.", ""},
		{
			"keyed", "POST /keyed. Tried up to 3 times with one idempotency key within 30s.",
			"doc.yaml: keyed.{idempotency,key,timeout}, policies.polite.{budget,retry}, timeout-classes.fast",
		},
		{"refuse", "GET /refuse. Tried once within 1m; never degrades: not by another way.", "doc.yaml: refuse.fallback"},
		{
			"once", "POST /once. Tried up to 3 times within 30s, again only where it was never executed.",
			"doc.yaml: once.{retry,timeout}, timeout-classes.fast",
		},
		{"one", `GET /one. Tried once within 1m; falls back to "sorry" (static).`, "doc.yaml: one.fallback"},
		{
			"two", `GET /two. Tried up to 2 times within 30s; falls back to "b" (target second) and "f" (func local).`,
			"doc.yaml: two.{fallback,retry,timeout}, timeout-classes.fast; file.yaml: rule 1.budget",
		},
		{
			"hedged", "GET /hedged. Tried once within 1m, hedged after the usual time; limited to 500 requests a minute; cached for 10m.",
			"doc.yaml: hedged.{cache,hedge,limit}",
		},
		{
			"copies", "GET /copies. Tried once within 1m, hedged up to 2 times on target second after 80ms; limited to 1 request a day for each tenant.",
			"doc.yaml: copies.{hedge,limit}",
		},
		{
			"tokens", "GET /tokens. Tried once within 1m; limited to 2,500 requests, 30,000 tokens a minute and 1.5 output tokens in 10s.",
			"doc.yaml: tokens.{limit,tokens}",
		},
		{"headers", "GET /headers. Tried once within 1m; limited as the answers say for each tenant.", "doc.yaml: headers.limit"},
		{
			"shed", `GET /shed. Tried once within 1m; shed first under load; falls back to "old" (cache) and "f" (func local), exercised by 0.25% of the calls.`,
			"doc.yaml: shed.{cache,criticality,exercise,fallback,shed}",
		},
	} {
		op := methodOf(t, p, c.id)
		if diff := cmp.Diff(c.doc, strings.Join(op.PolicyDoc, " ")); diff != "" {
			t.Errorf("%s: the sentence (-want +got):\n%s", c.id, diff)
		}
		if diff := cmp.Diff(c.source, op.Source); diff != "" {
			t.Errorf("%s: the sources (-want +got):\n%s", c.id, diff)
		}
	}
}

// TestLoosenedAndLeftOut says what an author vouches for, and which kinds are not retried and why.
func TestLoosenedAndLeftOut(t *testing.T) {
	t.Parallel()
	doc := head + "paths:\n" +
		operation("/a", "post", "loosened", "{idempotency: safe, retry: {attempts: 2, on: [connect, timeout, throttle, transient]}}", wholeAnswer) +
		operation("/b", "post", "none", "{retry: {attempts: 2}}", wholeAnswer) +
		operation("/c", "get", "tightened", "{idempotency: none}", wholeAnswer)
	p := planned(t, doc, "")
	loosened := methodOf(t, p, "loosened")
	if got, want := loosened.Loosened(), `POST is "none" by its method, and declared "safe" at doc.yaml:8:35`; got != want {
		t.Errorf("Loosened() = %q, want %q", got, want)
	}
	if got := methodOf(t, p, "tightened").Loosened(); got != "" {
		t.Errorf("a tightened operation is loosened: %q", got)
	}
	kinds := func(op *Operation) string {
		var out []string
		for _, l := range op.LeftOut() {
			if l.Why == "" {
				t.Errorf("%s is left out for no reason", l.Kind)
			}
			out = append(out, l.Kind.String())
		}
		return strings.Join(out, " ")
	}
	for id, want := range map[string]string{
		"loosened": "reset decode", "none": "transient timeout reset decode", "tightened": "",
	} {
		if got := kinds(methodOf(t, p, id)); got != want {
			t.Errorf("%s leaves out %q, want %q", id, got, want)
		}
	}
}
