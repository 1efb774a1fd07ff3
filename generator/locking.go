package generator

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/lock"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

// lockExt is the extension of the file that remembers names.
const lockExt = ".lock"

// Lock is what a run does to resgen.lock.
type Lock struct {
	// Path is where the file lies: beside the configuration, by whose name it is called (resgen.lock for resgen.yaml), else in the
	// output folder as resgen.lock. Empty where there is neither, as in mode Lint.
	Path string
	// Changed says that the file was written or deleted, or in mode Check would be.
	Changed bool
}

// lockPath is where the lock of a run lies.
func lockPath(cfg *Config) string {
	switch {
	case cfg.File != "":
		return strings.TrimSuffix(cfg.File, filepath.Ext(cfg.File)) + lockExt
	case cfg.Client.Out != "" && cfg.Client.Iface == "":
		return filepath.Join(cfg.Client.Out, "resgen"+lockExt)
	default:
		return ""
	}
}

// readLock reads the lock, where there is one.
func (r *run) readLock() error {
	path := lockPath(&r.cfg)
	r.result.Lock.Path, r.lock = path, &lock.File{}
	if path == "" {
		return nil
	}
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("lock: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is no regular file; move it away", ErrForeign, path)
	}
	data, err := readFile(path)
	if err != nil {
		return err
	}
	r.lockData = data
	r.lock = lock.Read(display(path), data, &r.list)
	return nil
}

// memory is what the lock knows of a client's names.
func (r *run) memory(c *Client) plan.Memory {
	known := r.lock.Clients[c.Name]
	if known == nil {
		return plan.Memory{}
	}
	m := plan.Memory{Kept: known.Kept, Names: make(map[string]plan.Remembered, len(known.Names))}
	for id, name := range known.Names {
		m.Names[id] = plan.Remembered{Name: name.Text, Pos: name.Pos}
	}
	return m
}

// newLock is the lock of what was made: what is gone is forgotten.
func (r *run) newLock() []byte {
	next := lock.File{Clients: map[string]*lock.Client{}, Refs: r.refs}
	for i := range r.result.Outputs {
		o := &r.result.Outputs[i]
		c := &lock.Client{}
		for _, g := range o.pkg.Given {
			if g.First {
				c.Keep(g.ID, g.Name)
			} else {
				c.Rename(g.ID, g.Name)
			}
		}
		next.Clients[o.Name] = c
	}
	return next.Bytes()
}

// writeLock brings a lock up to date.
func writeLock(path string, data []byte) error {
	if data == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("lock: %w", err)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // it lies beside source code, which is for everyone to read
		return fmt.Errorf("lock: %w", err)
	}
	return replaceFile(path, data)
}

// replaceFile writes a file by a temporary one and a rename.
func replaceFile(path string, data []byte) error {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	temporary, err := writeTemporary(dir, File{Name: name, Data: data})
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		err = fmt.Errorf("write %s: %w", name, err)
		if temporary != "" {
			err = errors.Join(err, os.Remove(temporary))
		}
	}
	return err
}

// diffLock says whether the lock changes, and what it will be.
func (r *run) diffLock() []byte {
	next := r.newLock()
	r.result.Lock.Changed = r.result.Lock.Path != "" && !bytes.Equal(next, r.lockData)
	return next
}
