package generator

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// stdinName is how diagnostics name standard input.
const stdinName = "<stdin>"

// display is a path as diagnostics print it: from the working directory where it lies below that, with forward slashes.
func display(name string) string {
	if filepath.IsAbs(name) {
		if wd, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(wd, name); err == nil && filepath.IsLocal(rel) {
				name = rel
			}
		}
	}
	return filepath.ToSlash(filepath.Clean(name))
}

// relative is the way from a folder to a file, with forward slashes. Both are made absolute first, so that the result does not
// depend on the working directory.
func relative(dir, name string) (string, error) {
	absDir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("paths: %w", err)
	}
	absName, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("paths: %w", err)
	}
	rel, err := filepath.Rel(absDir, absName)
	if err != nil {
		return "", fmt.Errorf("paths: %w", err)
	}
	return filepath.ToSlash(rel), nil
}

// importPath is the import path of a folder by the nearest go.mod above it, or empty where there is none. The folder need not be
// there yet.
func importPath(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for at, below := abs, ""; ; {
		if module, ok := modulePath(filepath.Join(at, "go.mod")); ok {
			return path.Join(module, below)
		}
		parent := filepath.Dir(at)
		if parent == at {
			return ""
		}
		below = path.Join(filepath.Base(at), below)
		at = parent
	}
}

// modulePath reads the module directive of a go.mod (https://go.dev/ref/mod#go-mod-file-module).
func modulePath(file string) (string, bool) {
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer func() { _ = f.Close() }() // only read from
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "//")
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "module")
		if !ok || rest == "" || !strings.ContainsAny(rest[:1], " \t\"`") {
			continue
		}
		rest = strings.TrimSpace(rest)
		if unquoted, err := strconv.Unquote(rest); err == nil {
			rest = unquoted
		}
		return rest, rest != ""
	}
	return "", false
}
