package sample

import (
	"errors"
	"fmt"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// union makes a value of the first variant that can be made, and that the union takes for it.
func (w *work) union(d *plan.UnionDecl) (source.Value, error) {
	var failed []error
	for i := range d.Variants {
		v, err := w.variant(d, &d.Variants[i])
		if err == nil {
			return v, nil
		}
		if errors.Is(err, ErrTooLarge) {
			return v, err
		}
		failed = append(failed, err)
	}
	return source.Value{}, fmt.Errorf("%s: no variant has a sample: %w", d.Name, failed[0])
}

// variant makes a value of one variant, with the tag that tells it.
func (w *work) variant(d *plan.UnionDecl, variant *plan.Variant) (source.Value, error) {
	v, err := w.value(variant.Type, variant.Limits)
	if err != nil {
		return v, fmt.Errorf("%s: %w", variant.Name, err)
	}
	if d.Discriminator == "" || len(variant.Tags) == 0 {
		return v, nil
	}
	if v.Kind != source.Map {
		return v, fmt.Errorf("%w: %s has a tag and is no object", ErrUnsolved, variant.Name)
	}
	if tag := v.Get(d.Discriminator); tag == nil || !slices.Contains(variant.Tags, tag.Text) {
		v.Set(source.Field{Key: d.Discriminator, Value: text(variant.Tags[0])})
	}
	return v, nil
}
