package runtime_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
)

// presetAnswer is what came of two calls that were answered alike.
type presetAnswer struct {
	Rung       string
	Hits       int // requests of both calls: an answer that is remembered is one
	Failures   int
	Incomplete bool
	Reason     string
}

// An answer that was cut is right, marked, and not remembered; one that asks for a tool is right and not remembered.
func TestPresetAnswersEndToEnd(t *testing.T) {
	t.Parallel()
	answers := 0
	for _, s := range presetSamples(t) {
		if s.Want.Kind != "" {
			continue
		}
		answers++
		t.Run(s.preset+"/"+s.row, func(t *testing.T) {
			t.Parallel()
			want := presetAnswer{Hits: 2, Incomplete: s.Want.Incomplete != "", Reason: s.Want.Incomplete}
			if diff := cmp.Diff(want, answerTwice(t, s)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if answers == 0 {
		t.Error("no sample is of a right answer")
	}
	whole := &presetSample{
		preset: "openai", row: "whole", Status: 200,
		Body: json.RawMessage(`{"object":"chat.completion","choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}`),
	}
	if diff := cmp.Diff(presetAnswer{Hits: 1}, answerTwice(t, whole)); diff != "" {
		t.Errorf("a whole answer (-want +got):\n%s", diff)
	}
}

// answerTwice makes two calls that are answered with the sample, with a cache.
func answerTwice(t *testing.T, s *presetSample) (got presetAnswer) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := presetPlan(s, 3, ladder(static("sorry")))
		p.Idempotency, p.Cache = policy.Safe, policy.CacheConfig{On: true, TTL: time.Minute}
		c := against(t, p, []playStep{s.step(t)}, runtime.WithStore(cache.New(cache.Config{})))
		for range 2 {
			var m runtime.Meta
			_, rung, err := c.callSample(runtime.Capture(t.Context(), &m))
			if err != nil {
				t.Fatal(err)
			}
			got.Rung = rung
			got.Incomplete, got.Reason = m.Incomplete, m.IncompleteReason
			synctest.Wait() // until the answer is remembered
		}
		got.Hits, got.Failures = len(c.seen()), c.machines().Breaker.Failures
	})
	return got
}
