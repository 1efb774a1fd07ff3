package status_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/status"
)

// hostile is a name as only an attacker has one: markup, a change of direction, a control character, no UTF-8.
const hostile = "<script>alert(1)</script>\"' onload=x &amp; \u202e\x00\xff {{.Nonce}}"

// TestHostileNames shows names from everywhere, of which none becomes markup or changes how the page reads.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Title, w.Instance = hostile, hostile
	o := w.Observer()
	for what := runtime.CallStart; what.String() != "unknown event"; what++ {
		o.Observe(t.Context(), runtime.Event{
			What: what, Time: time.Now(), Client: hostile, Operation: hostile, Target: hostile, Rung: 1, RungName: hostile, Level: policy.Canned, From: hostile, To: hostile,
		})
	}
	o.Observe(t.Context(), runtime.Event{What: runtime.AttemptEnd, Time: time.Now(), Operation: hostile, Target: hostile, Kind: policy.KindReset})
	o.Observe(t.Context(), runtime.Event{What: runtime.Rejected, Time: time.Now(), Client: hostile, Target: hostile, Kind: policy.KindReset})
	if _, err := runtime.NewOperation(w.group, hostile, policy.Plan{
		Operation: hostile, Idempotency: policy.Safe, Timeout: policy.Timeout{Attempt: time.Second, Total: time.Second},
		Breaker: policy.Recommended(false).Breaker,
	}, runtime.Wiring{}); err != nil {
		t.Fatal(err)
	}
	page := get(w.Page(), "/status").Body.String()
	for _, bad := range []string{"<script>alert", "onload=x\"", "\u202e", "\x00", "\xff"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("%d scripts, want the page's own", n)
	}
	if !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Error("the names are not shown")
	}
	answer := get(w.JSON(), "/").Body.String()
	for _, bad := range []string{"\u202e", `\u202e`, `\u0000`, "<script>"} {
		if strings.Contains(answer, bad) {
			t.Errorf("the JSON has %q", bad)
		}
	}
}

// TestSecretsAreNotShown puts secrets wherever an event has texts.
func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const secret = "s3cr3t"
	w.Title = "https://user:" + secret + "@host/?api_key=" + secret
	for what := runtime.CallStart; what.String() != "unknown event"; what++ {
		e := runtime.Event{
			What: what, Time: time.Now(), Client: "llm", Operation: "llm.get", Target: "https://h/?key=" + secret, Kind: policy.KindReset,
			Served: secret, Asked: secret, Advice: secret, Err: errors.New(secret),
		}
		w.Observer().Observe(t.Context(), e)
	}
	for _, path := range []string{"/status", "/status.json"} {
		if body := get(w.Mux(), path).Body.String(); strings.Contains(body, secret) {
			t.Errorf("%s has a secret:\n%s", path, body)
		}
	}
}

// TestPageAsksForNothing holds the page to what it is: one document, with a policy that keeps it so, fresh each time.
func TestPageAsksForNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	answer := get(w.Page(), "/anywhere")
	page, policy := answer.Body.String(), answer.Header().Get("Content-Security-Policy")
	nonces := regexp.MustCompile(`nonce="([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(nonces) != 2 || strings.Count(policy, "'nonce-"+nonces[0][1]+"'") != 2 || nonces[0][1] != nonces[1][1] {
		t.Errorf("nonces %v, policy %s", nonces, policy)
	}
	if !strings.HasPrefix(policy, "default-src 'none';") || answer.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", answer.Header())
	}
	if other := get(w.Page(), "/").Header().Get("Content-Security-Policy"); other == policy {
		t.Error("two answers have one nonce")
	}
	if found := regexp.MustCompile(`(?:https?:)?//[a-z]|@import|url\(|\sstyle=|\son[a-z]+=`).FindString(page); found != "" {
		t.Errorf("the page has %q", found)
	}
	if !strings.Contains(page, `<noscript><meta http-equiv="refresh"`) {
		t.Error("without scripts the page stays as it is")
	}
}

// TestScriptReadsWhatTheJSONHas holds each name that the script fills from to a name of the JSON.
func TestScriptReadsWhatTheJSONHas(t *testing.T) {
	t.Parallel()
	page := get(newWorld(t).Page(), "/").Body.String()
	lists := map[string]any{
		"problems": status.Problem{}, "recovered": status.Recovery{}, "targets": status.Target{}, "operations": status.Operation{},
		"failures": status.Failure{}, "events": status.Event{},
	}
	var report status.Report
	for name, item := range lists {
		_, rest, ok := strings.Cut(page, `data-list="`+name+`"`)
		_, rest, open := strings.Cut(rest, "<template>")
		blank, _, closed := strings.Cut(rest, "</template>")
		if !ok || !open || !closed {
			t.Fatalf("no list of %s", name)
		}
		checkNames(t, blank, item)
		page = strings.Replace(page, blank, "", 1)
	}
	checkNames(t, page, report)
}

// checkNames looks up the names that a part of the page is filled from.
func checkNames(t *testing.T, part string, value any) {
	t.Helper()
	names := regexp.MustCompile(`data-(?:text|state-of|when|unless|list)="([^"]+)"`).FindAllStringSubmatch(part, -1)
	if len(names) == 0 {
		t.Errorf("nothing is filled in %s", part)
	}
	for _, n := range names {
		at := reflect.TypeOf(value)
		for word := range strings.SplitSeq(n[1], ".") {
			field, ok := fieldOf(at, word)
			if !ok {
				t.Errorf("%T has no %s", value, n[1])
				break
			}
			at = field
		}
	}
}

// fieldOf returns the type of the field that JSON calls so.
func fieldOf(t reflect.Type, name string) (reflect.Type, bool) {
	for field := range t.Fields() {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			return field.Type, true
		}
	}
	return nil, false
}

// TestPageWhileCallsAreMade asks for everything at once while calls go on; the race detector listens.
func TestPageWhileCallsAreMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	op := w.operation("chat")
	w.down = answers(503)
	server := httptest.NewServer(w.Mux())
	defer server.Close()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { w.call(op, 200) })
		all.Go(func() {
			for _, path := range []string{"/", "/status", "/status.json", "/livez", "/readyz", "/deepz"} {
				r, err := http.Get(server.URL + path)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, r.Body); err != nil {
					t.Error(err)
				}
				r.Body.Close()
			}
		})
	}
	all.Wait()
	var r status.Report
	if err := json.Unmarshal(get(w.JSON(), "/").Body.Bytes(), &r); err != nil || r.State != status.Degraded {
		t.Errorf("state %q, %v", r.State, err)
	}
}
