package runtime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/semantic"
	"github.com/resgen-go/resgen/runtime/wire"
)

// situation is all of a call that must not be crossed, and the last turn, which may.
type situation struct {
	Tenant, Subject, Model, System, Credential string
	Tools, Earlier                             []string
	Temperature                                float64
	Last                                       string `json:"-"`
}

// generated returns a situation of few values, so that any two are often the same in all but one.
func generated(r *rand.Rand) situation {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	some := func(of ...string) []string { return of[:r.IntN(len(of)+1)] }
	return situation{
		Tenant: one("", "acme", "acme\x00ada"), Subject: one("", "ada", "bob"), Model: one("large", "small"),
		System: one("", "Be brief.", "You serve acme."), Credential: one("", "1", "2"), Tools: some("search", "pay"),
		Earlier: some("Hi.", "What is it?"), Temperature: float64(r.IntN(2)), Last: one("What do I owe?", "what do i owe", "Who am I?"),
	}
}

func (s *situation) context(ctx context.Context) context.Context {
	ctx = runtime.WithSubject(runtime.WithTenant(ctx, s.Tenant), s.Subject)
	if s.Credential != "" {
		ctx = runtime.WithHeader(ctx, "Authorization", "Bearer "+s.Credential)
	}
	return ctx
}

func (s *situation) asks() conversation {
	c := conversation{Model: s.Model, Tools: s.Tools, Temperature: s.Temperature}
	if s.System != "" {
		c.Messages = append(c.Messages, turn{"system", s.System})
	}
	for i, text := range s.Earlier {
		c.Messages = append(c.Messages, turn{[]string{"user", "assistant"}[i%2], text})
	}
	c.Messages = append(c.Messages, turn{"user", s.Last})
	return c
}

// name stands for all that must not be crossed.
func (s *situation) name() string {
	return fmt.Sprintf("%q %q %q %q %q %q %q %v", s.Tenant, s.Subject, s.Model, s.System, s.Credential, s.Tools, s.Earlier, s.Temperature)
}

// crossing makes calls of generated situations, to an embedder to which all texts mean the same, and returns the first that was given the answer
// of another one, and how many were given an answer of their own. leak changes what the cache is told of a call.
func crossing(t *testing.T, leak func(*situation) (told situation, in func(*wire.Request) runtime.Input)) (crossed string, alike int) {
	t.Helper()
	c := newAlike(t, semantic.New(semantic.Config{}), constant)
	r := rand.New(rand.NewPCG(1, 2))
	for range 3_000 {
		s := generated(r)
		told, in := leak(&s)
		mine := s.name()
		c.answer = func(string, int) (int, string) { return 200, fmt.Sprintf(`{"name":%q}`, strings.ToValidUTF8(mine, "")) }
		asks := s.asks()
		res, err := c.talk(told.context(t.Context()), asks, in)
		switch {
		case err != nil:
			t.Fatal(err)
		case res.Value.Name != mine && crossed == "":
			crossed = fmt.Sprintf("%s was given the answer of %s", mine, res.Value.Name)
		case res.Similarity > 0:
			alike++
			if told.Tenant == "" || told.Subject == "" {
				t.Errorf("nobody was given an answer to what is alike: %s", mine)
			}
		}
	}
	return crossed, alike
}

// unchanged is an input that leaks nothing.
func unchanged(r *wire.Request) runtime.Input { return r }

// No call is given an answer of another tenant, subject, model, system prompt, set of tools, parameter, credential or earlier turn, although all
// last turns mean the same.
func TestWhatMeansTheSameCrossesNothing(t *testing.T) {
	t.Parallel()
	crossed, alike := crossing(t, func(s *situation) (situation, func(*wire.Request) runtime.Input) { return *s, unchanged })
	if crossed != "" {
		t.Error(crossed)
	}
	if alike < 100 {
		t.Errorf("%d of the calls were given what is alike: the test shows nothing", alike)
	}
}

// leaky is an input whose turn leaves out a part of what is asked, as a key that forgets it would.
type leaky struct {
	*wire.Request

	cut func(rest string) string
}

// Turn forgets a part.
func (l leaky) Turn(places []string) (text, rest string, ok bool) {
	text, rest, ok = l.Request.Turn(places)
	return text, l.cut(rest), ok
}

// CacheKey tells every call apart, so that only meaning can cross.
func (l leaky) CacheKey([]string) (string, bool) { return fmt.Sprintf("%p", l.Request), true }

// forgetting is an input that forgets what stands between two texts.
func forgetting(from, to string) func(*situation) (situation, func(*wire.Request) runtime.Input) {
	return func(s *situation) (situation, func(*wire.Request) runtime.Input) {
		return *s, func(r *wire.Request) runtime.Input {
			return leaky{r, func(rest string) string {
				head, tail, found := strings.Cut(rest, from)
				if !found {
					return rest
				}
				if _, after, has := strings.Cut(tail, to); has {
					return head + after
				}
				return head
			}}
		}
	}
}

// Each part of a namespace is needed: the property fails without it.
func TestWhatMeansTheSameWouldCross(t *testing.T) {
	t.Parallel()
	as := func(change func(*situation)) func(*situation) (situation, func(*wire.Request) runtime.Input) {
		return func(s *situation) (situation, func(*wire.Request) runtime.Input) {
			told := *s
			change(&told)
			return told, func(r *wire.Request) runtime.Input { return leaky{r, func(rest string) string { return rest }} }
		}
	}
	for name, leak := range map[string]func(*situation) (situation, func(*wire.Request) runtime.Input){
		"tenant":      as(func(s *situation) { s.Tenant = "acme" }),
		"subject":     as(func(s *situation) { s.Subject = "ada" }),
		"credential":  as(func(s *situation) { s.Credential = "" }),
		"model":       forgetting(`"model":`, `,`),
		"system":      forgetting(`{"content":"Be brief.","role":"system"},`, ``),
		"tools":       forgetting(`,"tools":`, `]`),
		"temperature": forgetting(`,"temperature":1`, ``),
		"earlier":     forgetting(`{"content":"What is it?","role":"assistant"},`, ``),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if crossed, _ := crossing(t, leak); crossed == "" {
				t.Error("a cache that forgets it crosses nothing: the property does not look at it")
			}
		})
	}
}

// The ways in which caches of gateways gave answers to the wrong people.
func TestHowAnswersCrossedTenants(t *testing.T) {
	t.Parallel()
	in := func(tenant, subject, credential string) situation {
		return situation{Tenant: tenant, Subject: subject, Credential: credential, Model: "large", Last: "What is my account balance?"}
	}
	for name, c := range map[string]struct{ first, second situation }{
		// the user was mixed into the text that is embedded, where it weighs next to nothing
		"vllm-project/semantic-router#2134": {in("acme", "ada", ""), in("acme", "bob", "")},
		// two virtual keys, one configured cache key
		"maximhq/bifrost#5769": {in("acme", "ada", "vk-1"), in("acme", "ada", "vk-2")},
		// a key of the request alone, over a store that all tenants share
		"theopenco/llmgateway#3758": {in("acme", "ada", ""), in("zenith", "ada", "")},
		// neither key nor schema know who asks: two keys of one instance, nobody named
		"diegosouzapw/OmniRoute#3740": {in("", "", "key-1"), in("", "", "key-2")},
		// identity in one part may not pass for identity in another
		"tenant and subject apart": {in("acme", "ada", ""), in("acmeada", "", "")},
		"one for the other":        {in("acme", "ada", ""), in("ada", "acme", "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clients := newAlike(t, semantic.New(semantic.Config{}), constant)
			if got := clients.said(c.first.context(t.Context()), c.first.asks()); got != "one 1" {
				t.Errorf("the first got %q", got)
			}
			if got := clients.said(c.second.context(t.Context()), c.second.asks()); got != "one 2" {
				t.Errorf("the second got %q", got)
			}
		})
	}
}

// Clients, operations, addresses, embedders, models and lengths have namespaces of their own in a store that they share.
func TestNamespacesOfClientsThatShareAStore(t *testing.T) {
	t.Parallel()
	store := semantic.New(semantic.Config{})
	ask := func(t *testing.T, name string, e runtime.Embedder, opts ...runtime.ClientOption) string {
		t.Helper()
		p := plan(noRetry, semantically)
		p.Operation, p.Cache.Semantic.Embedder = "Get", name
		c := newCached(t, cache.New(cache.Config{}), p, append(opts, runtime.WithEmbedder(name, e), runtime.WithSemanticStore(store))...)
		res, err := c.talk(ada(t.Context()), question("Who?"))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(res.Similarity > 0)
	}
	e := runtime.Embedder{Embed: constant, Model: "a", Dimensions: space}
	longer := runtime.Embedder{Model: "a", Dimensions: space + 1, Embed: func(context.Context, string) ([]float32, error) {
		return append(make([]float32, space), 1), nil
	}}
	other := e
	other.Model = "b"
	equal(t, "first, again, model, name, length, address", []string{
		ask(t, "words", e), ask(t, "words", e), ask(t, "words", other), ask(t, "others", e), ask(t, "words", longer),
		ask(t, "words", e, runtime.WithBaseURL("http://else")),
	}, []string{"false", "true", "false", "false", "false", "false"})
}
