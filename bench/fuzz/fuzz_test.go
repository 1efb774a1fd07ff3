package fuzz

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/resgen-go/resgen/runtime/wire"
)

// FuzzUnmarshal reads a text into one of the kinds by both.
func FuzzUnmarshal(f *testing.F) {
	for kind := range kinds {
		for _, text := range seeds {
			f.Add(uint8(kind), []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, text []byte) {
		compareReading(t, kinds[int(kind)%len(kinds)], text)
	})
}

// most is how many differences one text may have.
const most = 50

func compareReading(t *testing.T, kind reflect.Type, text []byte) {
	t.Helper()
	got := reflect.New(kind)
	gotErr := wire.Unmarshal(text, got.Interface())
	said := text
	for range most {
		want := reflect.New(kind)
		wantErr := jsonv2.Unmarshal(said, want.Interface())
		switch {
		case gotErr != nil && wantErr != nil:
			return
		case gotErr != nil:
			t.Fatalf("%v: %q\nrefused: %v\njson/v2 takes it: %#v", kind, text, gotErr, want.Elem())
		case wantErr == nil:
			checkEqual(t, kind, said, text)
			return
		}
		if notANumber(said, wantErr) {
			return
		}
		name, next := apply(said, wantErr)
		if next == nil {
			t.Fatalf("%v: %q (rewritten: %q)\ntaken: %#v\njson/v2 refuses it: %v", kind, text, said, got.Elem(), wantErr)
		}
		again := reflect.New(kind)
		if err := wire.Unmarshal(next, again.Interface()); err != nil {
			t.Fatalf("%v: %q is taken, and not without what %q says: %q: %v", kind, said, name, next, err)
		}
		if !equal(got.Elem(), again.Elem()) {
			t.Fatalf("%v: %q: what %q says is read otherwise: %q\nbefore %#v\nafter  %#v", kind, said, name, next, got.Elem(), again.Elem())
		}
		said = next
	}
}

// apply returns the text as the first rule that applies rewrites it.
func apply(text []byte, err error) (name string, rewritten []byte) {
	for _, r := range rules {
		if next := r.rewrite(text, err); next != nil && !bytes.Equal(next, text) {
			return r.row, next
		}
	}
	return "", nil
}

// checkEqual compares the values of a text that both take; text is what it was before it was rewritten.
func checkEqual(t *testing.T, kind reflect.Type, said, text []byte) {
	t.Helper()
	got, want := reflect.New(kind), reflect.New(kind)
	if err := errors.Join(wire.Unmarshal(said, got.Interface()), jsonv2.Unmarshal(said, want.Interface())); err != nil {
		t.Fatalf("%v: %q (rewritten: %q): %v", kind, text, said, err)
	}
	if !equal(got.Elem(), want.Elem()) {
		t.Fatalf("%v: %q (rewritten: %q)\nread as %#v\nby v2   %#v", kind, text, said, got.Elem(), want.Elem())
	}
}

// equal compares deeply, times by instant and offset, raw texts by what they say: rules rewrite in them.
func equal(a, b reflect.Value) bool {
	return reflect.DeepEqual(meaning(a.Interface()), meaning(b.Interface()))
}

func meaning(v any) any {
	switch v := v.(type) {
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case raws:
		raw := jsontext.Value(bytes.Clone(v.R))
		if raw.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
			raw = jsontext.Value(v.R)
		}
		return []any{string(raw), v.A, meaning(v.T)}
	default:
		return v
	}
}

// FuzzMarshal writes what json/v2 reads by both.
func FuzzMarshal(f *testing.F) {
	for kind := range kinds {
		for _, text := range seeds {
			f.Add(uint8(kind), []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, text []byte) {
		compareWriting(t, kinds[int(kind)%len(kinds)], text)
	})
}

func compareWriting(t *testing.T, kind reflect.Type, text []byte) {
	t.Helper()
	v := reflect.New(kind)
	if jsonv2.Unmarshal(text, v.Interface()) != nil {
		return
	}
	got, gotErr := wire.Marshal(v.Interface())
	want, wantErr := jsonv2.Marshal(v.Interface(), jsonv2.Deterministic(true), jsontext.EscapeForJS(true), jsontext.PreserveRawStrings(true))
	switch {
	case gotErr != nil && wantErr != nil:
	case gotErr != nil || wantErr != nil:
		t.Fatalf("%v: %#v\nwritten: %s, %v\nby v2:   %s, %v", kind, v.Elem(), got, gotErr, want, wantErr)
	case !bytes.Equal(got, want):
		t.Fatalf("%v: %#v\nwritten: %s\nby v2:   %s", kind, v.Elem(), got, want)
	}
}
