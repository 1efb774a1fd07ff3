package rungfaults_test

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/cache"
	"github.com/resgen-go/resgen/runtime/semantic"
	"github.com/resgen-go/resgen/runtime/wire"
	llmladder "github.com/resgen-go/resgen/testdata/specs/llmladder/want"
)

// whole is what each rung says when it answers as it should.
var whole = map[string]string{
	primary: "Hello from the model.", second: "Hello from the model.", small: "Hello from the model.",
	passages: "What the search found.", sorry: "I cannot answer right now.",
}

// dimensions is the length of the embedder's vectors.
const dimensions = 8

// stage is a client, what its rungs call, and its state.
type stage struct {
	client   *llmladder.Client
	group    *runtime.Group
	parties  map[string]*party
	search   func(context.Context) error // nil: it finds something
	searches atomic.Int32
	embed    func(context.Context, string) ([]float32, error)
	nobody   bool // the search gives neither an answer nor an error
}

func newStage(t *testing.T, store runtime.Store) *stage {
	t.Helper()
	same := func(context.Context, string) ([]float32, error) { return slices.Repeat([]float32{1}, dimensions), nil }
	s := &stage{embed: same, group: runtime.NewGroup(), parties: map[string]*party{}}
	for _, name := range []string{primary, second, small} {
		s.parties[name] = newParty(t, name)
	}
	sender := &http.Client{Transport: byModel{
		"first large": s.parties[primary], "second large": s.parties[second], "first small": s.parties[small],
	}}
	var err error
	s.client, err = llmladder.New(
		llmladder.WithEmbedder("words", runtime.Embedder{
			Embed: func(ctx context.Context, text string) ([]float32, error) { return s.embed(ctx, text) }, Model: "words", Dimensions: dimensions,
		}),
		llmladder.WithSemanticStore(semantic.New(semantic.Config{})),
		llmladder.WithGroup(s.group), llmladder.WithStore(store), llmladder.WithHTTPClient(sender),
		llmladder.WithBaseURL("http://first.test/v1"),
		llmladder.WithTarget(second, llmladder.WithBaseURL("http://second.test/v1"), llmladder.WithHTTPClient(sender)),
		llmladder.WithSearchPassages(s.searchPassages), llmladder.WithSearchPassagesStream(s.streamPassages),
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newStore makes a store in memory.
func newStore() runtime.Store { return cache.New(cache.Config{}) }

func (s *stage) searchPassages(ctx context.Context, _ *llmladder.ChatRequest) (*llmladder.ChatCompletion, error) {
	s.searches.Add(1)
	if s.search != nil {
		if err := s.search(ctx); err != nil {
			return nil, err
		}
	}
	if s.nobody {
		return nil, nil // it is what the cell is about
	}
	message := llmladder.ChatMessage{Role: llmladder.ChatMessageRoleAssistant, Content: wire.SomeNotNull(whole[passages])}
	return &llmladder.ChatCompletion{ID: "p", Model: passages, Choices: []llmladder.ChatCompletionChoicesItem{{Message: message}}}, nil
}

func (s *stage) streamPassages(ctx context.Context, req *llmladder.ChatRequest) (*runtime.Stream[llmladder.ChatChunk], error) {
	answer, err := s.searchPassages(ctx, req)
	if err != nil || answer == nil {
		return nil, err
	}
	delta := llmladder.ChatChunkChoicesItemDelta{Content: answer.Choices[0].Message.Content}
	return runtime.StreamOf(llmladder.ChatChunk{
		ID: "p", Model: wire.Some(passages), Choices: []llmladder.ChatChunkChoicesItem{{Delta: delta}},
	}), nil
}

// asked returns how often the rungs were asked so far.
func (s *stage) asked() int {
	n := int(s.searches.Load())
	for _, p := range s.parties {
		n += p.requests()
	}
	return n
}

// seen is what a caller sees of a call.
type seen struct {
	err      error
	opened   bool // there was an answer, if only a part of one
	by, text string
	took     time.Duration
	tag      runtime.Result[struct{}]
	meta     runtime.Meta
}

// ask makes a call and reads what comes to its end.
func (s *stage) ask(ctx context.Context, question string, stream bool) *seen {
	return s.askFor(ctx, question, 0, stream)
}

// askFor is ask for an answer of at most so many tokens; 0 says nothing.
func (s *stage) askFor(ctx context.Context, question string, most int64, stream bool) *seen {
	o := &seen{}
	began := time.Now()
	ctx = runtime.Capture(ctx, &o.meta)
	req := &llmladder.ChatRequest{
		Model:    "large",
		Messages: []llmladder.ChatMessage{{Role: llmladder.ChatMessageRoleUser, Content: wire.SomeNotNull(question)}},
	}
	if most > 0 {
		req.MaxCompletionTokens = wire.Some(most)
	}
	if stream {
		o.listen(s.client.CreateChatCompletionStream(ctx, req))
	} else {
		o.read(s.client.CreateChatCompletion(ctx, req))
	}
	o.took = time.Since(began)
	return o
}

func (o *seen) read(res runtime.Result[*llmladder.ChatCompletion], err error) {
	o.err, o.tag = err, tagOf(res)
	if o.opened = err == nil; !o.opened {
		return
	}
	if res.Value == nil {
		return
	}
	o.by = res.Value.Model
	for i := range res.Value.Choices {
		o.text += res.Value.Choices[i].Message.Content.Or("")
	}
}

func (o *seen) listen(res runtime.Result[*runtime.Stream[llmladder.ChatChunk]], err error) {
	o.err, o.tag = err, tagOf(res)
	if o.opened = err == nil; !o.opened {
		return
	}
	for chunk, err := range res.Value.All() {
		if o.err = err; err != nil {
			return
		}
		o.by = chunk.Model.Or(o.by)
		for i := range chunk.Choices {
			o.text += chunk.Choices[i].Delta.Content.Or("")
		}
	}
}

// tagOf is all of a result but its value.
func tagOf[T any](res runtime.Result[T]) runtime.Result[struct{}] {
	return runtime.Result[struct{}]{
		Degraded: res.Degraded, Rung: res.Rung, Level: res.Level, Reason: res.Reason, Age: res.Age, Exercised: res.Exercised,
		Attempts: res.Attempts, Cause: res.Cause,
	}
}
