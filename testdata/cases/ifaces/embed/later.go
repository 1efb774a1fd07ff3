package embed

import (
	"context"

	p2 "cases.test/embed/part"
)

type later interface {
	B(ctx context.Context, k p2.Key) (p2.Value, error)
	deeper
}

type deeper interface {
	C(ctx context.Context, v ...p2.Value) (map[p2.Key]*p2.Value, error)
}
