package openapi

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// identified finds what a reference to an address means that names no file: a schema or document that is in the files at hand and says of
// itself, by $id or $self, that this is its address (JSON Schema 2020-12 section 8.2, OpenAPI 3.2 section 4.1.2). It is asked only
// where there is no such file, because most references are to files and most addresses are of no use to anybody.
func (r *resolver) identified(from spot, name string) (spot, bool) {
	address := resolveAddress(baseOf(from), name)
	for _, f := range r.files.opened() {
		if f.ids == nil {
			f.ids = map[string]spot{}
			collectIDs(spot{file: f, node: f.tree}, "", f.ids)
		}
		if found, ok := f.ids[address]; ok {
			return found, true
		}
	}
	return spot{}, false
}

// opened returns the files that were read, the main document first.
func (f *files) opened() []*file {
	out := []*file{f.main}
	for _, o := range f.byPath {
		if o.file != nil && o.file != f.main {
			out = append(out, o.file)
		}
	}
	slices.SortFunc(out, func(a, b *file) int { return cmp.Compare(a.rank, b.rank) })
	return slices.Compact(out)
}

// idOf returns the address that a value gives itself.
func idOf(node *source.Value) string {
	for _, key := range [...]string{"$id", "$self"} {
		if id := node.Get(key); id != nil && id.Kind == source.String {
			address, _, _ := strings.Cut(id.Text, "#")
			return address
		}
	}
	return ""
}

// baseOf returns the address that references at a place are relative to, empty where nothing around it has one.
func baseOf(s spot) string {
	steps, err := source.ParsePointer(s.pointer)
	if err != nil {
		return ""
	}
	base := ""
	for n := range len(steps) + 1 {
		if id := idOf(s.file.tree.At(steps[:n]...)); id != "" {
			base = resolveAddress(base, id)
		}
	}
	return base
}

// resolveAddress resolves an address against a base; one that is none is taken as it is.
func resolveAddress(base, address string) string {
	b, err := url.Parse(base)
	a, err2 := url.Parse(address)
	if err != nil || err2 != nil {
		return address
	}
	return b.ResolveReference(a).String()
}

// collectIDs notes the values that give themselves an address. The first of two with one address counts.
func collectIDs(s spot, base string, into map[string]spot) {
	if id := idOf(s.node); id != "" {
		base = resolveAddress(base, id)
		if _, taken := into[base]; !taken {
			into[base] = s
		}
	}
	for i := range s.node.Map {
		collectIDs(s.step(s.node.Map[i].Key, &s.node.Map[i].Value), base, into)
	}
	for i := range s.node.List {
		collectIDs(s.item(i), base, into)
	}
}
