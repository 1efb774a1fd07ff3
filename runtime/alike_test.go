package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/semantic"
	"github.com/resgen-go/resgen/runtime/wire"
)

// space is how many dimensions the tests' embedders have.
const space = 64

// words is an embedder that counts words: texts with the same words mean the same, those that share most of them are alike.
func words(_ context.Context, text string) ([]float32, error) {
	v := make([]float32, space)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ?.,!", r) }) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(word))
		v[h.Sum32()%space]++
	}
	return v, nil
}

// constant is an embedder to which all texts mean the same.
func constant(context.Context, string) ([]float32, error) {
	v := make([]float32, space)
	v[0] = 1
	return v, nil
}

// semantically gives a plan a semantic cache: fresh for a minute, and with a rung for an hour more.
func semantically(p *policy.Plan) {
	staleIfError(p)
	p.Cache.Semantic = policy.SemanticConfig{On: true, Threshold: 0.8, Subject: true, Embedder: "words"}
	p.Errors.Preset = "openai"
}

// embedder is the option for the embedder of that plan.
func embedder(embed func(context.Context, string) ([]float32, error)) runtime.ClientOption {
	return runtime.WithEmbedder("words", runtime.Embedder{Embed: embed, Model: "words-1", Dimensions: space})
}

func newAlike(
	t *testing.T, store runtime.SemanticStore, embed func(context.Context, string) ([]float32, error), change ...func(*policy.Plan),
) *cachedClient {
	t.Helper()
	return newCached(t, cache.New(cache.Config{}), plan(append([]func(*policy.Plan){noRetry, semantically}, change...)...),
		embedder(embed), runtime.WithSemanticStore(store))
}

// turn is one of a conversation.
type turn struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

// conversation is what calls of the tests ask.
type conversation struct {
	Model       string   `json:"model"`
	Messages    []turn   `json:"messages"`
	Tools       []string `json:"tools,omitempty"`
	Temperature float64  `json:"temperature,omitempty"`
}

// question is a conversation of one turn.
func question(text any) conversation {
	return conversation{Model: "large", Messages: []turn{{"system", "Be brief."}, {"user", text}}}
}

// ada is the context of a call of which it is known whose it is.
func ada(ctx context.Context) context.Context {
	return runtime.WithSubject(runtime.WithTenant(ctx, "acme"), "ada")
}

// asking is the request that asks that.
func asking(asked any) *wire.Request {
	r := wire.NewRequest("POST", "/chat")
	r.JSON(asked)
	return r
}

// talk makes a call, whose input is made of its request.
func (c *cachedClient) talk(ctx context.Context, asked any, input ...func(*wire.Request) runtime.Input) (runtime.Result[*thing], error) {
	r := asking(asked)
	var in runtime.Input = r
	for _, of := range input {
		in = of(r)
	}
	return runtime.DoResult(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
		return runtime.Send(ctx, c.h, at, r, readThing)
	}, in)
}

// said returns what a call gets: the answer, with its age and its similarity where it was remembered.
func (c *cachedClient) said(ctx context.Context, asked any) string {
	res, err := c.talk(ctx, asked)
	switch {
	case err != nil:
		return runtime.KindOf(err).String()
	case res.Age > 0:
		return strings.TrimSpace(fmt.Sprintf("%s, %s old, %.2f alike %s", res.Value.Name, res.Age, res.Similarity, res.Rung))
	default:
		return res.Value.Name
	}
}

func TestWhatMeansTheSameIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newAlike(t, semantic.New(semantic.Config{}), words)
		ctx := ada(t.Context())
		equal(t, "the first", c.said(ctx, question("What is the capital of France?")), "one 1")
		sleep(10 * time.Second)
		equal(t, "the same", c.said(ctx, question("What is the capital of France?")), "one 1, 10s old, 0.00 alike")
		equal(t, "other signs", c.said(ctx, question("what is the capital of france")), "one 1, 10s old, 1.00 alike")
		equal(t, "other words", c.said(ctx, question("what is the capital city of France")), "one 1, 10s old, 0.93 alike")
		equal(t, "another question", c.said(ctx, question("Who wrote Faust?")), "one 2")
		equal(t, "in parts", c.said(ctx, question([]map[string]string{{"type": "text", "text": "What is the capital of France?"}})), "one 3")
		hits := c.told.Events(runtime.CacheHit)
		if len(hits) != 3 || hits[0].Similarity != 0 || hits[1].Similarity < 0.99 || hits[2].Age != 10*time.Second {
			t.Errorf("told: %+v", hits)
		}
		rows := c.group.Snapshot()
		at := slices.IndexFunc(rows, func(m runtime.Machines) bool { return m.Target == policy.PrimaryTarget })
		equal(t, "counted", rows[at].Caches["Get"], policy.CacheSnapshot{Fresh: 3, Missed: 3, Stored: 6, Alike: 2})
	})
}

// When the target is gone and answers are too old to be given by themselves, the rung gives one to what means the same, and says so.
func TestTheRungGivesWhatIsAlike(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newAlike(t, semantic.New(semantic.Config{}), words)
		down := false
		c.answer = func(_ string, n int) (int, string) {
			if down {
				return 503, ""
			}
			return 200, fmt.Sprintf(`{"name":"answer %d"}`, n)
		}
		ctx := ada(t.Context())
		c.said(ctx, question("What is the capital of France?"))
		down = true
		sleep(10 * time.Minute)
		var meta runtime.Meta
		res, err := c.talk(runtime.Capture(ctx, &meta), question("what is the capital city of France"))
		if err != nil || res.Value.Name != "answer 1" || res.Rung != "remembered" || res.Level != policy.Stale || !res.Degraded ||
			res.Age != 10*time.Minute || res.Reason != policy.KindTransient || math.Abs(res.Similarity-0.93) > 0.01 {
			t.Errorf("%+v, %v", res, err)
		}
		if meta.Similarity != res.Similarity || meta.Age != res.Age {
			t.Errorf("%+v", meta)
		}
		equal(t, "not alike", c.said(ctx, question("Who wrote Faust?")), "transient")
		sleep(time.Hour)
		equal(t, "too old", c.said(ctx, question("what is the capital city of France")), "transient")
	})
}

// Nothing is looked for, and nothing kept, where it is not known whose the call is, or where the last turn is no text of the user's.
func TestItFailsClosed(t *testing.T) {
	t.Parallel()
	image := []any{map[string]any{"type": "text", "text": "What is this?"}, map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:"}}}
	for name, c := range map[string]struct {
		who  func(context.Context) context.Context
		asks any
	}{
		"no tenant":      {func(ctx context.Context) context.Context { return runtime.WithSubject(ctx, "ada") }, question("Who?")},
		"no subject":     {func(ctx context.Context) context.Context { return runtime.WithTenant(ctx, "acme") }, question("Who?")},
		"nobody":         {func(ctx context.Context) context.Context { return ctx }, question("Who?")},
		"empty subject":  {func(ctx context.Context) context.Context { return runtime.WithSubject(ada(ctx), "") }, question("Who?")},
		"no fallback":    {func(ctx context.Context) context.Context { return runtime.WithoutFallback(ada(ctx)) }, question("Who?")},
		"nothing worse":  {func(ctx context.Context) context.Context { return runtime.WithMinLevel(ada(ctx), policy.Equal) }, question("Who?")},
		"an image":       {ada, question(image)},
		"no text":        {ada, question("  ")},
		"a null":         {ada, question(nil)},
		"no turns":       {ada, conversation{Model: "large"}},
		"a tool's":       {ada, conversation{Messages: []turn{{"user", "Who?"}, {"tool", "Ada"}}}},
		"the model's":    {ada, conversation{Messages: []turn{{"user", "Who?"}, {"assistant", "It is"}}}},
		"a system's":     {ada, conversation{Messages: []turn{{"system", "Be brief."}}}},
		"a reasoning":    {ada, map[string]any{"input": []any{map[string]any{"type": "reasoning", "content": []any{map[string]any{"type": "reasoning_text", "text": "so"}}}}}},
		"many texts":     {ada, map[string]any{"input": []string{"a", "b"}}},
		"too long":       {ada, question(strings.Repeat("long ", 401))},
		"parts of parts": {ada, question([]any{map[string]any{"type": "text", "text": []string{"a"}}})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := semantic.New(semantic.Config{})
			asked := 0
			client := newAlike(t, store, func(ctx context.Context, text string) ([]float32, error) {
				asked++
				return constant(ctx, text)
			})
			if got := client.said(c.who(t.Context()), c.asks); got != "one 1" {
				t.Errorf("it got %q", got)
			}
			if store.Len() != 0 || asked != 0 {
				t.Errorf("%d entries, %d texts embedded", store.Len(), asked)
			}
		})
	}
}

// Each shape of the presets is found, and what is not the last turn's text counts exactly.
func TestWhereTheLastTurnIs(t *testing.T) {
	t.Parallel()
	part := func(text string) []any { return []any{map[string]any{"text": text}} }
	for name, shape := range map[string]struct {
		preset string
		ask    func(before, last string) any
	}{
		"chat": {"openai", func(before, last string) any {
			return map[string]any{"messages": []any{turn{"user", before}, turn{"user", last}}}
		}},
		"responses": {"openai", func(before, last string) any { return map[string]any{"instructions": before, "input": last} }},
		"responses, items": {"azure", func(before, last string) any {
			return map[string]any{"input": []any{turn{"user", before}, map[string]any{
				"type": "message", "role": "user", "content": []any{map[string]any{"type": "input_text", "text": last}},
			}}}
		}},
		"messages": {"anthropic", func(before, last string) any {
			return map[string]any{"system": before, "messages": []any{turn{"user", []any{map[string]any{"type": "text", "text": last}}}}}
		}},
		"gemini": {"gemini", func(before, last string) any {
			return map[string]any{"contents": []any{map[string]any{"role": "user", "parts": part(before)}, map[string]any{"parts": part(last)}}}
		}},
		"cohere 1": {"cohere", func(before, last string) any { return map[string]any{"preamble": before, "message": last} }},
		"converse": {"bedrock", func(before, last string) any {
			return map[string]any{"system": part(before), "messages": []any{turn{"user", part(last)}}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newAlike(t, semantic.New(semantic.Config{}), words, func(p *policy.Plan) {
				p.Errors.Preset, p.Cache.TTL = shape.preset, time.Hour
			})
			ctx := ada(t.Context())
			for i, ask := range []struct {
				before, last string
				alike        bool
			}{{"Be kind.", "Who are you?", false}, {"Be kind.", "who are you", true}, {"be kind", "Who are you?", false}} {
				res, err := c.talk(ctx, shape.ask(ask.before, ask.last))
				if err != nil || (res.Similarity > 0) != ask.alike {
					t.Errorf("call %d: %+v, %v", i, res, err)
				}
			}
		})
	}
}

// An embedder that is broken costs a miss: never a call, and no more than its share of the call's time.
func TestEmbeddersThatFail(t *testing.T) {
	t.Parallel()
	number := func(x float64) func(context.Context, string) ([]float32, error) {
		return func(ctx context.Context, text string) ([]float32, error) {
			v, _ := constant(ctx, text)
			v[1] = float32(x)
			return v, nil
		}
	}
	for name, embed := range map[string]func(context.Context, string) ([]float32, error){
		"an error":       func(context.Context, string) ([]float32, error) { return nil, errors.New("no") },
		"NaN":            number(math.NaN()),
		"Inf":            number(math.Inf(1)),
		"zero":           func(context.Context, string) ([]float32, error) { return make([]float32, space), nil },
		"another length": func(context.Context, string) ([]float32, error) { return make([]float32, space+1), nil },
		"nothing":        func(context.Context, string) ([]float32, error) { return nil, nil },
		"a panic":        func(context.Context, string) ([]float32, error) { panic("no") },
		"no return":      func(ctx context.Context, _ string) ([]float32, error) { <-ctx.Done(); return nil, ctx.Err() },
		"slow": func(ctx context.Context, text string) ([]float32, error) {
			sleep(5 * time.Second)
			return constant(ctx, text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := semantic.New(semantic.Config{})
				c := newAlike(t, store, embed)
				began := time.Now()
				if got := c.said(ada(t.Context()), question("Who?")); got != "one 1" {
					t.Errorf("it got %q", got)
				}
				if took := time.Since(began); took > 250*time.Millisecond || store.Len() != 0 {
					t.Errorf("it took %v, and kept %d", took, store.Len())
				}
				short, cancel := context.WithTimeout(ada(t.Context()), time.Second)
				defer cancel()
				began = time.Now()
				if got := c.said(short, question("How?")); got != "one 2" || time.Since(began) > 100*time.Millisecond {
					t.Errorf("with a second left: %q, %v", got, time.Since(began))
				}
				if n := len(c.told.Events(runtime.EmbedderFailed)); n != 2 {
					t.Errorf("told %d times", n)
				}
				sleep(10 * time.Second) // until those that were left behind have returned
			})
		})
	}
}

// An embedder that is broken is not asked for a while, and found again when it works.
func TestTheEmbeddersBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, broken := 0, true
		c := newAlike(t, semantic.New(semantic.Config{}), func(ctx context.Context, text string) ([]float32, error) {
			if asked++; broken {
				return nil, errors.New("no")
			}
			return constant(ctx, text)
		})
		ctx := ada(t.Context())
		for i := range 20 {
			c.said(ctx, question(fmt.Sprint(i)))
		}
		if asked != 5 || len(c.told.Events(runtime.BreakerChanged)) != 1 {
			t.Errorf("it was asked %d times; told: %+v", asked, c.told.Events(runtime.BreakerChanged))
		}
		broken = false
		sleep(time.Minute)
		c.said(ctx, question("Who?"))
		res, err := c.talk(ctx, question("How?"))
		if err != nil || res.Similarity == 0 {
			t.Errorf("%+v, %v", res, err)
		}
		rows := c.group.Snapshot()
		found := false
		for _, r := range rows {
			found = found || r.Target == "embedder:words"
		}
		if !found {
			t.Errorf("the embedder is not shown: %+v", rows)
		}
	})
}

// What the embedder calls does not write to what the caller captures, and takes no rung.
func TestTheEmbeddersContext(t *testing.T) {
	t.Parallel()
	var inner *cachedClient
	c := newAlike(t, semantic.New(semantic.Config{}), func(ctx context.Context, text string) ([]float32, error) {
		if _, err := inner.get(ctx, "vector"); err != nil {
			return nil, err
		}
		return constant(ctx, text)
	})
	inner = newCached(t, cache.New(cache.Config{}), plan(ladder(static("sorry"))))
	inner.answer = func(string, int) (int, string) { return 503, "" }
	var meta runtime.Meta
	res, err := c.talk(runtime.Capture(ada(t.Context()), &meta), question("Who?"))
	if err != nil || res.Value.Name != "one 1" || inner.asked["one"] != 1 || meta.Status != 200 {
		t.Errorf("%+v, %v, %d requests inside, %+v", res, err, inner.asked["one"], meta)
	}
	if n := len(c.told.Events(runtime.EmbedderFailed)); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// Answers that are cut, filtered, or call a tool are not kept; nor is what another rung has answered.
func TestWhatMeaningDoesNotKeep(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"cut":      `{"name":"a","choices":[{"finish_reason":"length","message":{"content":"a"}}]}`,
		"filtered": `{"name":"a","choices":[{"finish_reason":"content_filter","message":{"content":"a"}}]}`,
		"a call":   `{"name":"a","choices":[{"finish_reason":"tool_calls","message":{"tool_calls":[{}]}}]}`,
		"a rung's": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := semantic.New(semantic.Config{})
			c := newAlike(t, store, constant, func(p *policy.Plan) {
				p.Errors.Judge = true
				p.Fallback.Rungs = append(p.Fallback.Rungs, other("two"))
			})
			c.answer = func(host string, _ int) (int, string) {
				if body == "" && host == "one" {
					return 503, ""
				}
				if body == "" {
					return 200, `{"name":"a"}`
				}
				return 200, body
			}
			_, _ = c.talk(ada(t.Context()), question("Who?"))
			if store.Len() != 0 {
				t.Errorf("%d entries are kept", store.Len())
			}
		})
	}
}

func TestClientsWithoutWhatMeaningNeeds(t *testing.T) {
	t.Parallel()
	store := runtime.WithSemanticStore(semantic.New(semantic.Config{}))
	for name, c := range map[string]struct {
		opts []runtime.ClientOption
		want string
	}{
		"no embedder":   {[]runtime.ClientOption{store}, "WithEmbedder"},
		"no store":      {[]runtime.ClientOption{embedder(words)}, "WithSemanticStore"},
		"no function":   {[]runtime.ClientOption{store, runtime.WithEmbedder("words", runtime.Embedder{Model: "m", Dimensions: 3})}, "Embed"},
		"no model":      {[]runtime.ClientOption{store, runtime.WithEmbedder("words", runtime.Embedder{Embed: words, Dimensions: 3})}, "Model"},
		"no dimensions": {[]runtime.ClientOption{store, runtime.WithEmbedder("words", runtime.Embedder{Embed: words, Model: "m"})}, "Dimensions"},
	} {
		h := runtime.NewHTTP(spec(), append(c.opts, runtime.WithStore(cache.New(cache.Config{})))...)
		h.Operation(plan(semantically))
		if err := h.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A Go method's arguments have turns where its policy says so.
func TestTurnsOfArguments(t *testing.T) {
	t.Parallel()
	in, ok := runtime.Args("model", map[string]any{"question": "Who?"}).(interface {
		Turn(places []string) (text, rest string, ok bool)
	})
	if !ok {
		t.Fatal("arguments have no turns")
	}
	text, rest, ok := in.Turn([]string{"/1/question"})
	if !ok || text != "Who?" || strings.Contains(rest, "Who?") || !strings.Contains(rest, "model") {
		t.Errorf("%q, %q, %v", text, rest, ok)
	}
	if _, _, ok := in.Turn([]string{"/0/question"}); ok {
		t.Error("a turn where there is none")
	}
}

// Callers who have little time are no evidence against an embedder that needs longer than a tenth of that.
func TestCallersInAHurryDoNotOpenTheEmbeddersBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newAlike(t, semantic.New(semantic.Config{}), func(ctx context.Context, text string) ([]float32, error) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(50 * time.Millisecond):
				return constant(ctx, text)
			}
		})
		for i := range 30 {
			ctx, cancel := context.WithTimeout(ada(t.Context()), 100*time.Millisecond)
			if got := c.said(ctx, question(fmt.Sprint(i))); got != fmt.Sprintf("one %d", i+1) {
				t.Errorf("call %d got %q", i, got)
			}
			cancel()
		}
		ctx, cancel := context.WithDeadline(ada(t.Context()), time.Now().Add(-time.Second))
		c.said(ctx, question("too late"))
		cancel()
		if changed := c.told.Events(runtime.BreakerChanged); len(changed) > 0 {
			t.Errorf("told: %+v", changed)
		}
		c.said(ada(t.Context()), question("with time"))
		if res, err := c.talk(ada(t.Context()), question("with time too")); err != nil || res.Similarity == 0 {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

// A caller who gives up while the embedder works gets that, at once, and nothing is left of it.
func TestTheCallerGivesUpWhileTextsAreEmbedded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newAlike(t, semantic.New(semantic.Config{}), func(ctx context.Context, _ string) ([]float32, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		for range 20 {
			ctx, cancel := context.WithCancel(ada(t.Context()))
			time.AfterFunc(10*time.Millisecond, cancel)
			began := time.Now()
			if got := c.said(ctx, question("Who?")); got != "canceled" || time.Since(began) != 10*time.Millisecond {
				t.Errorf("%q after %v", got, time.Since(began))
			}
		}
		if c.asked["one"] != 0 || len(c.told.Events(runtime.BreakerChanged)) != 0 {
			t.Errorf("%d requests; told: %+v", c.asked["one"], c.told.Events(runtime.BreakerChanged))
		}
	})
}

// The time of a call runs while it looks for what means the same.
func TestLookingIsPartOfTheCallsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newAlike(t, semantic.New(semantic.Config{}), func(ctx context.Context, _ string) ([]float32, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, func(p *policy.Plan) { p.Timeout = policy.Timeout{Total: time.Second} })
		began := time.Now()
		_, err := runtime.DoResult(ada(t.Context()), c.op, func(ctx context.Context, _ runtime.Attempt) (*thing, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, asking(question("Who?")))
		if took := time.Since(began); runtime.KindOf(err) != policy.KindTimeout || took != time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}
