package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/artefact"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// suggested is the policy file, without what would be refused if its author took it: all of it is tried here at once, and where that is
// refused, in ever smaller parts.
func suggested(ctx context.Context, o *Output, view *artefact.Policy) ([]byte, error) {
	t := newTrial(o)
	all := make([]int, 1+len(view.Operations))
	for i := range all {
		all[i] = i - 1
	}
	if err := refrain(ctx, t, view, all); err != nil {
		return nil, err
	}
	page, err := view.Page()
	if err == nil && !t.takes(page.Data) { // each part is right, and some two are not
		for _, i := range all {
			for view.Refrain(i) {
			}
		}
		page, err = view.Page()
	}
	return page.Data, err
}

// refrain takes back those suggestions of a part that are refused by themselves.
func refrain(ctx context.Context, t *trial, view *artefact.Policy, part []int) error {
	for {
		if ctx.Err() != nil {
			return fmt.Errorf("init: %w", context.Cause(ctx))
		}
		page, err := view.Part(part).Page()
		switch {
		case err != nil:
			return err
		case t.takes(page.Data):
			return nil
		case len(part) > 1:
			half := len(part) / 2
			if err := refrain(ctx, t, view, part[:half]); err != nil {
				return err
			}
			return refrain(ctx, t, view, part[half:])
		case !view.Refrain(part[0]):
			return nil
		}
	}
}

// trial tries policy files on an output.
type trial struct {
	*Output

	before []Diagnostic // what is said without one
}

func newTrial(o *Output) *trial {
	var without diag.List
	o.resolve(nil, &without)
	return &trial{o, without.Sorted()}
}

// takes reports whether nothing is said of a policy file with all its suggestions taken that is not said without one.
func (t *trial) takes(file []byte) bool {
	var with diag.List
	tree, err := source.Read(policyFile, artefact.Accept(file))
	if err != nil {
		return false
	}
	t.resolve(tree, &with)
	return !slices.ContainsFunc(with.Sorted(), func(d Diagnostic) bool {
		return !slices.ContainsFunc(t.before, func(b Diagnostic) bool { return b.Code == d.Code && b.Span == d.Span && b.What == d.What })
	})
}

// create writes files that are not there. It never replaces one, not even one that came up a moment ago, so it does not rename into
// place; what it began to write when it fails, it removes.
func create(dir string, pages []artefact.Page) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a folder of source code is for everyone to read
		return fmt.Errorf("init: %w", err)
	}
	var made []string
	defer func() {
		for i := 0; err != nil && i < len(made); i++ {
			err = errors.Join(err, os.Remove(made[i]))
		}
	}()
	for _, p := range pages {
		path := filepath.Join(dir, p.Name)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // a file for everyone to read
		if errors.Is(err, fs.ErrExist) {
			return exist([]string{filepath.ToSlash(path)})
		}
		if err != nil {
			return fmt.Errorf("init: %w", err)
		}
		made = append(made, path)
		_, err = bytes.NewReader(p.Data).WriteTo(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("init: %w", err)
		}
	}
	return nil
}
