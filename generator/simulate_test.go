package generator_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
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
