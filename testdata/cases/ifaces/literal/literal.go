// Package literal is of the kind of C125: types without names.
package literal

import (
	"context"
	"time"
	"unsafe"
)

// Literals has them.
type Literals interface {
	Get(ctx context.Context, q struct {
		Name string `json:"name,omitempty" x:"\"quoted\""`
		At   time.Time
	}) (struct{ x, Y int }, error)
	Map(ctx context.Context, m map[struct{ X, Y int }][]struct{}) (map[[2]int]*[]byte, error)
	Any(ctx context.Context, v interface {
		Close() error
		Len() int
	}) (interface{ Error() string }, error)
	Arr(ctx context.Context, a [3][2]int, p **int, e struct{ time.Time }) ([0]int, error)
	Fn(ctx context.Context) (func(struct{ A int }) interface{ M() }, error)
	Raw(ctx context.Context, p unsafe.Pointer) (uintptr, error)
}
