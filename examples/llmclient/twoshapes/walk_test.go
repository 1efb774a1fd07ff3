package main

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/providers"
)

// TestWalk plays the whole walk in virtual time, over connections in memory, and checks what the user saw. What every fault comes to is in
// runtime/internal/faultlist, TestAcrossShapes.
func TestWalk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, toFirst := serve(t, "chat")
		second, toSecond := serve(t, "messages")
		m, err := newModel(reach(toFirst), reach(toSecond))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := walk(t.Context(), &out, m, first, second); err != nil {
			t.Fatal(err)
		}
		want := []string{
			"all is well: - equal - 1 12+6",
			"first: overloaded (529): second alternate throttle 3 19+6",
			"all is well: - equal - 1 12+6",
			"first: JSON that is cut: second alternate decode 3 19+6",
			"first: cut at the most tokens: - equal - 1 12+6",
			"first: declines in words: - - refused 1 12+6",
			"second: declines by its stop reason: apology canned unusable 3 0+0",
			"stream: all is well: - equal - 1 12+6",
			"stream: error after the preamble: second alternate transient 3 19+6",
			"stream: ends without its proof: - equal - 1 0+0",
			"all is well: - equal - 1 12+6",
			"first is gone, second cannot take it: apology canned unusable 3 0+0",
			"both are down: passages reduced transient 5 0+0",
			"both are down: apology canned transient 5 0+0",
			"stream: both are down: passages reduced breaker-open 2 0+0",
		}
		if diff := cmp.Diff(want, rows(out.String())); diff != "" {
			t.Errorf("what the user saw (-want +got):\n%s\n%s", diff, &out)
		}
	})
}

// serve runs a provider on connections in memory.
func serve(t *testing.T, shape string) (*providers.Provider, *http.Client) {
	t.Helper()
	p, err := providers.New(shape)
	if err != nil {
		t.Fatal(err)
	}
	client, stop := providers.Serve(p)
	t.Cleanup(stop)
	return p, client
}

// reach returns the options that lead there.
func reach(client *http.Client) []runtime.Option {
	return []runtime.Option{runtime.WithBaseURL("http://provider.test"), runtime.WithHTTPClient(client)}
}

// rows reads the world, the rung, the level, why, the attempts and the tokens of each row.
func rows(table string) []string {
	const title = 38
	var got []string
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if i == 0 {
			continue
		}
		got = append(got, strings.TrimSpace(line[:title])+": "+strings.Join(strings.Fields(line[title:])[:5], " "))
	}
	return got
}
