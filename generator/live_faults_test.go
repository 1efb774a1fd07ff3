package generator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/providers"
	"github.com/resgen-go/resgen/testdata/providers/callers"
	llmchat "github.com/resgen-go/resgen/testdata/specs/llmchat/want"
)

// liveFault is what aimock does at the primary target, and what a call comes to.
type liveFault struct {
	name string
	// question is what a fixture answers; empty is "hello", which is answered well.
	question string
	// chaos is the header that has aimock fail.
	chaos string
	// requests are those at the primary and at the second target; kind is why the second was asked, or the error of a stream that broke.
	requests [2]int
	kind     policy.Kind
	text     string
	// cut says that a stream breaks after a part of the text; whole answers are not cut.
	cut bool
	// incomplete says that the answer is marked as not whole.
	incomplete bool
}

const liveText = "Hello from the mock model, at your service. It has a long answer."

func liveFaults() []liveFault {
	return []liveFault{
		{name: "right", requests: [2]int{1, 0}, text: liveText},
		{name: "dropped", chaos: "drop", requests: [2]int{2, 1}, kind: policy.KindTransient, text: liveText},
		{name: "malformed", chaos: "malformed", requests: [2]int{2, 1}, kind: policy.KindDecode, text: liveText},
		{name: "disconnected", chaos: "disconnect", requests: [2]int{2, 1}, kind: policy.KindReset, text: liveText},
		{name: "throttled", chaos: "ratelimit", requests: [2]int{2, 1}, kind: policy.KindThrottle, text: liveText},
		{name: "recovers", question: "recover", requests: [2]int{2, 0}, text: liveText},
		{name: "cut", question: "cut", requests: [2]int{1, 0}, kind: policy.KindReset, text: liveText, cut: true},
		{name: "tool", question: "tool", requests: [2]int{1, 0}, text: `weather{"city":"Bern"}`},
		{name: "incomplete", question: "long", requests: [2]int{1, 0}, text: "Hello from", incomplete: true},
	}
}

// liveFixtures are those answers. "recover" fails once for each call that asks so, by its own question.
func liveFixtures(t *testing.T) string {
	t.Helper()
	type object = map[string]any
	answer := func(question string, more object) object {
		f := object{"match": object{"userMessage": question}, "response": object{"content": liveText}, "chunkSize": 8}
		maps.Copy(f, more)
		return f
	}
	fixtures := []object{
		answer("hello", nil),
		answer("cut", object{"latency": 30, "truncateAfterChunks": 7}),
		answer("tool", object{"response": object{"toolCalls": []object{{"name": "weather", "arguments": `{"city":"Bern"}`}}}}),
		answer("long", object{"response": object{"content": "Hello from", "finishReason": "length"}}),
	}
	for _, shape := range providers.Shapes() {
		for _, form := range []string{"plain", "stream"} {
			question := "recover " + shape + " " + form
			fixtures = append(fixtures,
				answer("", object{
					"match":    object{"userMessage": question, "sequenceIndex": 0},
					"response": object{"status": http.StatusServiceUnavailable, "error": object{"message": "down", "type": "server_error"}},
				}),
				answer("", object{"match": object{"userMessage": question, "sequenceIndex": 1}}))
		}
	}
	text, err := json.Marshal(object{"fixtures": fixtures})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fixtures.json")
	writeFile(t, file, string(text))
	return file
}

// TestLiveFaults runs the clients of five wire shapes against aimock, which fails in its own ways at the primary target, and compares what
// calls come to, plain and as streams, with what aimock says it was asked. The list of all faults is in runtime/internal/faultlist.
func TestLiveFaults(t *testing.T) {
	requireLive(t)
	url := startAimock(t, npmInstall(t.Context(), t, "aimock", aimockManifest), liveFixtures(t))
	t.Run("calls", func(t *testing.T) {
		for _, shape := range providers.Shapes() {
			for _, f := range liveFaults() {
				for _, stream := range []bool{false, true} {
					t.Run(f.nameOf(shape, stream), func(t *testing.T) {
						t.Parallel()
						f.play(t, url, shape, stream)
					})
				}
			}
		}
		for _, f := range liveFaults() {
			if f.question == "" {
				t.Run("embeddings/"+f.name, func(t *testing.T) {
					t.Parallel()
					f.embed(t, url)
				})
			}
		}
	})
}

func (f *liveFault) nameOf(shape string, stream bool) string {
	if stream {
		return shape + "/" + f.name + "/stream"
	}
	return shape + "/" + f.name + "/plain"
}

// options sends both targets to aimock, under names that its journal tells apart, and the fault with what goes to the first.
func (f *liveFault) options(t *testing.T, url, call string) []runtime.ClientOption {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	sign := func(target, chaos string) runtime.Option {
		return runtime.WithRequestEditor(func(r *http.Request) error {
			r.Header.Set("X-Call", call+" "+target)
			if chaos != "" {
				r.Header.Set("X-Aimock-Chaos-"+chaos, "1")
			}
			return nil
		})
	}
	return []runtime.ClientOption{
		runtime.WithHTTPClient(client), runtime.WithBaseURL(url), sign("first", f.chaos),
		runtime.WithTarget("second", runtime.WithHTTPClient(client), runtime.WithBaseURL(url), sign("second", "")),
	}
}

// asked returns how often aimock was asked by a call, at the first and at the second target.
func asked(t *testing.T, url, call string) [2]int {
	t.Helper()
	seen := count(journal(t, url), func(r request) string { return r.Headers["x-call"] })
	return [2]int{seen[call+" first"], seen[call+" second"]}
}

// play makes a call.
func (f *liveFault) play(t *testing.T, url, shape string, stream bool) {
	t.Helper()
	base := map[string]string{"gemini": url + "/v1beta", "cohere": url}[shape]
	if base == "" {
		base = url + "/v1"
	}
	name := f.nameOf(shape, stream)
	call, err := callers.New(shape, f.options(t, base, name)...)
	if err != nil {
		t.Fatal(err)
	}
	question := f.question
	switch question {
	case "":
		question = "hello"
	case "recover":
		question = fmt.Sprintf("recover %s %s", shape, map[bool]string{false: "plain", true: "stream"}[stream])
	}
	var meta runtime.Meta
	got := call(runtime.Capture(t.Context(), &meta), question, stream)
	want := callers.Outcome{Began: true, Text: f.text}
	if stream {
		want.Partial = f.text
	}
	if f.requests[1] > 0 {
		want.Rung, want.Level, want.Reason = "second", policy.Alternate, f.kind
	}
	if f.cut && stream {
		checkCut(t, &got, f)
	} else if diff := cmp.Diff(want, got, cmpopts.EquateErrors(), cmpopts.IgnoreFields(want, "Items")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if meta.Incomplete != f.incomplete {
		t.Errorf("Meta.Incomplete %v %q, want %v", meta.Incomplete, meta.IncompleteReason, f.incomplete)
	}
	if got := asked(t, url, name); got != f.requests {
		t.Errorf("aimock was asked %v times, want %v", got, f.requests)
	}
}

// checkCut checks a stream that broke after a part of its text.
func checkCut(t *testing.T, got *callers.Outcome, f *liveFault) {
	t.Helper()
	typed, ok := errors.AsType[*runtime.Error](got.Err)
	if !ok || typed.Kind != f.kind {
		t.Errorf("error %v, want kind %v", got.Err, f.kind)
	}
	if n := len(got.Partial); n == 0 || n >= len(f.text) || got.Partial != f.text[:n] || got.Text != got.Partial {
		t.Errorf("the text so far is %q, as items %q; want the beginning of %q", got.Partial, got.Text, f.text)
	}
}

// embed makes a call of the operation that has no ladder.
func (f *liveFault) embed(t *testing.T, url string) {
	t.Helper()
	name := "embeddings " + f.name
	c, err := llmchat.New(append(f.options(t, url+"/v1", name), llmchat.WithBearer("key"))...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.CreateEmbedding(t.Context(), &llmchat.EmbeddingRequest{Model: "m-1", Input: []string{"hello"}})
	switch {
	case runtime.KindOf(err) != f.kind:
		t.Errorf("error %v, want kind %v", err, f.kind)
	case err == nil && (len(list.Data) != 1 || len(list.Data[0].Embedding) == 0):
		t.Errorf("no vector: %+v", list)
	}
	if got, want := asked(t, url, name), [2]int{f.requests[0], 0}; got != want {
		t.Errorf("aimock was asked %v times, want %v", got, want)
	}
}
