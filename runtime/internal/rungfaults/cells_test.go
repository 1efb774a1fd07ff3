package rungfaults_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
)

// leastCells only ever grows.
const leastCells = 280

// required are the faults that the table has to hold at every rung that sends, with the names that it gives them.
var required = map[string][]string{
	"provider down":                    {"connection refused", "connection reset", "black hole", "accepted, and never a byte"},
	"slow":                             {"slow"},
	"429":                              {"429 with Retry-After", "429 with a Retry-After of an hour", "429 without Retry-After"},
	"529":                              {"529"},
	"500":                              {"500"},
	"malformed and truncated JSON":     {"malformed JSON", "truncated JSON"},
	"HTML from a proxy":                {"HTML from a proxy", "502 and HTML from a proxy"},
	"stall before the first token":     {"stall before the first token", "pings, and never a token"},
	"stall mid-stream":                 {"stall mid-stream"},
	"error event mid-stream":           {"error event mid-stream"},
	"wrong content type":               {"wrong content type"},
	"quota gone":                       {"quota gone"},
	"content refused":                  {"content refused"},
	"context too long":                 {"context too long"},
	"a later rung answers 400":         {"400"},
	"a later rung's window":            {"context too long"},
	"the breaker opens in between":     {"the breaker opens at the attempt", "the breaker opens before the retry"},
	"the caller gives up":              {"the caller gives up"},
	"an error where an answer belongs": {"an error in place of the answer, status 200", "an answer that shows nothing"},
}

// TestCells counts what is played and what is not: each pair of a rung and a fault, in both forms, is a cell or has a reason why it is none.
func TestCells(t *testing.T) {
	t.Parallel()
	played, left := 0, map[string]int{}
	count := func(name, why string, isCell bool) {
		switch {
		case isCell == (why != ""):
			t.Errorf("%s: a cell: %v, but left out because %q", name, isCell, why)
		case isCell:
			played++
		default:
			left[why]++
		}
	}
	names := map[string]bool{}
	for _, c := range cells() {
		if names[c.name()] {
			t.Errorf("%s is there twice", c.name())
		}
		names[c.name()] = true
		w := c.of(c.stream)
		count(c.name(), w.why, w.how != 0)
	}
	for _, e := range atHand() {
		for _, form := range []struct {
			reply

			name string
		}{{e.plain, "/plain"}, {e.stream, "/stream"}} {
			name := e.rung + "/" + e.name + form.name
			if names[name] {
				t.Errorf("%s is there twice", name)
			}
			names[name] = true
			count(name, form.why, form.rung != "" || form.kind != 0)
		}
	}
	for _, name := range []string{second + "/" + tooSmall, small + "/" + tooSmall, second + "/" + tooDear, small + "/" + tooDear} {
		if !names[name+"/plain"] || !names[name+"/stream"] {
			t.Errorf("no cells of %s", name)
		}
	}
	for what, faults := range required {
		for _, f := range faults {
			for _, place := range places {
				if !names[f+"/"+place+"/plain"] || !names[f+"/"+place+"/stream"] {
					t.Errorf("%s: no cells of %q at %s", what, f, place)
				}
			}
		}
	}
	all := len(sending())*len(places)*2 + len(atHand())*2
	out := 0
	for _, why := range slices.Sorted(maps.Keys(left)) {
		out += left[why]
		fmt.Fprintf(os.Stdout, "left out: %d: %s\n", left[why], why)
	}
	if played+out != all || played < leastCells {
		t.Errorf("%d cells and %d left out, of %d; want at least %d cells", played, out, all, leastCells)
	}
	fmt.Fprintf(os.Stdout, "rungs and faults: %d faults at %d places, %d events at hand: %d cells, %d left out\n",
		len(sending()), len(places), len(atHand()), played, out)
}
