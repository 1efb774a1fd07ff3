package rounds

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/bench/internal/cpu"
)

// Results is what the rounds measured. It is kept as JSON beside the page that is made of it.
type Results struct {
	// Date is the day, UTC.
	Date string `json:"date"`
	// Go is the toolchain's version, Platform GOOS/GOARCH, Machine the processor's name, Processors their number.
	Go         string `json:"go"`
	Platform   string `json:"platform"`
	Machine    string `json:"machine"`
	Processors int    `json:"processors"`
	// Rounds is how often each arm ran, Time for how long each time.
	Rounds int    `json:"rounds"`
	Time   string `json:"time"`
	// Modules are the peers with their versions: "path version".
	Modules []string `json:"modules"`
	// Arms has a sample per round for each benchmark and arm: "Seq/floor/full".
	Arms map[string][]Sample `json:"arms"`
	// Order is the order in which the arms were seen.
	Order []string `json:"order"`
	// Missing are the arms that were not measured, with the reason: "Decode/query/sonic: it has no code for this version of Go".
	Missing []string `json:"missing,omitempty"`
}

// Sample is one run of one arm.
type Sample struct {
	// CPU is nanoseconds of the process for each operation, Bytes and Allocs what was allocated for each.
	CPU    float64 `json:"cpu"`
	Bytes  float64 `json:"bytes"`
	Allocs float64 `json:"allocs"`
}

// read takes the output of a test binary.
func (r *Results) read(from io.Reader) error {
	lines := bufio.NewScanner(from)
	said := ""
	for lines.Scan() {
		line := lines.Text()
		if arm, ok := strings.CutPrefix(line, "--- SKIP: Benchmark"); ok {
			r.miss(arm, said)
		}
		said = line
		if key, value, ok := strings.Cut(line, ": "); ok {
			r.about(key, value)
			continue
		}
		name, ok := strings.CutPrefix(line, "Benchmark")
		fields := strings.Fields(name)
		if !ok || len(fields) < 4 {
			continue
		}
		s, err := sample(fields[2:])
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		r.add(withoutProcessors(fields[0]), s)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read what a benchmark printed: %w", err)
	}
	return nil
}

// miss notes why an arm was skipped: the line before says "file.go:12: reason".
func (r *Results) miss(arm, said string) {
	_, reason, _ := strings.Cut(said, ": ")
	note := withoutProcessors(arm) + ": " + strings.TrimSpace(reason)
	if !slices.Contains(r.Missing, note) {
		r.Missing = append(r.Missing, note)
	}
}

func (r *Results) about(key, value string) {
	switch key {
	case "goos":
		r.Platform = value
	case "goarch":
		r.Platform, _, _ = strings.Cut(r.Platform, "/")
		r.Platform += "/" + value
	case "cpu":
		r.Machine = value
	}
}

func (r *Results) add(arm string, s Sample) {
	if _, seen := r.Arms[arm]; !seen {
		r.Order = append(r.Order, arm)
	}
	r.Arms[arm] = append(r.Arms[arm], s)
}

// withoutProcessors cuts "-8", the number of processors that package testing adds to a name.
func withoutProcessors(name string) string {
	at := strings.LastIndexByte(name, '-')
	if at < 0 {
		return name
	}
	if _, err := strconv.Atoi(name[at+1:]); err != nil {
		return name
	}
	return name[:at]
}

// sample reads pairs of a number and its unit.
func sample(fields []string) (Sample, error) {
	var s Sample
	for pair := range slices.Chunk(fields, 2) {
		if len(pair) < 2 {
			break
		}
		v, err := strconv.ParseFloat(pair[0], 64)
		if err != nil {
			return s, fmt.Errorf("a measurement: %w", err)
		}
		switch pair[1] {
		case cpu.Metric:
			s.CPU = v
		case "B/op":
			s.Bytes = v
		case "allocs/op":
			s.Allocs = v
		}
	}
	return s, nil
}

// median returns the median of what of takes from the samples of an arm; false if it was not measured.
func (r *Results) median(arm string, of func(Sample) float64) (float64, bool) {
	values := make([]float64, 0, len(r.Arms[arm]))
	for _, s := range r.Arms[arm] {
		values = append(values, of(s))
	}
	return middle(values)
}

// paired returns the median over the rounds of what compare makes of two arms in one round.
func (r *Results) paired(arm, base string, compare func(a, b float64) float64) (float64, bool) {
	arms, bases := r.Arms[arm], r.Arms[base]
	rounds := min(len(arms), len(bases))
	values := make([]float64, 0, rounds)
	for i := range rounds {
		values = append(values, compare(arms[i].CPU, bases[i].CPU))
	}
	return middle(values)
}

func middle(values []float64) (float64, bool) {
	if len(values) == 0 {
		return 0, false
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2, true
}

func cpuOf(s Sample) float64    { return s.CPU }
func bytesOf(s Sample) float64  { return s.Bytes }
func allocsOf(s Sample) float64 { return s.Allocs }

func ratio(a, b float64) float64      { return a / b }
func difference(a, b float64) float64 { return a - b }

// Load reads results that were kept.
func Load(file string) (*Results, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	var r Results
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &r, nil
}
