// Command openai drives the client that was generated from OpenAI's document against a mock provider, and prints a report as JSON. The
// test that builds it gives it the address and one of the modes: "chaos", where requests are dropped before the first item, and "cut",
// where streams are cut in the middle.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	rt "github.com/resgen-go/resgen/runtime"

	"live.test/openai"
)

const (
	calls    = 500
	inFlight = 16
)

// report is what the test reads.
type report struct {
	Chat, Stream, Embedding int           // calls that the model answered
	Cut, Typed, Partial     int           // streams that were cut, of those the typed errors, of those the ones with text so far
	Errors                  []string      // the first few failures
	Goroutines, Sockets     int           // more than before the calls
	Took                    time.Duration // of all calls
}

func main() {
	mode, url := os.Args[1], os.Args[2]
	client, err := openai.New(openai.WithBaseURL(url), openai.WithBearer("sk-test"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goroutines, sockets := runtime.NumGoroutine(), openSockets()
	var r report
	started := time.Now()
	switch mode {
	case "chaos":
		r.Chat = each(&r, func(ctx context.Context) error { return chat(ctx, client) })
		r.Stream = each(&r, func(ctx context.Context) error { return stream(ctx, client) })
		r.Embedding = each(&r, func(ctx context.Context) error { return embed(ctx, client) })
	case "cut":
		cut(&r, client)
	}
	r.Took = time.Since(started)
	client.CloseIdleConnections()
	settle(goroutines, sockets, &r)
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		os.Exit(1)
	}
}

// each makes the calls, sixteen at a time, and returns how many succeeded.
func each(r *report, call func(context.Context) error) int {
	var ok atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, inFlight)
	for range calls {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := call(context.Background()); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if len(r.Errors) < 3 {
					r.Errors = append(r.Errors, err.Error())
				}
				return
			}
			ok.Add(1)
		})
	}
	wg.Wait()
	return int(ok.Load())
}

func request(text string) *openai.CreateChatCompletionRequest {
	return &openai.CreateChatCompletionRequest{
		Model: "gpt-4o",
		Messages: []openai.ChatCompletionRequestMessage{
			openai.ChatCompletionRequestMessageOfUser(openai.ChatCompletionRequestUserMessage{
				Role:    openai.ChatCompletionRequestUserMessageRoleUser,
				Content: openai.ChatCompletionRequestUserMessageContentOfString(text),
			}),
		},
	}
}

const answer = "Hello from the mock model, at your service."

func chat(ctx context.Context, c *openai.Client) error {
	got, err := c.CreateChatCompletion(ctx, request("hello"))
	if err != nil {
		return err
	}
	if text := got.Choices[0].Message.Content.Or(""); text != answer {
		return fmt.Errorf("another answer: %q", text)
	}
	return nil
}

func stream(ctx context.Context, c *openai.Client) error {
	s, err := c.CreateChatCompletionStream(ctx, request("hello"))
	if err != nil {
		return err
	}
	var text strings.Builder
	for chunk, err := range s.All() {
		if err != nil {
			return err
		}
		text.WriteString(content(chunk))
	}
	if text.String() != answer {
		return fmt.Errorf("another answer: %q", &text)
	}
	return nil
}

func content(chunk openai.CreateChatCompletionStreamResponse) string {
	var text string
	for _, choice := range chunk.Choices {
		text += choice.Delta.Content.Or("")
	}
	return text
}

func embed(ctx context.Context, c *openai.Client) error {
	got, err := c.CreateEmbedding(ctx, &openai.CreateEmbeddingRequest{
		Model: "text-embedding-3-small",
		Input: openai.CreateEmbeddingRequestInputOfString("hello"),
	})
	if err != nil {
		return err
	}
	if len(got.Data) != 1 || len(got.Data[0].Embedding) == 0 {
		return errors.New("no vector")
	}
	return nil
}

// cut reads streams that break in the middle.
func cut(r *report, c *openai.Client) {
	for range 50 {
		s, err := c.CreateChatCompletionStream(context.Background(), request("cut"))
		if err != nil {
			r.Errors = append(r.Errors, "before the first item: "+err.Error())
			continue
		}
		for _, err := range s.All() {
			if err == nil {
				continue
			}
			r.Cut++
			var typed *rt.Error
			if errors.As(err, &typed) && errors.Is(err, io.ErrUnexpectedEOF) && errors.Is(err, rt.ErrReset) {
				r.Typed++
			}
			var text string
			for _, chunk := range s.Partial() {
				text += content(chunk)
			}
			if text != "" && strings.HasPrefix(answer, text) {
				r.Partial++
			}
		}
	}
}

// settle waits, a while at most, until no more goroutines and sockets are left than before, and notes how many are.
func settle(goroutines, sockets int, r *report) {
	for range 100 {
		r.Goroutines, r.Sockets = runtime.NumGoroutine()-goroutines, openSockets()-sockets
		if r.Goroutines <= 0 && r.Sockets <= 0 {
			return
		}
		<-time.After(20 * time.Millisecond)
	}
}

// openSockets counts this process's sockets; 0 where the system does not say.
func openSockets() int {
	names, _ := filepath.Glob("/proc/self/fd/*")
	n := 0
	for _, name := range names {
		if to, err := os.Readlink(name); err == nil && strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}
