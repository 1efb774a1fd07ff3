package source

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// The errors of pointers.
var (
	// ErrPointer is a text that is no JSON pointer.
	ErrPointer = errors.New("not a JSON pointer")
	// ErrNotFound is a pointer that leads nowhere.
	ErrNotFound = errors.New("no such value")
)

// ParsePointer splits a JSON pointer (RFC 6901) into its unescaped steps. The empty pointer is the whole document and has none.
// It returns ErrPointer for a text that does not begin with '/' or holds a '~' that is no escape.
func ParsePointer(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, fmt.Errorf("%w: %q does not begin with '/'", ErrPointer, pointer)
	}
	steps := strings.Split(pointer[1:], "/")
	for i, step := range steps {
		rest := strings.ReplaceAll(strings.ReplaceAll(step, "~0", ""), "~1", "")
		if strings.Contains(rest, "~") {
			return nil, fmt.Errorf("%w: in %q a '~' is written ~0", ErrPointer, pointer)
		}
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
	}
	return steps, nil
}

// ParseFragment is ParsePointer for the fragment of a URI, with or without its '#', which is percent-encoded too.
func ParseFragment(fragment string) ([]string, error) {
	decoded, err := url.PathUnescape(strings.TrimPrefix(fragment, "#"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPointer, err)
	}
	return ParsePointer(decoded)
}

// Pointer joins steps to a JSON pointer.
func Pointer(steps ...string) string {
	var b strings.Builder
	for _, step := range steps {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(step, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// Lookup returns the value that a JSON pointer names. It returns ErrPointer or ErrNotFound.
func (v *Value) Lookup(pointer string) (*Value, error) {
	steps, err := ParsePointer(pointer)
	if err != nil {
		return nil, err
	}
	found := v.At(steps...)
	if found == nil {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, pointer)
	}
	return found, nil
}

// LookupFragment is Lookup for the fragment of a URI.
func (v *Value) LookupFragment(fragment string) (*Value, error) {
	steps, err := ParseFragment(fragment)
	if err != nil {
		return nil, err
	}
	found := v.At(steps...)
	if found == nil {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, fragment)
	}
	return found, nil
}

// At follows steps: keys of maps, and indexes of lists. It returns nil where one leads nowhere. The pointer is into v.
func (v *Value) At(steps ...string) *Value {
	for _, step := range steps {
		if v = v.child(step); v == nil {
			return nil
		}
	}
	return v
}

func (v *Value) child(step string) *Value {
	if v == nil {
		return nil
	}
	if v.Kind != List {
		return v.Get(step)
	}
	i, ok := listIndex(step)
	if !ok || i >= len(v.List) {
		return nil
	}
	return &v.List[i]
}

// listIndex reads an index as RFC 6901 writes it: no sign and no leading zero.
func listIndex(step string) (int, bool) {
	if !allDigits(step) || len(step) > 1 && step[0] == '0' {
		return 0, false
	}
	i, err := strconv.Atoi(step)
	return i, err == nil
}
