package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/policy"
)

var chatAnswer = []byte(`{"id":"chatcmpl-1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"` +
	strings.Repeat("some words of an answer, ", 60) + `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":300}}`)

// An answer that is good costs no memory to judge.
func TestJudgeAllocatesNothing(t *testing.T) {
	j := policy.NewJudge(&policy.Plan{Errors: policy.Errors{Preset: "openai", Judge: true}})
	if got := j.Of(200, chatAnswer); got != (policy.Sentence{}) {
		t.Fatalf("a good answer: %+v", got)
	}
	if n := testing.AllocsPerRun(100, func() { _ = j.Of(200, chatAnswer) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkJudge(b *testing.B) {
	j := policy.NewJudge(&policy.Plan{Errors: policy.Errors{Preset: "openai", Judge: true}})
	for b.Loop() {
		_ = j.Of(200, chatAnswer)
	}
}

// Rules of a plan: by status, by what they say together, in their order; hostile bodies change nothing.
func TestJudge(t *testing.T) {
	t.Parallel()
	j := policy.NewJudge(&policy.Plan{Errors: policy.Errors{
		Rules: []policy.ErrorRule{
			{Kind: policy.KindThrottle, Status: 200, Pointer: "/error"},
			{Kind: policy.KindTransient, Status: 404, Pointer: "/error"},
			{Kind: policy.KindCaller, Status: 202, Pointer: "/state", Equals: "wrong"},
		},
		Answers: []policy.AnswerRule{{Kind: policy.KindRefused, When: []policy.Match{
			{Pointer: "/items/*/state", Values: []string{"h\u00e9ld"}}, {Pointer: "/n", Values: []string{"7"}},
		}}},
	}})
	for _, c := range []struct {
		status int
		body   string
		want   policy.Kind
	}{
		{200, `{"error":{}}`, policy.KindThrottle},
		{200, `{"error":null}`, policy.KindNone},
		{201, `{"error":{}}`, policy.KindNone},
		{202, `{"state":"wrong"}`, policy.KindCaller},
		{202, `{"state":"wro\u006eg"}`, policy.KindCaller},
		{202, `{"state":["wrong"]}`, policy.KindNone},
		{200, `{"items":[{},{"state":"h\u00e9ld"}],"n":7}`, policy.KindRefused},
		{200, `{"items":[{},{"state":"h\u00e9ld"}],"n":70}`, policy.KindNone},
		{200, `{"error":{}`, policy.KindNone},
		{200, ``, policy.KindNone},
		{200, `[[[[`, policy.KindNone},
		{200, `"error"`, policy.KindNone},
	} {
		if got := j.Of(c.status, []byte(c.body)); got.Kind != c.want || got.Failed != (c.want != policy.KindNone) {
			t.Errorf("%d %s: %+v, want %v", c.status, c.body, got, c.want)
		}
	}
	if policy.NewJudge(&policy.Plan{Errors: policy.Errors{Preset: "openai"}}) != nil {
		t.Error("the record of some work is judged")
	}
}

// More conditions than a judge has room for are judged all the same.
func TestJudgeOfManyRules(t *testing.T) {
	t.Parallel()
	p := new(policy.Plan)
	for i := range 200 {
		p.Errors.Answers = append(p.Errors.Answers, policy.AnswerRule{
			Kind: policy.KindTransient, When: []policy.Match{{Pointer: fmt.Sprintf("/m%d", i), Values: []string{"x"}}},
		})
	}
	j := policy.NewJudge(p)
	if got := j.Of(200, []byte(`{"m199":"x"}`)); !got.Failed {
		t.Error("the last rule is not asked")
	}
}
