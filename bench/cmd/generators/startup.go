package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// smallest is a document of one operation.
const smallest = `openapi: 3.0.3
info: {title: Smallest, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          description: the thing
          content:
            application/json:
              schema: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer}}}
`

// startUp returns what each tool takes for the smallest document, as the median of some runs: what it takes before it does anything.
func (l *lab) startUp(ctx context.Context) ([]time.Duration, error) {
	spec := filepath.Join(l.root, "smallest.yaml")
	if err := os.WriteFile(spec, []byte(smallest), 0o600); err != nil {
		return nil, fmt.Errorf("smallest document: %w", err)
	}
	const rounds = 11
	all := make([][]time.Duration, len(tools()))
	for range rounds {
		for i, t := range tools() {
			out := filepath.Join(l.module(t), "smallest")
			if err := os.MkdirAll(out, 0o750); err != nil {
				return nil, fmt.Errorf("smallest document: %w", err)
			}
			did := l.timed(ctx, l.module(t), generateTime, l.binary(t), t.args(out, spec, l.root)...)
			if err := os.RemoveAll(out); err != nil {
				return nil, fmt.Errorf("smallest document: %w", err)
			}
			if !did.ok {
				return nil, fmt.Errorf("%s does not generate from the smallest document", t.name)
			}
			all[i] = append(all[i], did.cpu)
		}
	}
	var medians []time.Duration
	for _, took := range all {
		slices.Sort(took)
		medians = append(medians, took[rounds/2])
	}
	return medians, nil
}
