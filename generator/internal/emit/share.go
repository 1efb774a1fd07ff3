package emit

import (
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

// sharedValue is a value that several policies have in common.
type sharedValue struct {
	node *node
	uses int
	// field is the struct field where it was met first, top the field of policy.Plan that leads there, and owner the name of the
	// rung or target that it belongs to, if any.
	field, top, owner string
	op                *plan.Operation
}

// sharing finds equal values in the plans.
type sharing struct {
	found map[string]*sharedValue
	order []*sharedValue
	// stem begins the names; empty where nothing of the package is another's.
	stem string
}

// share gives a name to each composite value that the plans hold more than once, and makes them refer to it. What is short stays in
// place. Equal values become one node, so that a value within a shared one is counted once.
func share(ops []plan.Operation, plans []*node, taken map[string]bool, stem string) []*sharedValue {
	s := &sharing{found: map[string]*sharedValue{}, stem: stem}
	for i, n := range plans {
		for j, f := range n.fields {
			n.fields[j].node = s.visit(f, place{top: f.name}, &ops[i])
		}
	}
	shared := slices.DeleteFunc(s.order, func(v *sharedValue) bool { return v.uses < 2 })
	for _, v := range shared {
		v.node.name = v.chooseName(taken, s.stem)
		taken[v.node.name] = true
	}
	return shared
}

// place is where a value stands: the field of policy.Plan that leads there, and the name of the rung or target around it.
type place struct{ top, owner string }

// visit returns the node to be used for a field (or an element, which has no name): the one that was met before, where there is one.
func (s *sharing) visit(f namedNode, at place, op *plan.Operation) *node {
	n := f.node
	if n.code != nil {
		return n
	}
	if f.name != "" && n.worthNaming() {
		if v, ok := s.found[n.text]; ok {
			v.uses++
			return v.node
		}
		v := &sharedValue{node: n, uses: 1, field: f.name, top: at.top, owner: at.owner, op: op}
		s.found[n.text] = v
		s.order = append(s.order, v)
	}
	if f.name == "" {
		at.owner = n.ownName()
	}
	for i, child := range n.fields {
		n.fields[i].node = s.visit(child, at, op)
	}
	return n
}

// ownName is the value of a field Name, as a rung and a target have it.
func (n *node) ownName() string {
	if len(n.fields) == 0 || n.fields[0].name != "Name" {
		return ""
	}
	name, err := strconv.Unquote(n.fields[0].node.text)
	if err != nil {
		return ""
	}
	return name
}

// worthNaming reports whether a variable reads better than the value: it is long, and more than one scalar.
func (n *node) worthNaming() bool {
	const long = 60
	return len(n.text) > long && (len(n.fields) > 1 || len(n.fields) == 1 && n.fields[0].node.code == nil)
}

// chooseName is the name of the variable: what the author called it, then the field.
func (v *sharedValue) chooseName(taken map[string]bool, stem string) string {
	base := v.hint() + v.field
	switch {
	case v.field == "When" && v.node.isAnyFailure():
		base = "anyFailure"
	case taken[base] && v.op.Policy.Stream.Format.Streams():
		base = v.hint() + "Stream" + v.field
	}
	if rest, begins := strings.CutPrefix(base, stem); stem != "" && (!begins || rest == "" || unicode.IsLower(rune(rest[0]))) {
		base = stem + strings.ToUpper(base[:1]) + base[1:]
	}
	name := base
	for i := 2; taken[name] || !token.IsIdentifier(name); i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// isAnyFailure reports whether the kinds of a list are those that `when: [any]` means.
func (n *node) isAnyFailure() bool {
	held := map[string]bool{}
	for _, f := range n.fields {
		held[f.node.text] = true
	}
	for _, kind := range policy.Kinds() {
		name, _ := constantName(reflect.ValueOf(kind))
		if held["policy."+name] != kind.Any() {
			return false
		}
	}
	return true
}

// hint is what the author called the value: the rung or target that it belongs to, the timeout class, the named policy, else the
// layer that set it, else the operation.
func (v *sharedValue) hint() string {
	if v.owner != "" {
		return lowerCamel(v.owner, v.op.Field)
	}
	key := strings.ToLower(v.top)
	layer := ""
	for _, w := range v.op.Why {
		if w.Path != key && !strings.HasPrefix(w.Path, key+".") && !strings.HasPrefix(w.Path, key+"[") {
			continue
		}
		if w.Path == "timeout" {
			return lowerCamel(w.Value, v.op.Field)
		}
		if name, ok := strings.CutPrefix(w.Layer, "policy "); ok {
			return lowerCamel(name, v.op.Field)
		}
		if layer == "" || layer == "built-in" {
			layer = w.Layer
		}
	}
	switch layer {
	case "operation", "path", "method":
		return v.op.Field
	case "interface": // its name begins that of the variable anyway
		return ""
	case "": // nobody set it: the built-in layer has timeouts only, and targets have no provenance
		if v.top == "Timeout" {
			return "builtIn"
		}
		return "common"
	default:
		return lowerCamel(layer, v.op.Field)
	}
}

// lowerCamel joins the words of an author's name, such as built-in, to an identifier's beginning; without one it is fallback.
func lowerCamel(text, fallback string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 || unicode.IsDigit(rune(words[0][0])) {
		return fallback
	}
	for i, w := range words {
		if i > 0 {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.ToLower(words[0][:1]) + strings.Join(words, "")[1:]
}
