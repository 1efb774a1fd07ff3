//go:build unix

package generator_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/resgen-go/resgen/generator"
)

// A pipe in place of a file is refused: to open one waits for whoever opens its other end.
func TestPipesAreNotOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "client.gen.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(t.TempDir(), "spec.yaml")
	writeFile(t, spec, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {operationId: a, responses: {"204": {description: ok}}}}}}`)
	_, err := generator.Run(t.Context(), generator.Config{Client: generator.Client{Spec: spec, Out: dir, Package: "api", ImportPath: "example.com/api"}})
	if err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("an output that is a pipe: %v", err)
	}
}
