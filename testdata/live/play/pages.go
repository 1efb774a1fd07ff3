package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// Pages makes the call that an exchange is of by the method that iterates over all pages, and returns the items as JSON.
func (p *Player) Pages(ctx context.Context, e *Exchange) ([]json.RawMessage, error) {
	found := p.Table.find(e)
	if len(found) == 0 || found[0].op.Pages == "" {
		return nil, fmt.Errorf("%v: by pages: %w", e, ErrNoOperation)
	}
	m := &found[0]
	op := *m.op
	op.GoName = op.Pages
	params := func(field reflect.Value, param *Param) error { return m.fillParam(field, param, e, op.fixed()) }
	out, err := p.invoke(ctx, &op, func(req reflect.Value) error { return op.fill(req, params, e.Body) })
	if err != nil {
		return nil, err
	}
	var items []json.RawMessage
	for item, failure := range out[0].Seq2() {
		if err, _ := failure.Interface().(error); err != nil {
			return items, fmt.Errorf("%s: after %d items: %w", op.GoName, len(items), err)
		}
		data, err := json.Marshal(item.Interface())
		if err := errors.Join(err, known(item)); err != nil {
			return items, err
		}
		items = append(items, data)
	}
	return items, nil
}
