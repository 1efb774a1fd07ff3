package generator_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/resgen-go/resgen/generator"
)

// simulated is the case whose simulation is kept: a ladder, limits, a cache, a hedge, streams, and operations that must not be repeated.
const simulated = specsDir + "/llm"

// simulation plays scenarios for that case.
func simulation(t *testing.T, scenarios ...string) *generator.Simulation {
	t.Helper()
	s, err := generator.Simulate(t.Context(), generator.Config{File: filepath.Join(simulated, "options.yaml")},
		&generator.SimulateOptions{Scenarios: scenarios, Seed: 1})
	if err != nil || s.Result.HasErrors() {
		t.Fatalf("%v, %+v", err, s.Result.Diagnostics)
	}
	return s
}

// TestGoldensOfSimulations compares each byte of what people and programs read of a simulation. -update writes the files instead.
func TestGoldensOfSimulations(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*generator.Simulation{"simulation.txt": simulation(t), "simulation.json": simulation(t, "outage")} {
		format := generator.SimulationFormats()[0]
		if filepath.Ext(name) == ".json" {
			format = generator.SimulationFormats()[1]
		}
		var b bytes.Buffer
		if err := s.Print(&b, format); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(simulated, name)
		if *update {
			writeFile(t, path, b.String())
			continue
		}
		compareFile(t, path, b.String())
	}
}

// TestASimulationIsGivenUp when its time is over, or its context.
func TestASimulationIsGivenUp(t *testing.T) {
	t.Parallel()
	dir, cfg := project(t, "openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\npaths:\n  /pets:\n    get:\n      operationId: listPets\n"+
		"      x-resilience: {retry: {attempts: 2}}\n      responses: {'204': {description: Nothing.}}\n")
	long := filepath.Join(dir, "long.scenario")
	writeFile(t, long, "scenario long length=1000s\nclient users rate=1900/s\nserver primary latency=1s\n")
	cfg.MaxTime = 100 * time.Millisecond
	if _, err := generator.Simulate(t.Context(), cfg, &generator.SimulateOptions{Scenarios: []string{long}}); !errors.Is(err, generator.ErrTooLong) {
		t.Errorf("got %v, want ErrTooLong", err)
	}
	cfg.MaxTime = 0
	ctx, cancel := context.WithCancel(t.Context())
	cfg.Progress = func(s generator.Stage) {
		if s.Step == "simulate long for" {
			cancel()
		}
	}
	if _, err := generator.Simulate(ctx, cfg, &generator.SimulateOptions{Scenarios: []string{long}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the end of the context", err)
	}
}

// petsDocument is a document of one operation, with what stands at its top and at the operation.
func petsDocument(operation, top, policies string) string {
	return "openapi: 3.1.0\ninfo: {title: Pets, version: 1.0.0}\nservers: [{url: 'https://api.example.com'}]\n" + top +
		"paths:\n  /pets:\n    get:\n      operationId: " + operation + "\n      x-resilience: " + policies + "\n      responses: {'204': {description: Nothing.}}\n"
}

// TestALadderThatAVerdictShowsCanBePasted into the document: the verdict is then gone.
func TestALadderThatAVerdictShowsCanBePasted(t *testing.T) {
	t.Parallel()
	play := func(top, policies string) *generator.Simulation {
		_, cfg := project(t, petsDocument("listPets", top, policies))
		s, err := generator.Simulate(t.Context(), cfg, &generator.SimulateOptions{Scenarios: []string{"outage"}, Seed: 1})
		if err != nil || s.Result.HasErrors() {
			t.Fatalf("%v, %+v", err, s.Result.Diagnostics)
		}
		return s
	}
	before := play("", "{breaker: {}}")
	if all := before.Report.Runs[0].Verdicts; len(all) != 1 || all[0].Rule != "no-ladder" {
		t.Fatalf("got %+v", all)
	}
	shown := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(before.Report.Runs[0].Verdicts[0].Fix, -1)
	if len(shown) != 3 {
		t.Fatalf("got %q", shown)
	}
	for name, s := range map[string]*generator.Simulation{
		"a ladder": play("x-resilience: {"+shown[1][1]+"}\n", "{breaker: {}, "+shown[0][1]+"}"),
		"none":     play("", "{breaker: {}, "+shown[2][1]+"}"),
	} {
		if all := s.Report.Runs[0].Verdicts; len(all) > 0 {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// TestScenariosOfOneOfTwoClients: a scenario may call an operation of one client, which the other does not have; what neither has is refused.
func TestScenariosOfOneOfTwoClients(t *testing.T) {
	t.Parallel()
	dir, _ := project(t, petsDocument("listPets", "", "{breaker: {}}"))
	writeFile(t, filepath.Join(dir, "cats.yaml"), petsDocument("listCats", "", "{breaker: {}}"))
	writeFile(t, filepath.Join(dir, "resgen.yaml"), "version: 1\nclients:\n  - {name: pets, spec: api.yaml, out: pets, package: pets}\n  - {name: cats, spec: cats.yaml, out: cats, package: cats}\n")
	scenario := filepath.Join(dir, "own.scenario")
	play := func(lines string) (*generator.Simulation, error) {
		writeFile(t, scenario, "scenario own length=1m\n"+lines)
		return generator.Simulate(t.Context(), generator.Config{File: filepath.Join(dir, "resgen.yaml")}, &generator.SimulateOptions{Scenarios: []string{scenario}})
	}
	s, err := play("client a rate=10/s operation=listCats\n")
	if err != nil || s.Result.HasErrors() || len(s.Report.Runs) != 1 || s.Report.Runs[0].Client != "cats" {
		t.Errorf("one client's: %v, %+v, %+v", err, s.Result.Diagnostics, s.Report.Runs)
	}
	s, err = play("client a rate=10/s operation=listCats\nclient b rate=10/s\n")
	if err != nil || len(s.Report.Runs) != 2 {
		t.Errorf("both clients': %v, %+v", err, s.Report.Runs)
	}
	if _, err = play("client a rate=10/s operation=listCat\n"); !errors.Is(err, generator.ErrUsage) || !strings.Contains(err.Error(), `did you mean "listCats"?`) {
		t.Errorf("nobody's: %v", err)
	}
	if _, err = play("client a rate=10/s operation=xyz\n"); !errors.Is(err, generator.ErrUsage) || !strings.Contains(err.Error(), "not played") {
		t.Errorf("nobody's: %v", err)
	}
}
