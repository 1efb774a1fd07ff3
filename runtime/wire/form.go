package wire

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Encoding says how one property of a form or multipart body travels (OpenAPI 3.1, section 4.8.15). Its zero fields are OpenAPI's
// defaults: pairs of text for scalars and lists of them, JSON for objects, a file for Content.
type Encoding struct {
	// Name is the property.
	Name string
	// ContentType is the media type of the part, or several separated by commas. JSON makes one part of a list.
	ContentType string
	// Style is how a value becomes pairs, in form bodies; in multipart bodies, how it becomes parts of text.
	Style Style
}

func encodingOf(name string, encodings []Encoding) Encoding {
	for _, e := range encodings {
		if e.Name == name {
			return e
		}
	}
	return Encoding{Name: name}
}

// Form sets a body of type application/x-www-form-urlencoded: v is an object, and its properties are sent in their order.
func (r *Request) Form(v any, encodings ...Encoding) {
	if isAbsent(v) {
		return
	}
	pairs, err := formPairs(v, encodings)
	if err != nil {
		r.Fail(fmt.Errorf("encode form: %w", err))
		return
	}
	r.setBody(memoryBody("application/x-www-form-urlencoded", []byte(strings.Join(pairs, "&"))))
}

func formPairs(v any, encodings []Encoding) ([]string, error) {
	data, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	members, err := membersOf(data)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, m := range members {
		pairs, err := m.formPairs(encodingOf(m.key, encodings))
		if err != nil {
			return nil, fmt.Errorf("property %q: %w", m.key, err)
		}
		all = append(all, pairs...)
	}
	return all, nil
}

func (m member) formPairs(e Encoding) ([]string, error) {
	n, err := parseNode(m.value)
	if err != nil || n.kind == nothing {
		return nil, err
	}
	asJSON := func(value []byte) string { return url.QueryEscape(m.key) + "=" + url.QueryEscape(string(value)) }
	switch {
	case isJSON(e.ContentType), n.kind == object && e.Style.base() == 0:
		return []string{asJSON(m.value)}, nil
	case e.Style.base() != 0:
		return n.pairs(m.key, e.Style, url.QueryEscape)
	case n.kind != list || !slices.ContainsFunc(n.list, func(item node) bool { return item.kind > scalar }):
		return n.pairs(m.key, Form|Explode, url.QueryEscape)
	}
	var pairs []string
	for _, item := range itemsOf(m.value) {
		pairs = append(pairs, asJSON(item))
	}
	return pairs, nil
}
