package openapi

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// limitsOf returns what schemas that hold together say of values beyond their type; nil for nothing. They are read where their author wrote
// them: the bundle has no keyword that means nothing to a client.
func (c *converter) limitsOf(all ...spot) *model.Limits {
	looks := limitsLook{converter: c, left: 50}
	out := model.Limits{MaxLength: -1}
	said := false
	for _, s := range all {
		if node := c.original(s); node != nil && (refOf(node) == nil || len(all) > 1) {
			said = looks.add(&out, spot{file: s.file, pointer: s.pointer, node: node}) || said
		}
	}
	if !said {
		return nil
	}
	return &out
}

// fieldLimits are those of a field. Where it is a type that is declared, those are with that.
func (c *converter) fieldLimits(e model.Elem, said []property) *model.Limits {
	spots := make([]spot, 0, len(said)+1)
	for i := range said {
		spots = append(spots, said[i].spot)
	}
	if _, isRef := e.Type.(model.Ref); !isRef && len(spots) == 1 {
		spots = append(spots, spots[0]) // as one of several it is followed
	}
	return c.limitsOf(spots...)
}

// parameterLimits are those of a parameter's schema, and its own examples.
func (c *converter) parameterLimits(s spot) *model.Limits {
	out := c.limitsOf(s.get("schema"))
	own := model.Limits{MaxLength: -1}
	node := c.original(s)
	if node == nil {
		return out
	}
	said := addExamples(&own, node)
	for i := range fieldsOf(node.Get("examples")) {
		if v := node.Get("examples").Map[i].Value.Get("value"); v != nil && (v.Kind == source.String || v.Kind == source.Number) {
			own.Examples, said = append(own.Examples, *v), true
		}
	}
	switch {
	case !said:
	case out == nil:
		out = &own
	default:
		out.Examples = append(own.Examples, out.Examples...)
	}
	return out
}

// spots are where the parts of a conjunction stand.
func (k conjunction) spots() []spot {
	out := make([]spot, len(k.parts))
	for i := range k.parts {
		out[i] = k.parts[i].spot
	}
	return out
}

// original is the node of a spot as it was read, nil for a spot that the document does not have.
func (c *converter) original(s spot) *source.Value {
	if s.file == nil || s.file.tree == nil {
		return nil
	}
	// What is below a component, or an operation, is looked up from there: their lists are long.
	const deep = 3
	end := 0
	for range deep {
		next := strings.IndexByte(s.pointer[min(end+1, len(s.pointer)):], '/')
		if next < 0 {
			end = len(s.pointer)
			break
		}
		end += next + 1
	}
	key := refKey{s.file, s.pointer[:end]}
	root, known := c.roots[key]
	if !known {
		root, _ = s.file.tree.Lookup(key.text)
		c.roots[key] = root
	}
	if root == nil || end == len(s.pointer) {
		return root
	}
	node, err := root.Lookup(s.pointer[end:])
	if err != nil {
		return nil
	}
	return node
}

// limitsLook looks at so many schemas more: they may lead in circles.
type limitsLook struct {
	*converter

	left int
}

// add adds what a schema says, and reports whether it says anything.
func (k *limitsLook) add(out *model.Limits, s spot) (said bool) {
	if k.left--; k.left < 0 || s.node == nil || s.node.Kind != source.Map {
		return false
	}
	if ref := refOf(s.node); ref != nil {
		if target, err := k.refs.lookup(s, ref.Text); err == nil {
			said = k.add(out, target)
		}
	}
	said = addTextLimits(out, s.node) || said
	said = addNumberLimits(out, s.node) || said
	said = addExamples(out, s.node) || said
	if n, ok := countOf(s.node, "minProperties"); ok && n > 0 {
		out.MinMembers, said = max(out.MinMembers, n), true
	}
	if n, ok := countOf(s.node, "minItems"); ok && n > 0 {
		out.MinItems, said = max(out.MinItems, n), true
	}
	out.Unique = out.Unique || isTrue(s.node.Get("uniqueItems"))
	if out.MinItems > 0 || out.MinMembers > 0 {
		k.addItems(out, s)
	}
	all := s.get("allOf")
	for i := range listOf(all.node) {
		said = k.add(out, all.item(i)) || said
	}
	if only, ok := theOnly(s); ok {
		said = k.add(out, only) || said
	}
	return said
}

// addItems adds what is said of items, and of members that are not listed.
func (k *limitsLook) addItems(out *model.Limits, s spot) {
	for _, key := range []string{"items", "additionalProperties"} {
		if items := s.get(key); items.node != nil && items.node.Kind == source.Map && refOf(items.node) == nil {
			one := model.Limits{MaxLength: -1}
			if k.add(&one, items) {
				out.Items = &one
			}
		}
	}
}

// theOnly is the one alternative beside null; false where there are several, or none.
func theOnly(s spot) (only spot, ok bool) {
	n := 0
	for _, key := range []string{"anyOf", "oneOf"} {
		all := s.get(key)
		for i := range listOf(all.node) {
			if textOf(all.item(i).node.Get("type")) == "null" {
				continue
			}
			only, n = all.item(i), n+1
		}
	}
	return only, n == 1
}

func listOf(node *source.Value) []source.Value {
	if node == nil || node.Kind != source.List {
		return nil
	}
	return node.List
}

func isTrue(node *source.Value) bool {
	return node != nil && node.Kind == source.Bool && node.Text == "true"
}

func addTextLimits(out *model.Limits, node *source.Value) (said bool) {
	if f := textOf(node.Get("format")); f != "" {
		out.Format, said = f, true
	}
	if p := textOf(node.Get("pattern")); p != "" {
		out.Pattern, said = p, true
	}
	if n, ok := countOf(node, "minLength"); ok && n > 0 {
		out.MinLength, said = max(out.MinLength, n), true
	}
	if n, ok := countOf(node, "maxLength"); ok {
		if out.MaxLength < 0 || n < out.MaxLength {
			out.MaxLength = n
		}
		said = true
	}
	return said
}

// addNumberLimits reads bounds in both spellings of the exclusive ones: a boolean beside the bound, and a bound of its own.
func addNumberLimits(out *model.Limits, node *source.Value) (said bool) {
	if n, ok := numberOf(node.Get("minimum")); ok {
		out.Least, out.Above, said = &n, isTrue(node.Get("exclusiveMinimum")), true
	}
	if n, ok := numberOf(node.Get("exclusiveMinimum")); ok {
		out.Least, out.Above, said = &n, true, true
	}
	if n, ok := numberOf(node.Get("maximum")); ok {
		out.Most, out.Below, said = &n, isTrue(node.Get("exclusiveMaximum")), true
	}
	if n, ok := numberOf(node.Get("exclusiveMaximum")); ok {
		out.Most, out.Below, said = &n, true, true
	}
	if n, ok := numberOf(node.Get("multipleOf")); ok && n > 0 {
		out.Multiple, said = n, true
	}
	return said
}

// addExamples adds scalars that the document gives: an example, examples, the default.
func addExamples(out *model.Limits, node *source.Value) (said bool) {
	add := func(v *source.Value) {
		if v != nil && (v.Kind == source.String || v.Kind == source.Number) {
			out.Examples, said = append(out.Examples, *v), true
		}
	}
	add(node.Get("example"))
	for i := range listOf(node.Get("examples")) {
		add(&node.Get("examples").List[i])
	}
	add(node.Get("default"))
	return said
}

func numberOf(node *source.Value) (float64, bool) {
	if node == nil || node.Kind != source.Number {
		return 0, false
	}
	n, err := strconv.ParseFloat(node.Text, 64)
	return n, err == nil
}

func countOf(node *source.Value, key string) (int64, bool) {
	n, ok := numberOf(node.Get(key))
	const most = 1 << 40
	if !ok || n < 0 || n > most {
		return 0, false
	}
	return int64(n), true
}
