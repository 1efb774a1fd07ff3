package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/emit"
)

// outputMark begins the second line of every file that resgen owns; the NAME of the output follows it.
const outputMark = "// resgen:output "

// generatedLine is Go's mark of generated code (https://go.dev/s/generatedcode).
var generatedLine = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)

// Changes are what writing an output does to its folder, by file name, sorted.
type Changes struct {
	// Written are files that are new or have other bytes, Deleted are files of the same output that are no longer made.
	Written, Deleted []string
}

// Any reports whether anything changes.
func (c Changes) Any() bool { return len(c.Written)+len(c.Deleted) > 0 }

// Write brings an output folder up to date: it writes the files whose bytes differ, each by a temporary file and a rename, and
// deletes the files of the same output that are not among them. The NAME of the output is that of the files' headers.
//
// It refuses to replace a file that is not of this output (ErrForeign), and then changes nothing. A file of the same bytes is not
// touched, and keeps its time.
func Write(dir string, files []File) (Changes, error) {
	changes, err := Diff(dir, files)
	if err != nil || !changes.Any() {
		return changes, err
	}
	return changes, apply(dir, files, changes)
}

// Diff says what Write would do, and does nothing.
func Diff(dir string, files []File) (Changes, error) { return diff(dir, files, false) }

// diff is Diff, or where the files are single ones in a folder of others, without deletions.
func diff(dir string, files []File, single bool) (Changes, error) {
	name, err := outputName(files)
	if err != nil {
		return Changes{}, err
	}
	var c Changes
	for _, f := range files {
		changed, err := differs(dir, name, f)
		if err != nil {
			return Changes{}, err
		}
		if changed {
			c.Written = append(c.Written, f.Name)
		}
	}
	if !single {
		c.Deleted, err = stale(dir, name, files)
	}
	slices.Sort(c.Written)
	return c, err
}

// outputName checks that all files have a harmless name and one NAME in their headers, and returns that.
func outputName(files []File) (string, error) {
	if len(files) == 0 {
		return "", errors.New("an output without files")
	}
	name, _ := ownerOf(files[0].Data)
	for _, f := range files {
		if !isInside(f.Name) {
			return "", fmt.Errorf("the file name %q leads out of the output folder", f.Name)
		}
		if owner, ok := ownerOf(f.Data); !ok || owner != name {
			return "", fmt.Errorf("the file %s has no header of the output %q", f.Name, name)
		}
	}
	return name, nil
}

// isInside reports whether a name is that of a file in the output folder, or of a fake server below it.
func isInside(name string) bool {
	folder, base := path.Split(name)
	if folder != "" && (base != emit.ServerFile || !strings.HasSuffix(folder, emit.ServerSuffix+"/")) {
		return false
	}
	folder = strings.TrimSuffix(folder, "/")
	return name != "." && filepath.IsLocal(name) && filepath.Base(base) == base && (folder == "" || filepath.Base(folder) == folder)
}

// ownerOf returns the NAME in the header of a file, and whether it has one. Line ends of other systems do not count.
func ownerOf(data []byte) (string, bool) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	name, ok := bytes.CutPrefix(bytes.TrimRight(second, "\r"), []byte(outputMark))
	return string(name), ok && len(name) > 0 && generatedLine.Match(bytes.TrimRight(first, "\r"))
}

// differs reports whether a file is new or has other bytes. It fails where what lies there is not of this output.
func differs(dir, name string, f File) (bool, error) {
	if err := checkFolder(dir, f.Name); err != nil {
		return false, err
	}
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("compare: %w", err)
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%w: %s is no regular file; move it away", ErrForeign, path)
	}
	old, err := os.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("compare: %w", err)
	}
	if bytes.Equal(old, f.Data) {
		return false, nil
	}
	switch owner, ok := ownerOf(old); {
	case !ok:
		return false, fmt.Errorf("%w: %s was not written by resgen; move it away, or choose another folder", ErrForeign, path)
	case owner != name:
		return false, fmt.Errorf("%w: %s belongs to the output %q; each output needs its own folder", ErrForeign, path, owner)
	}
	return true, nil
}

// checkFolder fails where a file's own folder leads elsewhere.
func checkFolder(dir, name string) error {
	folder := path.Dir(name)
	if folder == "." {
		return nil
	}
	at := filepath.Join(dir, folder)
	info, err := os.Lstat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("compare: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%w: %s is no folder; move it away", ErrForeign, at)
	}
	return nil
}

// stale returns the files of the output that are no longer made, in its folder and in those of its fake servers.
func stale(dir, name string, files []File) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	var out []string
	for _, entry := range entries {
		at := entry.Name()
		if entry.IsDir() && strings.HasSuffix(at, emit.ServerSuffix) {
			at = path.Join(at, emit.ServerFile)
			if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(at))); err != nil || !info.Mode().IsRegular() {
				continue
			}
		} else if !entry.Type().IsRegular() {
			continue
		}
		if slices.ContainsFunc(files, func(f File) bool { return f.Name == at }) {
			continue
		}
		head, err := readHead(filepath.Join(dir, filepath.FromSlash(at)))
		if err != nil {
			return nil, err
		}
		if owner, ok := ownerOf(head); ok && owner == name {
			out = append(out, at)
		}
	}
	return out, nil
}

// readHead reads the beginning of a file, enough for a header.
func readHead(path string) ([]byte, error) {
	const enough = 1024
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // to open a pipe waits for its other end
		return nil, fmt.Errorf("compare: %s is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
	head, err := io.ReadAll(io.LimitReader(f, enough))
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	return head, nil
}

// apply carries changes out: all temporary files first, so that a full disk leaves the folder as it was.
func apply(dir string, files []File, c Changes) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // source code is for everyone to read
		return fmt.Errorf("write: %w", err)
	}
	temporary := map[string]string{} // final name to temporary path
	defer func() {
		for _, path := range temporary {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	for _, f := range files {
		if !slices.Contains(c.Written, f.Name) {
			continue
		}
		path, err := writeTemporary(dir, f)
		if path != "" {
			temporary[f.Name] = path
		}
		if err != nil {
			return err
		}
	}
	for _, name := range c.Written {
		if err := os.Rename(temporary[name], filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("write: %w", err)
		}
		delete(temporary, name)
	}
	for _, name := range c.Deleted {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("delete: %w", err)
		}
		if folder := path.Dir(name); folder != "." {
			_ = os.Remove(filepath.Join(dir, folder)) // only if nothing else is in it
		}
	}
	return nil
}

// writeTemporary writes a file beside its place. The path is not empty where there is something to remove after a failure.
func writeTemporary(dir string, f File) (path string, err error) {
	path = filepath.Join(dir, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // source code is for everyone to read
		return "", fmt.Errorf("write: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".resgen-*")
	if err != nil {
		return "", fmt.Errorf("write: %w", err)
	}
	_, err = tmp.Write(f.Data)
	mode := fs.FileMode(0o644)
	if info, statErr := os.Stat(path); statErr == nil {
		mode = info.Mode().Perm()
	}
	if err := errors.Join(err, tmp.Chmod(mode), tmp.Close()); err != nil {
		return tmp.Name(), fmt.Errorf("write %s: %w", f.Name, err)
	}
	return tmp.Name(), nil
}
