package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/examples/llmclient/model"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/providers"
)

// scene is one state of the world and the call that is made in it: what each provider does, by the name of a script of package providers.
type scene struct {
	title         string
	first, second string
	prompt        *model.Prompt
	stream        bool
}

// scenes are a day with two providers. Faults of the first alternate with answers, so that its breaker opens only at the end.
func scenes() []scene {
	const right = providers.Right
	hello, refund, hot := model.Ask("Hello?"), model.Ask("When is my refund paid?"), model.Ask("Surprise me.")
	hot.Temperature = new(float64)
	*hot.Temperature = 1.7
	return []scene{
		{title: "all is well", first: right, second: right, prompt: hello},
		{title: "first: overloaded (529)", first: "overloaded", second: right, prompt: hello},
		{title: "all is well", first: right, second: right, prompt: hello},
		{title: "first: JSON that is cut", first: "truncated", second: right, prompt: hello},
		{title: "first: cut at the most tokens", first: "incomplete", second: right, prompt: hello},
		{title: "first: declines in words", first: "refusal", second: right, prompt: hello},
		{title: "second: declines by its stop reason", first: "model", second: "filtered", prompt: hello},
		{title: "stream: all is well", first: right, second: right, prompt: hello, stream: true},
		{title: "stream: error after the preamble", first: "preamble-error", second: right, prompt: hello, stream: true},
		{title: "stream: ends without its proof", first: "eof", second: right, prompt: hello, stream: true},
		{title: "all is well", first: right, second: right, prompt: hello},
		{title: "first is gone, second cannot take it", first: "model", second: right, prompt: hot},
		{title: "both are down", first: "gateway", second: "gateway", prompt: refund},
		{title: "both are down", first: "gateway", second: "gateway", prompt: hello},
		{title: "stream: both are down", first: "gateway", second: "gateway", prompt: refund, stream: true},
	}
}

const rowFormat = "%-37s %-9s %-9s %-12s %8s %-9s %-7s %s\n"

// walk plays the scenes and prints what the user saw of each call.
func walk(ctx context.Context, out io.Writer, m model.Model, first, second *providers.Provider) error {
	if _, err := fmt.Fprintf(out, rowFormat, "the world", "rung", "level", "why", "attempts", "tokens", "time", "what the user saw"); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	for _, s := range scenes() {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("interrupted: %w", err)
		}
		first.Play(s.first)
		second.Play(s.second)
		var meta runtime.Meta
		text, answered := ask(runtime.Capture(ctx, &meta), m, &s)
		level := meta.Level.String()
		switch {
		case !answered:
			level = "-"
		case meta.Incomplete:
			text += " (cut: " + meta.IncompleteReason + ")"
		}
		tokens := fmt.Sprintf("%d+%d", meta.Usage.Input, meta.Usage.Output)
		_, err := fmt.Fprintf(out, rowFormat, s.title, orDash(meta.Rung), level, orDash(meta.Reason.String()), strconv.Itoa(meta.Attempts),
			tokens, meta.Elapsed.Round(time.Millisecond), text)
		if err != nil {
			return fmt.Errorf("print the table: %w", err)
		}
	}
	return nil
}

// ask makes one call and returns what the user saw, and whether it is an answer, or the begin of one.
func ask(ctx context.Context, m model.Model, s *scene) (shown string, answered bool) {
	if !s.stream {
		a, err := m.Generate(ctx, s.prompt)
		if err != nil {
			return "error: " + err.Error(), false
		}
		return a.Text, true
	}
	var text strings.Builder
	for piece, err := range m.Stream(ctx, s.prompt) {
		if err != nil {
			fmt.Fprintf(&text, "... broken off (%v)", runtime.KindOf(err))
			break
		}
		text.WriteString(piece.Text)
	}
	return text.String(), text.Len() > 0
}

func orDash(s string) string {
	if s == "" || s == "none" {
		return "-"
	}
	return s
}
