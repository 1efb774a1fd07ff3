package main

import "testing"

func TestRequestsAreCountedOnce(t *testing.T) {
	t.Parallel()
	const client = `package api

// ListThings lists things.
//
// GET /old. Is what the description says.
//
// GET /things. Tried once within 1m.
func (c *Client) ListThings() {}

// ListThingsAll yields the things of all pages.
//
// GET /things. Tried once within 1m.
func (c *Client) ListThingsAll() {}

// MakeThing makes a thing.
//
// POST /things/{a.b}.
// Tried once within 1m.
func (c *Client) MakeThing() {}
`
	const more = `package api

// MakeThingWithText makes a thing of a text.
//
// POST /things/{a.b}.
func (c *Client) MakeThingWithText() {}

// Close ends the client.
func (c *Client) Close() {}

// DELETE /things.
func (c *Client) hidden() {}

// DELETE /other.
func (s *Server) Other() {}
`
	tests := map[string]struct {
		files [][]byte
		count counter
		want  int
	}{
		"resgen":                  {[][]byte{[]byte(client), []byte(more)}, requests, 2},
		"one file of resgen":      {[][]byte{[]byte(more)}, requests, 1},
		"what is no Go":           {[][]byte{[]byte("package"), []byte(client)}, requests, 2},
		"nothing":                 {nil, requests, 0},
		"an operation a match":    {[][]byte{[]byte("a()\nb()\n"), []byte("c()\n")}, matches(`(?m)^\w\(\)`), 3},
		"nothing that it matches": {[][]byte{[]byte("a()\n")}, matches(`^x`), 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.count(tt.files); got != tt.want {
				t.Errorf("%d operations, want %d", got, tt.want)
			}
		})
	}
}

func TestSampleIsSpreadAndHasWhatIsNamed(t *testing.T) {
	t.Parallel()
	docs := make([]document, 10)
	for i := range docs {
		docs[i].name = string(rune('a' + i))
	}
	tests := map[string]struct {
		sample int
		also   string
		want   string
	}{
		"all":                     {0, "", "abcdefghij"},
		"more than there are":     {11, "", "abcdefghij"},
		"some":                    {3, "", "adg"},
		"some, and others":        {3, "b,j", "abdgj"},
		"named and chosen anyway": {3, "d", "adg"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, d := range choose(docs, tt.sample, tt.also) {
				got += d.name
			}
			if got != tt.want {
				t.Errorf("chosen %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWholeNeedsEveryOperation(t *testing.T) {
	t.Parallel()
	d := document{operations: 2}
	for name, tt := range map[string]struct {
		result result
		want   bool
	}{
		"all":              {result{compiles: true, operations: 2}, true},
		"one is missing":   {result{compiles: true, operations: 1}, false},
		"does not compile": {result{operations: 2}, false},
	} {
		if got := tt.result.whole(&d); got != tt.want {
			t.Errorf("%s: whole is %t", name, got)
		}
	}
}

func TestMedianAndRatio(t *testing.T) {
	t.Parallel()
	for want, all := range map[string][]float64{"-": nil, "2.0": {3, 1, 2}, "2.5": {4, 1, 2, 3}} {
		if got := median(all, "%.1f"); got != want {
			t.Errorf("the median of %v is %s, want %s", all, got, want)
		}
	}
	rows := []row{
		{results: []result{{compiles: true, build: 1}, {compiles: true, build: 2}}},
		{results: []result{{compiles: true, build: 9}, {build: 1}}}, // no pair: the other does not compile
	}
	got := ratio(rows, 1, func(r *result) float64 { return float64(r.build) })
	if want := "0.50 (1)"; got != want {
		t.Errorf("ratio %s, want %s", got, want)
	}
}
