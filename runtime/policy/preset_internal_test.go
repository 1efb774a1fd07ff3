package policy

import (
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sample is an answer after the documented shape, and what it means: testdata/presets/PRESET/ROW.json. The text is ours; only what a
// row looks at is the provider's.
type sample struct {
	// Status is the status code; 0 for an error inside a stream.
	Status int `json:"status"`
	// Header is the header of the answer.
	Header map[string]string `json:"header"`
	// Body is the body, or the data of the item; Text is one that is no JSON.
	Body json.RawMessage `json:"body"`
	Text string          `json:"text"`
	// Safe says that the operation changes nothing.
	Safe bool `json:"safe"`
	Want struct {
		Kind string `json:"kind"`
		// Counts is "failure", "neutral", "answered" or "success"; without it what the kind says.
		Counts string `json:"counts"`
		// Wait is a Go duration; empty for none.
		Wait string `json:"wait"`
		Once bool   `json:"once"`
		// Incomplete is why the answer is not whole, Fleeting that it is not to be remembered.
		Incomplete string `json:"incomplete"`
		Fleeting   bool   `json:"fleeting"`
	} `json:"want"`
}

// sampleTime is when samples are received.
var sampleTime = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

func (s *sample) answer() Answer {
	header := http.Header{}
	for name, value := range s.Header {
		header.Set(name, value)
	}
	body := []byte(s.Body)
	if s.Text != "" {
		body = []byte(s.Text)
	}
	return Answer{Status: s.Status, Header: header.Get, Body: body, Safe: s.Safe}
}

// finding is what the sample wants.
func (s *sample) finding(t *testing.T) Finding {
	t.Helper()
	kind, ok := ParseKind(s.Want.Kind)
	if !ok {
		t.Fatalf("no kind %q", s.Want.Kind)
	}
	f := Finding{Kind: kind, Verdict: VerdictOfStatus(s.Status, kind), Once: s.Want.Once}
	verdicts := map[string]Verdict{"": f.Verdict, "failure": Failure, "neutral": Neutral, "answered": Answered, "success": Success}
	if f.Verdict, ok = verdicts[s.Want.Counts]; !ok {
		t.Fatalf("no verdict %q", s.Want.Counts)
	}
	if s.Want.Wait != "" {
		wait, err := time.ParseDuration(s.Want.Wait)
		if err != nil {
			t.Fatal(err)
		}
		f.Wait, f.Waits = wait, true
	}
	return f
}

func readSample(t *testing.T, preset, row string) *sample {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "presets", preset, row+".json"))
	if err != nil {
		t.Fatal(err)
	}
	in := json.NewDecoder(strings.NewReader(string(data)))
	in.DisallowUnknownFields()
	s := new(sample)
	if err := in.Decode(s); err != nil {
		t.Fatalf("%s/%s: %v", preset, row, err)
	}
	return s
}

// Floors of what presets know. They only rise.
const (
	leastPresets = 15
	leastRows    = 200
)

// Each row has a sample, which that row decides, and which means something else without it.
func TestPresetRows(t *testing.T) {
	t.Parallel()
	rows, kills, with := 0, 0, map[string]bool{}
	for _, name := range Presets() {
		p := presets[name]
		for i := range p.failures {
			r := &p.failures[i]
			rows++
			with[name] = true
			if killsFailure(t, name, r) {
				kills++
			}
		}
		for i := range p.answers {
			rows++
			with[name] = true
			if killsAnswer(t, name, &p.answers[i]) {
				kills++
			}
		}
	}
	t.Logf("%d rows over %d presets, %d of them missed when they are deleted", rows, len(with), kills)
	if rows < leastRows || len(with) < leastPresets || kills != rows {
		t.Errorf("%d rows (at least %d) over %d presets (at least %d), %d missed", rows, leastRows, len(with), leastPresets, kills)
	}
}

// killsFailure reports whether the sample of a row on failures means something else without it.
func killsFailure(t *testing.T, preset string, r *row) bool {
	t.Helper()
	s := readSample(t, preset, r.id)
	e := Errors{Preset: preset}
	if got := e.rowOf(newReading(s.answer()), nil); got != r {
		t.Errorf("%s/%s: decided by the row %q", preset, r.id, idOf(got))
	}
	with := e.Classify(sampleTime, s.answer(), None, 1)
	if diff := cmp.Diff(s.finding(t), with); diff != "" {
		t.Errorf("%s/%s (-want +got):\n%s", preset, r.id, diff)
	}
	without := e.classify(sampleTime, newReading(s.answer()), None, 1, r)
	if with == without {
		t.Errorf("%s/%s: means the same without the row: %v", preset, r.id, with.Kind)
	}
	return with != without
}

// killsAnswer reports whether the sample of a row on answers means something else without it.
func killsAnswer(t *testing.T, preset string, r *row) bool {
	t.Helper()
	s := readSample(t, preset, r.id)
	want := Sentence{Incomplete: s.Want.Incomplete, Fleeting: s.Want.Fleeting}
	if s.Want.Kind != "" {
		f := s.finding(t)
		want.Failed, want.Kind = true, f.Kind
	}
	p := &Plan{Errors: Errors{Preset: preset, Judge: true}}
	with, without := NewJudge(p).Of(s.Status, s.Body), newJudge(p, r, nil).Of(s.Status, s.Body)
	if diff := cmp.Diff(want, with); diff != "" {
		t.Errorf("%s/%s (-want +got):\n%s", preset, r.id, diff)
	}
	if with == without {
		t.Errorf("%s/%s: means the same without the row: %+v", preset, r.id, with)
	}
	return with != without
}

func idOf(r *row) string {
	if r == nil {
		return ""
	}
	return r.id
}

// Rows are told apart by their ids, say where they come from, look at something, and have no sample too many.
func TestPresetRowsAreWhole(t *testing.T) {
	t.Parallel()
	for name, p := range presets {
		ids := map[string]bool{}
		for _, r := range p.answers {
			if r.once != (r.kind == KindDecode) || r.wait.form != waitNone || r.counts || len(r.status) > 0 || r.fleeting && r.kind != KindNone {
				t.Errorf("%s/%s: says what no answer of success can mean", name, r.id)
			}
		}
		for _, r := range slices.Concat(p.failures, p.answers) {
			if ids[r.id] || r.id == "" || r.source == "" {
				t.Errorf("%s: row %q comes twice, or has no name or no source", name, r.id)
			}
			if len(r.at) == 0 && len(r.status) == 0 {
				t.Errorf("%s/%s: looks at nothing", name, r.id)
			}
			if r.wait.form == waitNone && len(r.wait.at) > 0 || r.wait.form != waitNone && r.wait.form != waitMonth && len(r.wait.at) == 0 {
				t.Errorf("%s/%s: half a wait", name, r.id)
			}
			ids[r.id] = true
		}
		if _, ok := presets[p.extends]; p.extends != "" && !ok {
			t.Errorf("%s extends %q", name, p.extends)
		}
		files, err := fs.Glob(os.DirFS("testdata"), "presets/"+name+"/*.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if id := strings.TrimSuffix(filepath.Base(file), ".json"); !ids[id] {
				t.Errorf("%s: a sample without a row", file)
			}
		}
	}
	folders, err := os.ReadDir(filepath.Join("testdata", "presets"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if !slices.Contains(slices.Collect(maps.Keys(presets)), f.Name()) {
			t.Errorf("testdata/presets/%s: samples of no preset", f.Name())
		}
	}
}
