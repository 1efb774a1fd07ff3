package openapi

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// maxFiles is how many files one document may be made of. The largest split documents in public have some 2,000.
const maxFiles = 10_000

// maxTotal is how many bytes all files together may have that references name.
const maxTotal = 4 * source.MaxBytes

// errTotal is a file that makes them more.
var errTotal = fmt.Errorf("the files of the document have more than %d bytes together", maxTotal)

// errTooManyFiles is a file beyond maxFiles.
var errTooManyFiles = fmt.Errorf("the document has more than %d files", maxFiles)

// errOutside is a reference to a file that is not below the root.
var errOutside = errors.New("only files below the root are read, and nothing is fetched from a network")

// errNoFile is a reference to a folder, a pipe or a device.
var errNoFile = errors.New("it is no regular file")

// file is one file of the document, read and parsed.
type file struct {
	// path is relative to the root; empty for standard input. Of a remote document it is only a name, and url is the address.
	path, url string
	// label is what type IDs begin with: empty for the main document, else the path relative to the main document's folder, so
	// that IDs are the same on every machine.
	label string
	// rank orders files: the main document is 0, the others follow in the order in which they were met.
	rank int
	// tree is the file as it is read: one of OpenAPI 2.0 has been converted, and written is what its author wrote. isPart says that
	// it has no version and is part of such a document.
	tree, written *source.Value
	isPart        bool
	// anchors are the values that a plain-name fragment can name; filled on first use.
	anchors map[string]spot
	// ids are the values that give themselves an address; filled on first use.
	ids map[string]spot
	// subtypes are the schemas under components that extend another one by allOf, by the base's ID; filled on first use.
	subtypes map[string][]spot
}

// files are the main document and what its references reach. A file is read once, whatever it is called on the way.
type files struct {
	in     Input
	list   *diag.List
	main   *file
	byPath map[string]opening
	// total is how many bytes were read.
	total int
}

// opening is what came of opening a file.
type opening struct {
	file *file
	err  error
}

func newFiles(in Input, list *diag.List) *files {
	main := &file{path: in.Path, tree: in.Tree}
	fsys := &files{in: in, list: list, main: main, byPath: map[string]opening{}}
	if in.Path != "" {
		fsys.byPath[path.Clean(in.Path)] = opening{file: main}
	}
	fsys.convertMain()
	return fsys
}

// open returns the file that a reference in another one names. A file that cannot be read is asked for once; why it cannot is
// the error.
func (f *files) open(from *file, name string) (*file, error) {
	address, isRemote, err := remote(from, name)
	if err == nil && isRemote {
		opened, err := f.openRemote(address)
		if err == nil {
			f.adopt(from, opened)
		}
		return opened, err
	}
	if isRemote {
		return nil, err
	}
	joined, err := f.locate(from, name)
	if err != nil {
		return nil, err
	}
	if known, ok := f.byPath[joined]; ok {
		return known.file, known.err
	}
	opened, err := f.read(joined)
	f.byPath[joined] = opening{opened, err}
	if err == nil {
		f.adopt(from, opened) // once it is known: it may refer to what refers to it
	}
	return opened, err
}

// locate says where below the root a reference leads.
func (f *files) locate(from *file, name string) (string, error) {
	decoded, err := url.PathUnescape(name)
	if err != nil {
		return "", fmt.Errorf("not a path: %w", err)
	}
	if strings.Contains(decoded, "://") || path.IsAbs(decoded) {
		return "", errOutside
	}
	joined := path.Join(path.Dir(from.path), decoded)
	if from.path == "" {
		joined = path.Clean(decoded)
	}
	if _, isKnown := f.byPath[joined]; !isKnown && (f.in.Root == nil || !fs.ValidPath(joined)) {
		return "", errOutside
	}
	return joined, nil
}

func (f *files) read(name string) (*file, error) {
	if len(f.byPath) >= maxFiles {
		return nil, errTooManyFiles
	}
	switch info, err := fs.Stat(f.in.Root, name); { // before it is opened: a pipe that nobody writes to would never open
	case err != nil:
		return nil, fmt.Errorf("open: %w", err)
	case !info.Mode().IsRegular():
		return nil, errNoFile
	}
	r, err := f.in.Root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	defer func() { _ = r.Close() }() // only read from
	data, err := io.ReadAll(io.LimitReader(r, source.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	if f.total += len(data); f.total > maxTotal {
		return nil, errTotal
	}
	shown := name
	if f.in.Show != nil {
		shown = f.in.Show(name)
	}
	tree, err := source.Read(shown, data)
	if err != nil {
		return nil, err
	}
	return &file{path: name, label: relative(path.Dir(f.main.path), name), rank: len(f.byPath) + 1, tree: tree}, nil
}

// relative returns how a path is reached from a folder; both are relative to the same place.
func relative(dir, name string) string {
	if dir == "." {
		return name
	}
	from, to := strings.Split(dir, "/"), strings.Split(name, "/")
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}
