package annot_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// directive is a directive as a loader makes it, of one line "KEY ARG...".
func directive(line string) source.Directive {
	words := strings.Fields(line)
	d := source.Directive{Name: words[0], Pos: source.Pos{File: "a.go", Line: 1, Column: 1}}
	for _, w := range words[1:] {
		a := source.Arg{Text: w, Pos: d.Pos}
		if key, text, ok := strings.Cut(w, "="); ok {
			a = source.Arg{Key: key, KeyPos: d.Pos, Text: text, Pos: d.Pos}
		}
		if text, ok := strings.CutSuffix(strings.TrimPrefix(a.Text, "'"), "'"); ok {
			a.Text, a.Quoted = text, true
		}
		d.Args = append(d.Args, a)
	}
	return d
}

// TestDirectivesMeanTheSameAsYAML reads each directive and the YAML beside it, and gets the same annotations.
func TestDirectivesMeanTheSameAsYAML(t *testing.T) {
	t.Parallel()
	tests := []struct{ lines, yaml string }{
		{"safe", "idempotency: safe"},
		{"keyed; key source=param param=id", "idempotency: keyed\nkey: {source: param, param: id}"},
		{"timeout point", "timeout: point"},
		{"hedgeable false", "hedgeable: false"},
		{"abandon", "abandon: true"},
		{"budget", "budget: {}"},
		{"hedge null", "hedge: null"},
		{"retry attempts=3 backoff.base=50ms on=throttle,transient", "retry: {attempts: 3, backoff: {base: 50ms}, on: [throttle, transient]}"},
		{"budget ratio=20% min-per-second=1", "budget: {ratio: 20%, min-per-second: 1}"},
		{"hedge delay=auto extra-load=0.05", "hedge: {delay: auto, extra-load: 0.05}"},
		{"limit requests=500/1m", "limit: {requests: 500/1m}"},
		{"errors openai", "errors: openai"},
		{"errors transient=499,ErrBusy caller=404", "errors: {transient: [499, ErrBusy], caller: [404]}"},
		{"errors transient.is=A,B throttle.status=429 throttle.pointer=/e", "errors: {transient: [{is: A}, {is: B}], throttle: [{status: 429, pointer: /e}]}"},
		{
			"fallback name=eu target=b when=any; fallback name=old cache= when=timeout,any",
			"fallback: [{name: eu, target: b, when: [any]}, {name: old, cache: {}, when: [timeout, any]}]",
		},
		{"fallback refuse='never'", "fallback: {refuse: never}"},
		{"fallback null", "fallback: null"},
		{"data customer-text", "data: [customer-text]"},
		{"fallback name=old func=old accepts=a,b", "fallback: [{name: old, func: old, accepts: [a, b]}]"},
		{"nothing.known x=1", "nothing.known: {x: 1}"},
	}
	for _, test := range tests {
		var ds []source.Directive
		for line := range strings.SplitSeq(test.lines, "; ") {
			ds = append(ds, directive(line))
		}
		var list diag.List
		got, _ := annot.Directives(ds, &list)
		if found := list.Sorted(); len(found) > 0 {
			t.Errorf("%s: %v", test.lines, found)
		}
		want, err := source.Read("a.yaml", []byte(test.yaml))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(test.lines, "nothing") { // what nobody knows has no types
			continue
		}
		if diff := cmp.Diff(annot.Flow(want), annot.Flow(&got)); diff != "" {
			t.Errorf("%s (-YAML +directives):\n%s", test.lines, diff)
		}
	}
}

// TestDirectivesLoseNothing has a key come twice in forms that do not go together: only one of the two could hold.
func TestDirectivesLoseNothing(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"errors transient=null transient.is=A", "errors transient='A' transient.is=B", "retry backoff=null backoff.base=1s", "retry attempts=2 attempts=3",
		"errors throttle.status=429 throttle=A",
	} {
		var list diag.List
		annot.Directives([]source.Directive{directive(line)}, &list)
		if found := list.Sorted(); len(found) != 1 || found[0].Code != diag.ConflictingKeys {
			t.Errorf("%s: %v", line, found)
		}
	}
}

// TestDirectiveForm spells the fixes of annotations as directives.
func TestDirectiveForm(t *testing.T) {
	t.Parallel()
	for fix, want := range map[string]string{
		"write `hedge: null`":                                   "write `//resgen:hedge null`",
		"add `idempotency: safe`, or":                           "add `//resgen:safe`, or",
		"write `total: 2s` or `attempt: 600ms`":                 "write `total=2s` or `attempt=600ms`",
		"limit it to `on: [throttle, connect]`":                 "limit it to `on=throttle,connect`",
		"add `key: {in: header, name: Idempotency-Key}`":        "add `//resgen:key in=header name=Idempotency-Key`",
		"write `fallback: {refuse: \"so it is\"}`":              "write `//resgen:fallback refuse=\"so it is\"`",
		"did you mean \"retry\"?":                               "did you mean \"retry\"?",
		"write `//resgen:skip` above the method":                "write `//resgen:skip` above the method",
		"add `name: Idempotency-Key` to `key`":                  "add `name=Idempotency-Key` to `key`",
		"write `errors: {transient: [{is: A}]}`, and `a: b: c`": "write `errors: {transient: [{is: A}]}`, and `a: b: c`",
	} {
		if got := annot.DirectiveForm(fix); got != want {
			t.Errorf("%s\n got %s\nwant %s", fix, got, want)
		}
	}
}

// TestMistypedDirectives suggests what directives may be beside annotations; what is near an annotation stays an unknown key.
func TestMistypedDirectives(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"saef": `did you mean "safe"?`, "keyedd": `did you mean "keyed"?`, "classs point total=2s": `did you mean "class"?`, "skp": `did you mean "skip"?`,
		"timout point": "", "retries attempts=3": "",
	} {
		var list diag.List
		annot.Directives([]source.Directive{directive(line)}, &list)
		got := ""
		for _, d := range list.Sorted() {
			got += d.Fix
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
