package openapi

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// The errors of Input.Remote that have a diagnostic of their own.
var (
	// ErrNoCopy is a remote document of which there is no copy.
	ErrNoCopy = errors.New("no copy of it is noted, and nothing is fetched when a client is generated")
	// ErrChangedCopy is a copy that has other bytes than were noted.
	ErrChangedCopy = errors.New("its copy has other bytes than resgen.lock says")
)

// errSecret is an address that carries a password.
var errSecret = errors.New("an address with a user or password is not followed")

// remote is the address that a reference leads to where that is on a network: of a remote document all of its relative references are.
func remote(from *file, name string) (address string, isRemote bool, err error) {
	ref, err := url.Parse(name)
	if err != nil {
		return "", from.url != "", fmt.Errorf("not an address: %w", err)
	}
	base, err := url.Parse(from.url)
	if err != nil {
		return "", true, fmt.Errorf("not an address: %w", err)
	}
	target := base.ResolveReference(ref)
	target.Fragment, target.RawFragment = "", ""
	target.Scheme, target.Host = strings.ToLower(target.Scheme), strings.ToLower(target.Host)
	isHTTP := target.Scheme == "http" || target.Scheme == "https"
	switch {
	case from.url == "" && !isHTTP:
		return "", false, nil
	case !isHTTP || target.Hostname() == "":
		return "", true, errOutside
	case target.User != nil:
		return "", true, errSecret
	default:
		return target.String(), true, nil
	}
}

// openRemote returns the copy of a remote document.
func (f *files) openRemote(address string) (*file, error) {
	if known, ok := f.byPath[address]; ok {
		return known.file, known.err
	}
	opened, err := f.readRemote(address)
	f.byPath[address] = opening{opened, err}
	return opened, err
}

func (f *files) readRemote(address string) (*file, error) {
	if len(f.byPath) >= maxFiles {
		return nil, errTooManyFiles
	}
	if f.in.Remote == nil {
		return nil, ErrNoCopy
	}
	data, shown, err := f.in.Remote(address)
	if err != nil {
		return nil, err
	}
	if f.total += len(data); f.total > maxTotal {
		return nil, errTotal
	}
	tree, err := source.Read(shown, data)
	if err != nil {
		return nil, err
	}
	_, path, _ := strings.Cut(address, "://")
	path, _, _ = strings.Cut(path, "?")
	return &file{url: address, path: path, label: address, rank: len(f.byPath) + 1, tree: tree}, nil
}

// reportRemote reports a remote document that cannot be read.
func (r *resolver) reportRemote(ref *source.Value, err error) {
	d := diag.Diagnostic{
		Code: diag.UnvendoredRef, Span: source.Span{Pos: ref.Pos},
		What: fmt.Sprintf("the reference %q leads to a network: %v", ref.Text, err),
		Why:  "the same input must give the same code on every machine, today and next year",
		Fix: "run `resgen vendor` with the flags of this command: it fetches the document once, and notes its hash in resgen.lock; " +
			"commit both",
	}
	if errors.Is(err, ErrChangedCopy) {
		d.Code = diag.ChangedCopy
		d.What = fmt.Sprintf("the document that the reference %q names is not the one that was noted: %v", ref.Text, err)
		d.Why = "what was reviewed and committed would silently be something else"
		d.Fix = "restore the copy; or, to take the new one, remove the copy and its line under refs of resgen.lock, and run `resgen vendor`"
	}
	r.list.Add(d)
}
