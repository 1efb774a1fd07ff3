package runtime_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/semantic"
)

// A stream answers what means the same, as a whole answer does: item by item, to its own subject alone, and only if it came to its end.
func TestAStreamAnswersWhatMeansTheSame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, u.sse(chunk{0, whole(), nil}), fail(http.StatusServiceUnavailable))
		k := keptBy(t, cache.New(cache.Config{}), keptPlan("openai", semantically, func(p *policy.Plan) {
			p.Cache.Semantic.Turn, p.Fallback.Rungs = "/ask", p.Fallback.Rungs[:1]
		}), u, embedder(words), runtime.WithSemanticStore(semantic.New(semantic.Config{})))
		equal(t, "asked", k.said(ada(t.Context()), "how are you today"), "word/3")
		sleep(time.Second)
		equal(t, "in other words", k.said(ada(t.Context()), "today, how are you?"), "word/3 1s old")
		equal(t, "of another subject", k.said(runtime.WithSubject(ada(t.Context()), "bob"), "today, how are you?"), "never transient")
		equal(t, "of nobody", k.said(t.Context(), "today, how are you?"), "never transient")
		sleep(time.Hour)
		equal(t, "stale", k.said(ada(t.Context()), "you are how today"), "word/3 by remembered 1h0m1s old")
	})
}

func TestAStreamThatWasLeftAnswersNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		u := new(upstream)
		u.answers = append(u.answers, u.sse(chunk{0, whole(), nil}))
		k := keptBy(t, cache.New(cache.Config{}), keptPlan("openai", semantically, func(p *policy.Plan) {
			p.Cache.Semantic.Turn, p.Fallback.Rungs = "/ask", p.Fallback.Rungs[:1]
		}), u, embedder(constant), runtime.WithSemanticStore(semantic.New(semantic.Config{})))
		res, err := k.open(ada(t.Context()), "a")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Value.Close()
		if k.said(ada(t.Context()), "b"); u.hits.Load() != 2 {
			t.Errorf("%d requests, want 2", u.hits.Load())
		}
	})
}
