// Command prism makes calls through a generated client against a mock that validates requests, and prints what came of each as JSON. It
// is called with the address of the mock, the file with the client's table, and the file with the calls. The test that builds it writes
// clients.go beside it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime/wire"

	"live.test/play"
)

// client is a generated client as clients.go knows it.
type client struct {
	make func(url string, hc *http.Client, credentials map[string]string) (any, error)
}

// table is what the test tells of a client.
type table struct {
	play.Table
	Key     string
	Schemes []struct{ Option, Header, Prefix string }
}

// outcome is what came of a call: a status and, where the request was refused, why; or why it was not made. Broken says that the mock
// ended; the calls after that are not made.
type outcome struct {
	Name    string
	Status  int
	Refused string
	Unsaid  string
	Broken  bool
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(url, tableFile, callsFile string) error {
	t, err := read[table](tableFile)
	if err != nil {
		return err
	}
	calls, err := read[[]play.Call](callsFile)
	if err != nil {
		return err
	}
	given := map[string]string{}
	for _, s := range t.Schemes {
		given[s.Option] = s.Prefix + "secret"
	}
	// The mock sends headers as documents show them, a coding that its bodies do not have among them.
	recorder := &play.Recorder{Next: &http.Transport{DisableCompression: true}}
	c, err := clients[t.Key].make(url, &http.Client{Transport: recorder}, given)
	if err != nil {
		return err
	}
	p := &play.Player{Table: t.Table, Client: c, Recorder: recorder}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	outcomes := []outcome{}
	for i := range calls {
		o := send(ctx, p, &calls[i])
		if outcomes = append(outcomes, o); o.Broken {
			break
		}
	}
	return json.NewEncoder(os.Stdout).Encode(outcomes)
}

func read[T any](file string) (T, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		var none T
		return none, err
	}
	return play.Read[T](data)
}

func send(ctx context.Context, p *play.Player, c *play.Call) outcome {
	out := outcome{Name: c.Name}
	response, body, err := p.Send(ctx, c)
	if err != nil {
		var broken *wire.TransportError
		out.Unsaid, out.Broken = err.Error(), errors.As(err, &broken)
		return out
	}
	out.Status = response.StatusCode
	out.Refused = refusal(response, body)
	return out
}

// refusal reads why the mock took no part in a request. What it finds wrong it says in the header sl-violations, of requests and of its
// own answers, or in a problem of its own.
func refusal(response *http.Response, body []byte) string {
	text := response.Header.Get("sl-violations")
	var violations []struct {
		Location      []string
		Severity      string
		Message, Code string
	}
	if text != "" && json.Unmarshal([]byte(text), &violations) != nil {
		return text
	}
	var all []string
	for _, v := range violations {
		if len(v.Location) > 0 && v.Location[0] == "request" && v.Severity == "Error" {
			all = append(all, strings.Join(v.Location, ".")+" "+v.Message)
		}
	}
	var problem struct {
		Type, Detail string
		Validation   []struct {
			Location []string
			Message  string
		}
	}
	if strings.Contains(response.Header.Get("Content-Type"), "problem+json") && json.Unmarshal(body, &problem) == nil &&
		strings.HasPrefix(problem.Type, "https://stoplight.io/prism/errors#") {
		kind := strings.TrimPrefix(problem.Type, "https://stoplight.io/prism/errors#")
		if response.StatusCode >= 500 {
			return "" // it took the request, and could not make an answer
		}
		all = append(all, kind)
		for _, v := range problem.Validation {
			all = append(all, strings.Join(v.Location, ".")+" "+v.Message)
		}
	}
	return strings.Join(all, "; ")
}
