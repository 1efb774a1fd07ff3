package overlay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/theory/jsonpath"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// allowEmpty is the extension with which an action may match nothing.
const allowEmpty = "x-resgen-allow-empty"

// maxDescendants is how many `..` one target may have: each multiplies the work by the depth of the document.
const maxDescendants = 3

// action is one change, checked.
type action struct {
	target   query
	copyFrom *query
	update   *source.Value
	remove   bool
	// allowEmpty says that matching nothing is fine.
	allowEmpty bool
}

// query is a JSONPath with its place.
type query struct {
	text string
	pos  source.Pos
	path *jsonpath.Path
}

func (q query) span() source.Span { return source.Span{Pos: q.pos} }

// decoder checks an overlay against its specification.
type decoder struct {
	list *diag.List
	// minor is the overlay's version 1.minor.
	minor string
}

// decode returns the actions of an overlay that can be carried out, and reports the rest.
func decode(o Overlay, list *diag.List) []action {
	d := &decoder{list: list}
	if !d.object(o.Tree, "the overlay", "overlay", "info", "extends", "actions") || !d.version(o.Tree) {
		return nil
	}
	d.info(o.Tree)
	checkExtends(o, list)
	actions := o.Tree.Get("actions")
	if actions == nil || actions.Kind != source.List || len(actions.List) == 0 {
		d.invalid(positionOf(actions, o.Tree), "the overlay has no actions", "add `actions`, a list with at least one action")
		return nil
	}
	var out []action
	for i := range actions.List {
		if a, ok := d.action(&actions.List[i]); ok {
			out = append(out, a)
		}
	}
	return out
}

// version checks the overlay's version; patch releases do not count.
func (d *decoder) version(tree *source.Value) bool {
	v := tree.Get("overlay")
	if v == nil || v.Kind != source.String && v.Kind != source.Number {
		d.invalid(positionOf(v, tree), "the overlay does not say its version", "add `overlay: 1.1.0`")
		return false
	}
	major, rest, _ := strings.Cut(v.Text, ".")
	d.minor, _, _ = strings.Cut(rest, ".")
	if major == "1" && (d.minor == "0" || d.minor == "1") {
		return true
	}
	d.list.Add(diag.Diagnostic{
		Code: diag.OverlayVersion, Span: source.Span{Pos: v.Pos},
		What: fmt.Sprintf("the overlay is of version %q", v.Text),
		Why:  "versions 1.0 and 1.1 are known; another one may give actions another meaning",
		Fix:  "write the overlay for `overlay: 1.1.0`",
	})
	return false
}

func (d *decoder) info(tree *source.Value) {
	info := tree.Get("info")
	if info == nil {
		d.invalid(tree.Pos, "the overlay has no info", "add `info: {title: ..., version: 1.0.0}`")
		return
	}
	if !d.object(info, "info", "title", "version", "description") {
		return
	}
	for _, key := range []string{"title", "version"} {
		if v := info.Get(key); v == nil || v.Kind != source.String && v.Kind != source.Number {
			d.invalid(positionOf(v, info), "info has no "+key, fmt.Sprintf("add `%s` to info, a string", key))
		}
	}
}

func (d *decoder) action(v *source.Value) (action, bool) {
	if !d.object(v, "an action", "target", "description", "update", "remove", "copy") {
		return action{}, false
	}
	a := action{update: v.Get("update")}
	var ok bool
	if a.target, ok = d.query(v.Get("target"), v, "target"); !ok {
		return action{}, false
	}
	if a.remove, ok = d.boolean(v.Get("remove")); !ok {
		return action{}, false
	}
	if a.allowEmpty, ok = d.boolean(v.Get(allowEmpty)); !ok {
		return action{}, false
	}
	if from := v.Get("copy"); from != nil {
		q, ok := d.query(from, v, "copy")
		if !ok || !d.copyAllowed(from) {
			return action{}, false
		}
		a.copyFrom = &q
	}
	return a, d.oneChange(v, &a)
}

// oneChange checks that an action says what it does, once.
func (d *decoder) oneChange(v *source.Value, a *action) bool {
	switch {
	case a.remove:
		if len(a.target.path.Query().Segments()) == 0 {
			d.invalid(a.target.pos, "the action removes the whole document", "name what should go in the target")
			return false
		}
		for _, key := range []string{"update", "copy"} {
			if other := v.Get(key); other != nil {
				d.report(diag.Warning, other.Pos, key+" has no effect beside remove: true", "take it out, or give it an action of its own")
			}
		}
		return true
	case a.update != nil && a.copyFrom != nil:
		d.invalid(a.copyFrom.pos, "the action has update and copy", "give each an action of its own")
		return false
	case a.update == nil && a.copyFrom == nil:
		d.invalid(v.Pos, "the action does nothing", "add update, copy or `remove: true` to it")
		return false
	default:
		return true
	}
}

func (d *decoder) copyAllowed(from *source.Value) bool {
	if d.minor == "0" {
		d.invalid(from.Pos, "copy in an overlay of version 1.0", "write `overlay: 1.1.0`: copy came with 1.1")
		return false
	}
	return true
}

// query reads a JSONPath.
func (d *decoder) query(v, owner *source.Value, name string) (query, bool) {
	if v == nil || v.Kind != source.String {
		d.invalid(positionOf(v, owner), fmt.Sprintf("an action without a %s that is a string", name), fmt.Sprintf("add `%s: $.paths['/pets'].get`", name))
		return query{}, false
	}
	path, err := jsonpath.Parse(v.Text)
	if err != nil {
		what, _ := strings.CutPrefix(err.Error(), "jsonpath: ")
		d.list.Add(diag.Diagnostic{
			Code: diag.OverlayTarget, Span: source.Span{Pos: v.Pos},
			What: fmt.Sprintf("%q is no JSONPath: %s", v.Text, what),
			Why:  "targets are JSONPath queries as RFC 9535 defines them",
			Fix:  "write names with special characters in brackets and quotes: $.paths['/pets'].get",
		})
		return query{}, false
	}
	descendants := 0
	for _, segment := range path.Query().Segments() {
		if segment.IsDescendant() {
			descendants++
		}
	}
	if descendants > maxDescendants {
		d.list.Add(diag.Diagnostic{
			Code: diag.LimitExceeded, Span: source.Span{Pos: v.Pos},
			What: fmt.Sprintf("%q has more than %d descendant segments", v.Text, maxDescendants),
			Why:  "each '..' multiplies the work by the depth of the document", Fix: "name the steps in between",
		})
		return query{}, false
	}
	return query{text: v.Text, pos: v.Pos, path: path}, true
}

// boolean reads a boolean that is false where it is not written.
func (d *decoder) boolean(v *source.Value) (value, ok bool) {
	if v == nil {
		return false, true
	}
	if v.Kind != source.Bool {
		d.invalid(v.Pos, fmt.Sprintf("a %s where true or false was expected", v.Kind), "write true or false")
		return false, false
	}
	return v.Text == "true", true
}

// object checks that a value is an object with known keys and extensions only.
func (d *decoder) object(v *source.Value, what string, known ...string) bool {
	if v == nil || v.Kind != source.Map {
		d.invalid(positionOf(v, v), what+" is no object", "write it as an object; see the Overlay Specification")
		return false
	}
	for i := range v.Map {
		if f := &v.Map[i]; !strings.HasPrefix(f.Key, "x-") || strings.HasPrefix(f.Key, "x-resgen-") && f.Key != allowEmpty {
			d.known(f, what, known)
		}
	}
	return true
}

func (d *decoder) known(f *source.Field, what string, known []string) {
	if slices.Contains(known, f.Key) {
		return
	}
	fix := diag.DidYouMean(f.Key, append([]string{allowEmpty}, known...))
	if fix == "" {
		fix = "remove it; keys of others begin with x-"
	}
	d.list.Add(diag.Diagnostic{
		Code: diag.UnknownKey, Span: source.Span{Pos: f.KeyPos, Len: len(f.Key)},
		What: fmt.Sprintf("%s has no key %q", what, f.Key),
		Why:  "a key that nothing reads would be an action that is silently not done", Fix: fix,
	})
}

func (d *decoder) invalid(pos source.Pos, what, fix string) { d.report(diag.Error, pos, what, fix) }

func (d *decoder) report(severity diag.Severity, pos source.Pos, what, fix string) {
	d.list.Add(diag.Diagnostic{
		Code: diag.InvalidOverlay, Severity: severity, Span: source.Span{Pos: pos}, What: what,
		Why: "the Overlay Specification gives overlays this form", Fix: fix,
	})
}

// positionOf is the place of a value, or that of its owner where there is none.
func positionOf(v, owner *source.Value) source.Pos {
	switch {
	case v != nil:
		return v.Pos
	case owner != nil:
		return owner.Pos
	default:
		return source.Pos{}
	}
}
