package main

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/examples/llmclient/llm"
	"github.com/resgen-go/resgen/examples/llmclient/llm/llmtest"
	"github.com/resgen-go/resgen/runtime/chaos"
)

// fakes are a fake of each provider, and the client of the program that calls them.
func fakes(t *testing.T) (primary, secondary *llmtest.Server, client *llm.Client) {
	t.Helper()
	primary, secondary = llmtest.NewMemoryServer(t), llmtest.NewMemoryServer(t)
	client, err := newClient(
		llm.WithBaseURL(primary.URL()), llm.WithHTTPClient(primary.HTTPClient()), llm.WithBearer("key"),
		llm.WithTarget("secondary", llm.WithBaseURL(secondary.URL()), llm.WithHTTPClient(secondary.HTTPClient())),
	)
	if err != nil {
		t.Fatal(err)
	}
	return primary, secondary, client
}

// says is an answer of a provider.
func says(text string) *llm.ChatCompletion {
	choice := llm.ChatChoice{Message: llm.ChatMessage{Role: llm.RoleAssistant, Content: text}}
	return &llm.ChatCompletion{ID: "1", Model: "large", Choices: []llm.ChatChoice{choice}}
}

// TestAThrottledQuestionIsAskedAgain scripts the fake provider that resgen generated beside the client: no port, and no time that passes.
func TestAThrottledQuestionIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		primary, secondary, client := fakes(t)
		primary.CreateChatCompletion().Fault(chaos.Throttle(500 * time.Millisecond)).Answer(says("Hello."))
		if saw := ask(t.Context(), client, "Hello?"); saw.text != "Hello." || saw.attempts != 2 || saw.took < 500*time.Millisecond {
			t.Errorf("%q by attempt %d after %v; want it by the second, when the provider had its time", saw.text, saw.attempts, saw.took)
		}
		asked := primary.CreateChatCompletion().Requests()
		if len(asked) != 2 || asked[1].Value.Messages[0].Content != "Hello?" || len(secondary.Requests()) != 0 {
			t.Errorf("the providers were asked %d and %d times: %+v", len(asked), len(secondary.Requests()), asked)
		}
	})
}

// TestTheSecondProviderAnswers has the first one down: the second one, which is told nothing, answers its sample.
func TestTheSecondProviderAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		primary, secondary, client := fakes(t)
		primary.CreateChatCompletionStream().Fail(http.StatusServiceUnavailable).Always()
		if saw := listen(t.Context(), client, "Hello?"); saw.rung != "eu" || saw.text != "text" {
			t.Errorf("%q by %q, want the sample by the second provider", saw.text, saw.rung)
		}
		if n := len(secondary.Requests()); n != 1 {
			t.Errorf("the second provider was asked %d times", n)
		}
	})
}
