package diag_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

const document = "paths:\n\tü: {on: [timeout]} # é\n"

func span(line, column, length int) source.Span {
	return source.Span{Pos: source.Pos{File: "specs/llm.yaml", Line: line, Column: column}, Len: length}
}

// findings are one diagnostic with all there is, and one with as little as possible.
func findings() []diag.Diagnostic {
	return []diag.Diagnostic{
		{
			Code: diag.RetryWithoutIdempotency, Span: span(2, 12, 7), What: `operation "createChat" is retried on "timeout"`,
			Why: "a retry may bill twice, 100%", Fix: "add `idempotency: keyed`",
			Related: []diag.Related{{Span: span(1, 1, 5), What: "the operation is here"}},
		},
		{Code: diag.UnknownKey, Severity: diag.Warning, What: "no place"},
	}
}

func options() diag.Options {
	return diag.Options{Source: func(file string) []byte {
		if file != "specs/llm.yaml" {
			return nil
		}
		return []byte(document)
	}}
}

func render(t *testing.T, format diag.Format, ds []diag.Diagnostic, opts diag.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := diag.Print(&b, format, ds, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPrintText(t *testing.T) {
	t.Parallel()
	want := `specs/llm.yaml:2:12: error RG3104: operation "createChat" is retried on "timeout"
    at:  specs/llm.yaml:1:1: the operation is here
    why: a retry may bill twice, 100%
    fix: add ` + "`idempotency: keyed`" + `
    see: resgen explain RG3104
warning RG2001: no place
    see: resgen explain RG2001
`
	if diff := cmp.Diff(want, render(t, diag.Text, findings(), diag.Options{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestPrintTextListing(t *testing.T) {
	t.Parallel()
	opts := options()
	opts.Listing = true
	got := render(t, diag.Text, findings()[:1], opts)
	want := "    2 |  ü: {on: [timeout]} # é\n      |           ^~~~~~~\n"
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant it to contain\n%s", got, want)
	}
}

func TestListingOfOddPlaces(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 500)
	tests := []struct {
		name, text string
		span       source.Span
		want       string // the two lines of the listing, empty for none
	}{
		{"end of a line", "ab\r\nc", span(1, 3, 0), "    1 | ab\n      |   ^\n"},
		{"lone carriage return", "ab\rcd", span(2, 1, 2), "    2 | cd\n      | ^~\n"},
		{"byte order mark", "\xef\xbb\xbfab", span(1, 2, 1), "    1 | ab\n      |  ^\n"},
		{"control characters", "a\x1b[31mb: c", span(1, 7, 1), "    1 | a\\x1b[31mb: c\n      |          ^\n"},
		{"span past the line", "ab", span(1, 2, 99), "    1 | ab\n      |  ^\n"},
		{"line that is not there", "ab", span(2, 1, 1), ""},
		{"column that is not there", "ab", span(1, 9, 1), ""},
		{"no column", "ab", span(1, 0, 1), ""},
		{
			"long line", long + "x" + long, span(1, 1001, 1),
			"    1 | …" + strings.Repeat("é", 25) + "x" + strings.Repeat("é", 24) + "…\n      | " + strings.Repeat(" ", 26) + "^\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			opts := diag.Options{Listing: true, Source: func(string) []byte { return []byte(tt.text) }}
			got := render(t, diag.Text, []diag.Diagnostic{{Code: "RG1002", Span: tt.span, What: "w"}}, opts)
			_, rest, _ := strings.Cut(got, "\n")
			if rest = strings.TrimSuffix(rest, "    see: resgen explain RG1002\n"); rest != tt.want {
				t.Errorf("got\n%s\nwant\n%s", rest, tt.want)
			}
		})
	}
}

func TestPrintJSON(t *testing.T) {
	t.Parallel()
	var got any
	if err := json.Unmarshal([]byte(render(t, diag.JSON, findings(), diag.Options{})), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"diagnostics": []any{
		map[string]any{
			"file": "specs/llm.yaml", "line": 2.0, "column": 12.0, "length": 7.0, "severity": "error", "code": "RG3104",
			"what": `operation "createChat" is retried on "timeout"`, "why": "a retry may bill twice, 100%", "fix": "add `idempotency: keyed`",
			"related": []any{map[string]any{"file": "specs/llm.yaml", "line": 1.0, "column": 1.0, "length": 5.0, "what": "the operation is here"}},
		},
		map[string]any{"file": "", "severity": "warning", "code": "RG2001", "what": "no place"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := render(t, diag.JSON, nil, diag.Options{}); got != "{\n  \"diagnostics\": []\n}\n" {
		t.Errorf("without diagnostics: %s", got)
	}
}

func TestPrintGitHub(t *testing.T) {
	t.Parallel()
	want := `::error file=specs/llm.yaml,line=2,col=11,title=RG3104::operation "createChat" is retried on "timeout"` +
		`%0Aat: specs/llm.yaml:1:1: the operation is here%0Awhy: a retry may bill twice, 100%25` + "%0Afix: add `idempotency: keyed`\n" +
		"::warning title=RG2001::no place\n"
	if diff := cmp.Diff(want, render(t, diag.GitHub, findings(), options())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	odd := diag.Diagnostic{Code: "RG1002", Span: source.Span{Pos: source.Pos{File: "a,b:c%\n.yaml", Line: 1, Column: 1}}, What: "w"}
	if got, want := render(t, diag.GitHub, []diag.Diagnostic{odd}, diag.Options{}), "::error file=a%2Cb%3Ac%25\\n.yaml,line=1,col=1,title=RG1002::w\n"; got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestPrintSARIF(t *testing.T) {
	t.Parallel()
	var got struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID, Name string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
				RelatedLocations []any
			}
		}
	}
	ds := findings()
	ds[0].Span.File = "my specs/llm.yaml"
	opts := diag.Options{Source: func(string) []byte { return []byte(document) }}
	if err := json.Unmarshal([]byte(render(t, diag.SARIF, ds, opts)), &got); err != nil {
		t.Fatal(err)
	}
	run := got.Runs[0]
	if got.Version != "2.1.0" || run.Tool.Driver.Name != "resgen" || len(run.Results) != len(ds) {
		t.Fatalf("got %+v", got)
	}
	for i, r := range run.Results {
		if rule := run.Tool.Driver.Rules[r.RuleIndex]; rule.ID != string(ds[i].Code) || r.RuleID != rule.ID || rule.Name == "" {
			t.Errorf("result %d has rule %+v, want %s", i, rule, ds[i].Code)
		}
		if r.Level != ds[i].Severity.String() {
			t.Errorf("result %d has level %s, want %s", i, r.Level, ds[i].Severity)
		}
	}
	first := run.Results[0]
	place := first.Locations[0].PhysicalLocation
	if place.ArtifactLocation.URI != "my%20specs/llm.yaml" || place.Region.StartLine != 2 || place.Region.StartColumn != 11 {
		t.Errorf("the first result is at %+v", place)
	}
	if want := "operation \"createChat\" is retried on \"timeout\"\nwhy: a retry may bill twice, 100%\nfix: add `idempotency: keyed`"; first.Message.Text != want {
		t.Errorf("message %q, want %q", first.Message.Text, want)
	}
	if len(first.RelatedLocations) != 1 || len(run.Results[1].Locations) != 0 {
		t.Errorf("related %v, locations of a diagnostic without a place %v", first.RelatedLocations, run.Results[1].Locations)
	}
}

// TestNoPrinterLetsControlCharactersThrough feeds every hidden character in every field, and allows only the line feeds that
// the printer itself writes.
func TestNoPrinterLetsControlCharactersThrough(t *testing.T) {
	t.Parallel()
	hostile := "a\x00\x07\b\x1b[2J\r\n::error::x\tb\x7f\u0085\u009b31m\u200b\u2028\u2029\u202e\u2066\ufeff\U000e0001z"
	d := diag.Diagnostic{
		Code: "RG1002", Span: source.Span{Pos: source.Pos{File: hostile, Line: 1, Column: 3}}, What: hostile, Why: hostile, Fix: hostile,
		Related: []diag.Related{{Span: source.Span{Pos: source.Pos{File: hostile, Line: 1, Column: 1}}, What: hostile}},
	}
	opts := diag.Options{Listing: true, Source: func(string) []byte { return []byte(hostile) }}
	for _, format := range diag.Formats {
		got := render(t, diag.Format(format), []diag.Diagnostic{d}, opts)
		for line := range strings.SplitSeq(got, "\n") {
			if i := strings.IndexFunc(line, func(r rune) bool {
				return r < ' ' || r >= 0x7F && r <= 0x9F || r >= 0x200B && r <= 0xFEFF || r > 0xFFFF
			}); i >= 0 {
				t.Errorf("%s: %q at byte %d of %q", format, line[i:i+1], i, line)
			}
			if strings.HasPrefix(line, "::error::x") {
				t.Errorf("%s: the document has forged a line", format)
			}
		}
	}
}

func TestPrintRefusesAnUnknownFormat(t *testing.T) {
	t.Parallel()
	if err := diag.Print(&bytes.Buffer{}, "xml", nil, diag.Options{}); !errors.Is(err, diag.ErrFormat) {
		t.Errorf("got %v, want ErrFormat", err)
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestPrintReturnsTheErrorOfTheWriter(t *testing.T) {
	t.Parallel()
	if err := diag.Print(fullDisk{}, diag.Text, findings(), diag.Options{}); !errors.Is(err, errFull) {
		t.Errorf("got %v, want the writer's error", err)
	}
}
