package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/examples/llmclient/provider"
)

// scene is one state of the world and the calls that are made in it.
type scene struct {
	title     string
	primary   []provider.Rule
	secondary []provider.Rule
	question  string
	calls     int
	// user asks; "" is Ada.
	user string
	// stream asks for the answer item by item.
	stream bool
	// rest is how long the scene waits first, for a breaker to let probes through.
	rest time.Duration
}

func always(f provider.Fault) []provider.Rule { return []provider.Rule{{Fault: f}} }

func once(f provider.Fault) []provider.Rule { return []provider.Rule{{Fault: f, Times: 1}} }

// scenes walk down the ladder and back up.
func scenes() []scene {
	large := []provider.Rule{{Fault: provider.Unavailable, Model: "large"}}
	down := always(provider.Unavailable)
	return []scene{
		{title: "all is well", question: "How do I change my password?", calls: 3},
		{title: "one 503", primary: once(provider.Unavailable), question: "Is it you?", calls: 1},
		{title: "one 429, Retry-After: 1", primary: once(provider.Throttled), question: "Too fast?", calls: 1},
		{title: "one 429 without a word", primary: once(provider.ThrottledSilently), question: "Still too fast?", calls: 1},
		{title: "one answer of broken JSON", primary: once(provider.Malformed), question: "Can you spell?", calls: 1},
		{title: "one answer cut in the middle", primary: once(provider.Truncate), question: "Are you done?", calls: 1},
		{title: "primary hangs once", primary: once(provider.Hang), question: "Are you there?", calls: 1},
		{title: "primary is down", primary: down, question: "Who answers now?", calls: 1},
		{title: "all is well", question: "Back so soon?", calls: 1},
		{title: "large model and secondary down", primary: large, secondary: down, question: "And now?", calls: 1},
		{title: "stream: all is well", question: "Word by word?", calls: 1, stream: true},
		{title: "stream: primary is down", primary: down, question: "Who speaks?", calls: 1, stream: true},
		{title: "stream: all is well", question: "Still word by word?", calls: 1, stream: true},
		{title: "stream: large model and secondary down", primary: large, secondary: down, question: "And who now?", calls: 1, stream: true},
		{title: "stream: stalls before the first token", primary: once(provider.StallFirst), question: "Still thinking?", calls: 1, stream: true},
		{title: "stream: stalls in the middle", primary: once(provider.StallMiddle), question: "And then?", calls: 1, stream: true},
		{title: "stream: is cut in the middle", primary: once(provider.Truncate), question: "Was that all?", calls: 1, stream: true},
		{title: "everything is down", primary: down, secondary: down, question: "How do I change my password?", calls: 1},
		{title: "everything is down, in other words", primary: down, secondary: down, question: "Can you change the password of me, please?", calls: 1},
		{title: "the same, from another user", primary: down, secondary: down, question: "Please, how do I change a password?", calls: 1, user: "bob"},
		{title: "everything is down", primary: down, secondary: down, question: "When is my refund paid?", calls: 2},
		{title: "everything is down", primary: down, secondary: down, question: "What is the meaning of life?", calls: 2},
		{title: "stream: everything is down", primary: down, secondary: down, question: "Word by word?", calls: 1, stream: true},
		{title: "stream: everything is down", primary: down, secondary: down, question: "Where is my invoice?", calls: 1, stream: true},
		{title: "stream: everything is down", primary: down, secondary: down, question: "What is the meaning of life?", calls: 1, stream: true},
		{title: "all is well again", question: "Are you back?", calls: 3, rest: 4 * time.Second},
	}
}

// walk plays the scenes and prints what the user saw of each call.
func walk(ctx context.Context, out io.Writer, client *llm.Client, primary, secondary *provider.Provider) error {
	t, err := newTable(out)
	if err != nil {
		return err
	}
	for _, s := range scenes() {
		primary.SetFaults(s.primary...)
		secondary.SetFaults(s.secondary...)
		if err := rest(ctx, s.rest); err != nil {
			return err
		}
		for range s.calls {
			call := ask
			if s.stream {
				call = listen
			}
			saw := call(as(ctx, s.user), client, s.question)
			if err := t.row(s.title, &saw); err != nil {
				return err
			}
		}
	}
	return nil
}

// rest waits, or ends with the program.
func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("rest: %w", ctx.Err())
	}
}
