package runtime_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// presetSample is one of policy/testdata/presets: an answer after a provider's documented shape, and what it means.
type presetSample struct {
	preset, row string

	Status int               `json:"status"`
	Header map[string]string `json:"header"`
	Body   json.RawMessage   `json:"body"`
	Text   string            `json:"text"`
	Safe   bool              `json:"safe"`
	Want   struct {
		Kind       string `json:"kind"`
		Counts     string `json:"counts"`
		Wait       string `json:"wait"`
		Once       bool   `json:"once"`
		Incomplete string `json:"incomplete"`
		Fleeting   bool   `json:"fleeting"`
	} `json:"want"`
}

// presetTime is when samples are received: dates in them are near it.
var presetTime = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

// presetSamples returns the samples of all presets.
func presetSamples(t *testing.T) []*presetSample {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("policy", "testdata", "presets", "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	all := make([]*presetSample, 0, len(files))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := &presetSample{preset: filepath.Base(filepath.Dir(file)), row: strings.TrimSuffix(filepath.Base(file), ".json")}
		in := json.NewDecoder(bytes.NewReader(text))
		in.DisallowUnknownFields()
		if err := in.Decode(s); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, s)
	}
	return all
}

// meaning is a line of the table of kinds (docs/reference, "Kinds"): is it retried on the same target, what is it for the breaker, and does
// the ladder go on.
type meaning struct {
	retried bool
	breaker string
	ladder  string
}

// What becomes of a failure on the ladder.
const (
	onAny   = "any"   // rungs with `when: [any]` answer it
	onNamed = "named" // only a rung that names it
	onNone  = "none"  // it ends the call
)

// meanings is the table, for the kinds that an answer can be of.
var meanings = map[string]meaning{
	"throttle":         {true, "neutral", onAny},
	"transient":        {true, "failure", onAny},
	"timeout":          {true, "failure", onAny},
	"decode":           {true, "failure", onAny},
	"unusable":         {false, "failure", onAny},
	"caller":           {false, "answered", onNone},
	"refused":          {false, "answered", onNamed},
	"context-too-long": {false, "answered", onNamed},
	"permanent":        {false, "failure", onAny},
}

// meaning returns the line of the sample's kind.
func (s *presetSample) meaning(t *testing.T) meaning {
	t.Helper()
	m, ok := meanings[s.Want.Kind]
	if !ok {
		t.Fatalf("%s/%s: no answer is of the kind %q", s.preset, s.row, s.Want.Kind)
	}
	return m
}

// evidence is what the answer is for the breaker. A 529 is a failure, and of the codes that nobody knows those below 500 are answers.
func (s *presetSample) evidence(t *testing.T) string {
	t.Helper()
	switch {
	case s.Want.Counts != "":
		return s.Want.Counts
	case s.Status == 529 && s.Want.Kind == "throttle":
		return "failure"
	case s.Want.Kind == "permanent" && s.Status >= 400 && s.Status < 500:
		return "answered"
	}
	return s.meaning(t).breaker
}

// wait is how long the answer asks to wait: in the body, or in the header; the longer one of two.
func (s *presetSample) wait(t *testing.T) time.Duration {
	t.Helper()
	var asked time.Duration
	if s.Want.Wait != "" {
		d, err := time.ParseDuration(s.Want.Wait)
		if err != nil {
			t.Fatal(err)
		}
		asked = d
	}
	for name, unit := range map[string]time.Duration{"Retry-After": time.Second, "Retry-After-Ms": time.Millisecond} {
		for have, value := range s.Header {
			if n, err := strconv.Atoi(value); err == nil && http.CanonicalHeaderKey(have) == name {
				asked = max(asked, time.Duration(n)*unit)
			}
		}
	}
	return asked
}

// attempts is how many attempts of three are made where a wait of at most that is waited for.
func (s *presetSample) attempts(t *testing.T, patience time.Duration) int {
	t.Helper()
	switch m := s.meaning(t); {
	case !m.retried || s.wait(t) > patience:
		return 1
	case s.Want.Once, s.isAnswer() && s.Want.Kind == "decode": // nothing in it: tried once more
		return 2
	default:
		return 3
	}
}

// isAnswer says that the sample has a status of success, so that its body alone says that it is none, or not whole.
func (s *presetSample) isAnswer() bool { return s.Status >= 200 && s.Status < 300 }

// kind is the kind that the sample wants.
func (s *presetSample) kind(t *testing.T) policy.Kind {
	t.Helper()
	k, ok := policy.ParseKind(s.Want.Kind)
	if !ok {
		t.Fatalf("%s/%s: no kind %q", s.preset, s.row, s.Want.Kind)
	}
	return k
}

// step answers as the sample does: a sample without a status is an error inside a stream.
func (s *presetSample) step(t *testing.T) playStep {
	t.Helper()
	body := bytes.NewBufferString(s.Text)
	contentType := "text/plain"
	if s.Text == "" {
		contentType = "application/json"
		if err := json.Compact(body, s.Body); err != nil {
			t.Fatalf("%s/%s: %v", s.preset, s.row, err)
		}
	}
	if s.Status == 0 {
		return sends(chunk{0, "event: error\ndata: " + body.String() + "\n\n", nil})
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for name, value := range s.Header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(s.Status)
		_, _ = w.Write(body.Bytes())
	}
}
