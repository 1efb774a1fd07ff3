package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/simulate"
)

// SimulationReport is what simulations came to: its fields, as its JSON names them, are only ever added to.
type SimulationReport = simulate.Report

// Simulation is what Simulate found.
type Simulation struct {
	// Result holds what was wrong with the input, and with the files of scenarios. Where an error is among its diagnostics, nothing was played.
	Result Result
	// Report is what the runs came to.
	Report SimulationReport
}

// SimulateOptions say what is simulated. The zero value plays, for all operations that have a policy, the scenarios that have to do with them.
type SimulateOptions struct {
	// Scenarios are names (see ScenarioNames) or files.
	Scenarios []string
	// Operations are operationIds or Go methods. Empty: all that have a policy.
	Operations []string
	// Seed is what all is drawn from: with an equal one, equal input gives equal bytes.
	Seed uint64
	// Rate is how many calls a second the scenarios with a name have, of all operations together, and Latency how long their servers take in the
	// median. 0 is taken from the plans: see docs/explanation/simulate.md.
	Rate    float64
	Latency time.Duration
	// Expect are expectations, NAME=VALUE or NAME=off, that go before those of scenarios.
	Expect []string
}

// ScenarioNames are the names of the scenarios that have one.
func ScenarioNames() []string { return simulate.Names() }

// Simulate plays the plans of the clients through scenarios and writes nothing. The mode of the configuration does not count. The error is as
// Run's; ErrUsage also where a scenario, an operation or an expectation does not exist.
func Simulate(ctx context.Context, cfg Config, opts *SimulateOptions) (*Simulation, error) {
	cfg.Mode = Lint
	result, err := Run(ctx, cfg)
	out := &Simulation{Result: *result, Report: SimulationReport{Seed: opts.Seed, Runs: []simulate.Run{}}}
	if err != nil || result.HasErrors() {
		return out, err
	}
	ctx, cancel := bounded(ctx, &cfg)
	defer cancel()
	play := simulate.Options{
		Seed: opts.Seed, Rate: opts.Rate, Latency: opts.Latency, Expect: simulate.Expect{}, Stop: func() bool { return ctx.Err() != nil },
	}
	if err := opts.check(&play); err != nil {
		return out, err
	}
	if err := out.scenarios(opts.Scenarios, &play); err != nil || out.Result.HasErrors() {
		return out, err
	}
	chosen, err := out.operations(opts.Operations)
	if err != nil {
		return out, err
	}
	if err := called(play.Files, chosen); err != nil {
		return out, err
	}
	for i := range chosen {
		o := &result.Outputs[i]
		if len(chosen[i]) == 0 {
			continue
		}
		if cfg.Progress != nil {
			play.Progress = func(scenario string) { cfg.Progress(Stage{Client: o.Name, Step: "simulate " + scenario + " for"}) }
		}
		runs, err := simulate.Client(chosen[i], &play)
		switch {
		case ctx.Err() != nil:
			return out, fmt.Errorf("simulate %s: %w", o.Name, context.Cause(ctx))
		case err != nil:
			return out, fmt.Errorf("%w: %w", ErrUsage, err)
		}
		out.add(o.Name, runs)
	}
	return out, nil
}

// check reads what is neither a file nor an operation.
func (o *SimulateOptions) check(play *simulate.Options) error {
	if !(o.Rate >= 0 && o.Rate <= mostRate) || o.Latency < 0 {
		return fmt.Errorf("%w: a rate lies between 0 and %d calls a second, and a latency is not below 0", ErrUsage, mostRate)
	}
	for _, text := range o.Expect {
		if err := play.Expect.Set(text); err != nil {
			return fmt.Errorf("%w: %w", ErrUsage, err)
		}
	}
	return nil
}

// mostRate bounds the calls of a second, so that a slip does not fill the memory.
const mostRate = 10_000

// scenarios sorts names from files, and reads those.
func (s *Simulation) scenarios(all []string, play *simulate.Options) error {
	var list diag.List
	for _, name := range all {
		if simulate.IsName(name) {
			play.Names = append(play.Names, name)
			continue
		}
		data, err := readFile(name)
		if err != nil {
			if !strings.ContainsAny(name, "./\\") {
				return unknownScenario(name)
			}
			return err
		}
		if read, ok := simulate.Read(display(name), data, &list); ok {
			play.Files = append(play.Files, read)
		}
	}
	for _, d := range s.Result.Diagnostics {
		list.Add(d)
	}
	s.Result.Diagnostics = list.Sorted()
	return nil
}

func unknownScenario(name string) error {
	known := simulate.Names()
	if near := diag.Nearest(name, known); near != "" {
		return fmt.Errorf("%w: there is no scenario %q; did you mean %q?", ErrUsage, name, near)
	}
	return fmt.Errorf("%w: there is no scenario %q, and no file of that name; there are %s", ErrUsage, name, strings.Join(known, ", "))
}

// operations are those that are played, for each output.
func (s *Simulation) operations(wanted []string) ([][]simulate.Operation, error) {
	out := make([][]simulate.Operation, len(s.Result.Outputs))
	found := map[string]bool{}
	some := false
	for i := range s.Result.Outputs {
		all := s.Result.Outputs[i].pkg.Client.Operations
		for j := range all {
			op := &all[j]
			named := slices.Contains(wanted, op.Model.ID) || slices.Contains(wanted, op.GoName)
			found[op.Model.ID], found[op.GoName] = true, true
			if op.PolicyOf != "" || len(wanted) > 0 && !named || len(wanted) == 0 && !simulate.HasPolicy(&op.Policy) {
				continue
			}
			some = true
			played := simulate.Operation{Name: op.Policy.Operation, Plan: op.Policy, MostOutput: op.MostOutput}
			if strings.HasSuffix(op.Model.ID, "."+played.Name) { // Interface.Method
				played.Name = op.Model.ID
			}
			played.Plan.Operation = played.Name // by which scenarios ask for it
			out[i] = append(out[i], played)
		}
	}
	for _, name := range wanted {
		if found[name] {
			continue
		}
		if near := s.Result.NearestOperation(name); near != "" {
			return nil, fmt.Errorf("%w: there is no operation %q; did you mean %q?", ErrUsage, name, near)
		}
		return nil, fmt.Errorf("%w: there is no operation %q", ErrUsage, name)
	}
	if !some {
		return nil, fmt.Errorf("%w: no operation has a policy; name those that are to be simulated as they are, or annotate some (resgen init suggests how)", ErrUsage)
	}
	return out, nil
}

// called checks that the operations that scenarios call are played, by one of the clients.
func called(files []simulate.Scenario, chosen [][]simulate.Operation) error {
	var known []string
	for _, ops := range chosen {
		for i := range ops {
			known = append(known, ops[i].Name)
		}
	}
	for i := range files {
		for _, c := range files[i].Clients {
			if c.Operation == "" || slices.Contains(known, c.Operation) {
				continue
			}
			if near := diag.Nearest(c.Operation, known); near != "" {
				return fmt.Errorf("%w: scenario %s: client %s calls operation %q, which is not played; did you mean %q?", ErrUsage,
					files[i].Name, c.Name, c.Operation, near)
			}
			return fmt.Errorf("%w: scenario %s: client %s calls operation %q, which is not played: it does not exist, or has no policy and is not named", ErrUsage,
				files[i].Name, c.Name, c.Operation)
		}
	}
	return nil
}

// add adds the runs of a client.
func (s *Simulation) add(client string, runs []simulate.Run) {
	for i := range runs {
		if len(s.Result.Outputs) > 1 {
			runs[i].Client = client
		}
		for _, v := range runs[i].Verdicts {
			s.Report.Failed = s.Report.Failed || v.Fails()
		}
	}
	s.Report.Runs = append(s.Report.Runs, runs...)
}

// SimulationFormats are the names that Simulation.Print takes.
func SimulationFormats() []string { return []string{string(diag.Text), string(diag.JSON)} }

// Print writes the report in one of SimulationFormats; empty is "text". It returns ErrUsage for a format that it does not know.
func (s *Simulation) Print(w io.Writer, format string) error {
	var b bytes.Buffer
	switch diag.Format(format) {
	case diag.Text, "":
		s.Report.Text(&b)
	case diag.JSON:
		if err := diag.EncodeJSON(&b, s.Report); err != nil {
			return fmt.Errorf("print the simulation: %w", err)
		}
	default:
		return fmt.Errorf("%w: simulations are %s, not %q", ErrUsage, strings.Join(SimulationFormats(), ", "), format)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print the simulation: %w", err)
	}
	return nil
}

// Page writes the report as one page of HTML, with charts, that needs no network and no script.
func (s *Simulation) Page(w io.Writer) error {
	if err := s.Report.Page(w); err != nil {
		return fmt.Errorf("print the simulation: %w", err)
	}
	return nil
}

// reportMark stands in every page, and says that it may be replaced.
const reportMark = `<meta name="generator" content="resgen simulate">`

// WritePage writes Page to a file, which is replaced where it is such a page; else it returns ErrForeign.
func (s *Simulation) WritePage(path string) error {
	var b bytes.Buffer
	if err := s.Page(&b); err != nil {
		return err
	}
	there, err := readHead(path)
	switch {
	case err == nil && !bytes.Contains(there, []byte(reportMark)):
		return fmt.Errorf("%s: %w: it is no page of a simulation; give another name to --report, or remove it", display(path), ErrForeign)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return replaceFile(path, b.Bytes())
}
