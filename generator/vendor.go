package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/lock"
	"github.com/resgen-go/resgen/generator/internal/openapi"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// errFetch is a remote document that could not be fetched.
var errFetch = errors.New("it could not be fetched")

// vendorDir is the folder of the copies of remote documents, beside the lock; empty where there is no lock.
func (r *run) vendorDir() string {
	path := lockPath(&r.cfg)
	if path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(path), lock.VendorDir)
}

// remote returns the copy of a remote document, and in mode Vendor gets the one that is missing.
func (r *run) remote(ctx context.Context, address string) (data []byte, shown string, err error) {
	dir, name := r.vendorDir(), filepath.FromSlash(lock.CopyPath(address))
	if dir == "" {
		return nil, "", fmt.Errorf("%w; copies lie in the output folder, and --out names none", openapi.ErrNoCopy)
	}
	shown = display(filepath.Join(dir, name))
	if known, ok := r.copies[name]; ok { // of another client
		return known, shown, nil
	}
	data, err = readCopy(dir, name)
	noted, isNoted := r.lock.Refs[address]
	switch isThere := err == nil; {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, "", fmt.Errorf("copy: %w", err)
	case isThere && isNoted && lock.HashOf(data) != noted.Text:
		return nil, "", fmt.Errorf("%w: %s", openapi.ErrChangedCopy, shown)
	case isThere && isNoted:
		r.refs[address] = lock.Hash{Text: noted.Text}
		return data, shown, nil
	case r.cfg.Mode != Vendor && isThere:
		return nil, "", fmt.Errorf("%w; %s is there, and resgen.lock does not know it", openapi.ErrNoCopy, shown)
	case r.cfg.Mode != Vendor:
		return nil, "", fmt.Errorf("%w; it would be %s", openapi.ErrNoCopy, shown)
	case !isThere:
		if data, err = r.fetch(ctx, address); err != nil {
			return nil, "", err
		}
		if isNoted && lock.HashOf(data) != noted.Text {
			return nil, "", fmt.Errorf("%w: what %s gives now", openapi.ErrChangedCopy, address)
		}
	}
	r.copies[name] = data
	r.refs[address] = lock.Hash{Text: lock.HashOf(data)}
	return data, shown, nil
}

// readCopy reads a copy. No link leads out of the folder.
func readCopy(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller does
	}
	defer func() { _ = root.Close() }() // only read from
	switch info, err := root.Stat(name); {
	case err != nil:
		return nil, err //nolint:wrapcheck // the caller does
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s is no regular file", ErrForeign, name)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller does
	}
	defer func() { _ = f.Close() }() // only read from
	return readAll(f, name)
}

func (r *run) fetch(ctx context.Context, address string) ([]byte, error) {
	if r.cfg.Fetch == nil {
		return nil, openapi.ErrNoCopy
	}
	data, err := r.cfg.Fetch(ctx, address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errFetch, err)
	case len(data) > source.MaxBytes:
		return nil, fmt.Errorf("%w: it has more than %d bytes", errFetch, source.MaxBytes)
	}
	return data, nil
}

// writeCopies writes the copies that were fetched, and notes the hashes of all that are used.
func (r *run) writeCopies() error {
	dir := r.vendorDir()
	for _, name := range slices.Sorted(maps.Keys(r.copies)) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // it lies beside source code, which is for everyone to read
			return fmt.Errorf("vendor: %w", err)
		}
		if err := replaceFile(path, r.copies[name]); err != nil {
			return err
		}
		r.result.Vendored = append(r.result.Vendored, filepath.ToSlash(path))
	}
	r.lock.Refs = r.refs
	next := r.lock.Bytes()
	if r.result.Lock.Changed = string(next) != string(r.lockData); r.result.Lock.Changed {
		return writeLock(r.result.Lock.Path, next)
	}
	return nil
}
