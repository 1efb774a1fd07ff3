// Command autorest plays the scenarios of autorest.testserver through the clients that were generated from its documents of OpenAPI 2.0,
// and prints what came of each operation as JSON. It is called with the address of the server. The server keeps the state of its
// scenarios in cookies, so that all clients share a jar.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"time"

	rt "github.com/resgen-go/resgen/runtime"
)

// answer is what came of a call: the status and the text of its error, the number of items where it was one for all pages.
type answer struct {
	Status int
	Error  string
	Items  int
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(url string) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	hc := &http.Client{Jar: jar}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	answers := map[string]answer{}
	for _, play := range []func(context.Context, string, *http.Client, map[string]answer) error{playInfra, playPages} {
		if err := play(ctx, url, hc, answers); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}

// answerOf says what an error is.
func answerOf(err error) answer {
	if err == nil {
		return answer{}
	}
	out := answer{Error: err.Error()}
	var failure *rt.Error
	if errors.As(err, &failure) {
		out.Status = failure.Status
	}
	return out
}
