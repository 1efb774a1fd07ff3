package wire_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/wire"
)

// What reads by status reads the statuses that it is given, and makes a *StatusError of any other, whatever its body.
func TestReadersByStatus(t *testing.T) {
	t.Parallel()
	type thing struct {
		ID int `json:"id"`
	}
	readers := map[string]func(r *wire.Response) (any, error){
		"object": func(r *wire.Response) (any, error) { return wire.JSONOn[thing](r, 200, 201) },
		"value":  func(r *wire.Response) (any, error) { return wire.JSONValueOn[thing](r, 200, 201) },
		"none":   func(r *wire.Response) (any, error) { return wire.NoBodyOn(r, 200, 201) },
	}
	want := map[string]any{"object": &thing{ID: 1}, "value": thing{ID: 1}, "none": struct{}{}}
	for name, read := range readers {
		for _, status := range []int{200, 201, 202, 404} {
			got, err := read(respond(t, answer(status, "application/json", `{"id":1}`)))
			if status < 202 {
				if err != nil || !cmp.Equal(got, want[name]) {
					t.Errorf("%s, status %d: %v, %v; want %v", name, status, got, err, want[name])
				}
				continue
			}
			var unexpected *wire.StatusError
			if !errors.As(err, &unexpected) || unexpected.Status != status {
				t.Errorf("%s, status %d: %v, want a *StatusError", name, status, err)
			}
		}
	}
}

// An optional value keeps its value to itself: parameters show it as they show one that is not optional.
func TestOptionalParametersAreWrittenAsTheirValues(t *testing.T) {
	t.Parallel()
	type word string
	for name, tt := range map[string]struct{ optional, plain any }{
		"text":  {wire.Some("a b"), "a b"},
		"word":  {wire.SomeNotNull(word("w")), word("w")},
		"int":   {wire.NotNull(int64(-7)), int64(-7)},
		"uint":  {wire.Some(uint32(7)), uint32(7)},
		"float": {wire.Some(float32(0.1)), float32(0.1)},
		"big":   {wire.Some(1e21), 1e21},
		"bool":  {wire.Some(false), false},
		"date":  {wire.Some(wire.Date{Year: 2024, Month: 2, Day: 29}), wire.Date{Year: 2024, Month: 2, Day: 29}},
		"list":  {wire.SomeNotNull([]string{"a", "b"}), []string{"a", "b"}},
		"bytes": {wire.SomeNotNull([]byte("\x00\xff")), []byte("\x00\xff")},
		"union": {wire.Some(wire.UnionOf(1.5)), 1.5},
	} {
		target := func(v any) string {
			r := wire.NewRequest("GET", "/")
			r.Query("q", wire.Form|wire.Explode, v)
			return send(t, wire.Config{}, r).uri
		}
		if got, want := target(tt.optional), target(tt.plain); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
