package generator_test

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// sampler makes values that a document's schemas allow: the smallest, or all that they name. It reads the document by itself, so that
// it can tell what the generator has lost.
type sampler struct {
	root *source.Value
	full bool
	// open are the schemas that are being sampled, so that a schema in itself ends.
	open []*source.Value
}

// most is how deep values go that are not required.
const most = 6

// deref follows references within the document.
func (s *sampler) deref(v *source.Value) *source.Value {
	for range 20 {
		ref := v.Get("$ref")
		if ref == nil || !strings.HasPrefix(ref.Text, "#") {
			return v
		}
		found, err := s.root.LookupFragment(ref.Text[1:])
		if err != nil {
			return v
		}
		v = found
	}
	return v
}

// plain is a node as encoding/json would read it, with its numbers as they are written.
func plain(v *source.Value) any {
	switch v.Kind {
	case source.Bool:
		return v.Text == "true"
	case source.Number:
		return json.Number(v.Text)
	case source.String:
		return v.Text
	case source.Map:
		m := map[string]any{}
		for i := range v.Map {
			m[v.Map[i].Key] = plain(&v.Map[i].Value)
		}
		return m
	case source.List:
		list := make([]any, len(v.List))
		for i := range v.List {
			list[i] = plain(&v.List[i])
		}
		return list
	default:
		return nil
	}
}

// value is a value that a schema allows. required are properties that a schema around it requires.
func (s *sampler) value(schema *source.Value, required ...string) any {
	v := s.deref(schema)
	if v == nil || v.Kind != source.Map {
		return "any"
	}
	s.open = append(s.open, v)
	defer func() { s.open = s.open[:len(s.open)-1] }()
	if c := v.Get("const"); c != nil {
		return plain(c)
	}
	if e := v.Get("enum"); e != nil {
		for i := range e.List {
			if e.List[i].Kind != source.Null {
				return plain(&e.List[i])
			}
		}
		return nil
	}
	required = append(slices.Clip(required), texts(v.Get("required"))...)
	return s.composed(v, required)
}

// composed samples a schema with what it is composed of: every part of allOf, the first alternative of oneOf and anyOf.
func (s *sampler) composed(v *source.Value, required []string) any {
	var parts []any
	for _, key := range []string{"oneOf", "anyOf"} {
		if alternative := s.alternative(v.Get(key)); alternative != nil {
			part := s.value(alternative, required...)
			if members, ok := part.(map[string]any); ok {
				s.tag(v, alternative, members)
			}
			parts = append(parts, part)
			required = append(required, texts(s.deref(alternative).Get("required"))...)
		}
	}
	for i := range list(v.Get("allOf")) {
		parts = append(parts, s.value(&v.Get("allOf").List[i], required...))
	}
	if len(parts) == 0 || v.Get("properties") != nil {
		parts = append(parts, s.own(v, required))
	}
	merged, isObject := map[string]any{}, false
	for _, part := range parts {
		members, ok := part.(map[string]any)
		if !ok {
			continue
		}
		isObject = true
		maps.Copy(merged, members)
	}
	if isObject {
		return merged
	}
	return parts[0]
}

// alternative is the first alternative that is a type of its own, with preference for one that does not lead back.
func (s *sampler) alternative(v *source.Value) *source.Value {
	var first *source.Value
	for i := range list(v) {
		a := &v.List[i]
		to := s.deref(a)
		if typeOf(to) == "null" {
			continue
		}
		if !slices.Contains(s.open, to) {
			return a
		}
		if first == nil {
			first = a
		}
	}
	return first
}

// tag sets a discriminator that the alternative itself does not set.
func (s *sampler) tag(v, alternative *source.Value, members map[string]any) {
	name := v.Get("discriminator").Get("propertyName")
	if name == nil {
		return
	}
	if p := s.properties(alternative)[name.Text]; p.Get("enum") != nil || p.Get("const") != nil {
		return
	}
	ref := alternative.Get("$ref")
	if ref == nil {
		return
	}
	tag := ref.Text[strings.LastIndex(ref.Text, "/")+1:]
	for _, f := range fields(v.Get("discriminator").Get("mapping")) {
		if f.Value.Text == ref.Text || f.Value.Text == tag {
			tag = f.Key
			break
		}
	}
	members[name.Text] = tag
}

// own samples what a schema says without what it is composed of.
func (s *sampler) own(v *source.Value, required []string) any {
	switch typeOf(v) {
	case "object":
		return s.object(v, required)
	case "array":
		return s.array(v)
	case "integer":
		return number(v, true)
	case "number":
		return number(v, false)
	case "boolean":
		return true
	case "null":
		return nil
	case "string":
		return sampledText(v)
	default:
		if len(required) > 0 {
			return map[string]any{}
		}
		return "any"
	}
}

func (s *sampler) object(v *source.Value, required []string) any {
	members := map[string]any{}
	for _, f := range fields(v.Get("properties")) {
		property := s.deref(&f.Value)
		if property.Kind == source.Bool && property.Text == "false" {
			continue // nothing is allowed
		}
		needed := slices.Contains(required, f.Key)
		if isTrue(property.Get("readOnly")) || !needed && (!s.full || len(s.open) > most || slices.Contains(s.open, property)) {
			continue
		}
		members[f.Key] = s.value(&f.Value)
	}
	additional := v.Get("additionalProperties")
	s.undeclared(v, members)
	least := int(bound(v.Get("minProperties"), 0))
	if additional.Get("type") == nil && additional.Get("$ref") == nil && least == 0 {
		return members
	}
	for i := 0; len(members) < least || i == 0 && s.full && len(s.open) <= most; i++ {
		members["key"+strconv.Itoa(i)] = s.value(additional)
	}
	return members
}

// undeclared samples the members that a schema requires and nothing declares: neither itself, nor what it is composed of or is a part of.
func (s *sampler) undeclared(v *source.Value, members map[string]any) {
	additional := v.Get("additionalProperties")
	if additional != nil && additional.Kind == source.Bool && !isTrue(additional) {
		return
	}
	for _, around := range s.open[max(0, len(s.open)-2):] {
		if around.Get("allOf") != nil || around.Get("oneOf") != nil || around.Get("anyOf") != nil {
			return
		}
	}
	for _, name := range texts(v.Get("required")) {
		if v.Get("properties").Get(name) == nil {
			members[name] = s.value(additional)
		}
	}
}

func (s *sampler) array(v *source.Value) any {
	n := int(bound(v.Get("minItems"), 0))
	if s.full && len(s.open) <= most && bound(v.Get("maxItems"), 1) > 0 {
		n = max(n, 1)
	}
	items := []any{}
	for i := range n {
		item := v.Get("items")
		if prefix := list(v.Get("prefixItems")); i < len(prefix) {
			item = &prefix[i]
		}
		items = append(items, s.value(item))
	}
	return items
}

// number is a number within its bounds.
func number(v *source.Value, whole bool) any {
	step := 0.5
	if whole {
		step = 1
	}
	low, high := bound(v.Get("minimum"), math.Inf(-1)), bound(v.Get("maximum"), math.Inf(1))
	if e := v.Get("exclusiveMinimum"); e != nil {
		if low = max(low, bound(e, low)); e.Kind == source.Number || isTrue(e) {
			low += step
		}
	}
	if e := v.Get("exclusiveMaximum"); e != nil {
		if high = min(high, bound(e, high)); e.Kind == source.Number || isTrue(e) {
			high -= step
		}
	}
	n := min(max(1, low), high)
	if whole {
		n = math.Ceil(n)
	}
	if of := bound(v.Get("multipleOf"), 0); of > 0 {
		n = math.Ceil(n/of) * of
	}
	return json.Number(strconv.FormatFloat(n, 'f', -1, 64))
}

func bound(v *source.Value, otherwise float64) float64 {
	if v == nil || v.Kind != source.Number {
		return otherwise
	}
	n, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		return otherwise
	}
	return n
}

// typeOf is the type of a schema; where it says several, the first that is not null, and where it says none, what its keys are for.
func typeOf(v *source.Value) string {
	t := v.Get("type")
	switch {
	case t != nil && t.Kind == source.List:
		for i := range t.List {
			if t.List[i].Text != "null" {
				return t.List[i].Text
			}
		}
		return "null"
	case t != nil:
		return t.Text
	case isTrue(v.Get("nullable")) && len(v.Map) == 1:
		return "null"
	case v.Get("properties") != nil || v.Get("additionalProperties") != nil:
		return "object"
	case v.Get("items") != nil || v.Get("prefixItems") != nil:
		return "array"
	case v.Get("format") != nil || v.Get("pattern") != nil:
		return "string"
	default:
		return ""
	}
}

func isTrue(v *source.Value) bool { return v != nil && v.Kind == source.Bool && v.Text == "true" }

func list(v *source.Value) []source.Value {
	if v == nil {
		return nil
	}
	return v.List
}

func texts(v *source.Value) []string {
	var all []string
	for i := range list(v) {
		all = append(all, v.List[i].Text)
	}
	return all
}
