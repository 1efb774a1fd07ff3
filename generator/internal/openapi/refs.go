package openapi

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// spot is a value in a file, known by its place: the same target has the same id on whatever way it is reached.
type spot struct {
	file *file
	// pointer is the JSON pointer (RFC 6901) of node, empty for the whole file.
	pointer string
	node    *source.Value
}

// id returns the spot's identity, as model.TypeID spells it.
func (s spot) id() string { return s.file.label + "#" + s.pointer }

// step returns the spot of a child of s.
func (s spot) step(key string, node *source.Value) spot {
	return spot{file: s.file, pointer: s.pointer + source.Pointer(key), node: node}
}

// get returns the spot of a map's value; its node is nil where there is none.
func (s spot) get(key string) spot { return s.step(key, s.node.Get(key)) }

// item returns the spot of a list's item.
func (s spot) item(i int) spot { return s.step(strconv.Itoa(i), &s.node.List[i]) }

// refOf returns the $ref of a value, nil where it has none that is a string. An empty one refers to nothing.
func refOf(node *source.Value) *source.Value {
	if ref := node.Get("$ref"); ref != nil && ref.Kind == source.String && ref.Text != "" {
		return ref
	}
	return nil
}

// resolver follows references.
type resolver struct {
	files *files
	list  *diag.List
	// known are the references that were followed before, by file and text.
	known map[refKey]finding
}

type refKey struct {
	file *file
	text string
}

// finding is what came of following a reference.
type finding struct {
	spot spot
	err  error
}

// errNowhere is a reference into a file that does not have what it names.
var errNowhere = errors.New("the reference leads nowhere")

// maxHops is how many references may follow one another before one leads to a value.
const maxHops = 100

// target returns what the $ref of a spot leads to, one reference further. Where it leads nowhere, that is reported, and ok is
// false.
func (r *resolver) target(s spot) (target spot, ok bool) {
	ref := refOf(s.node)
	target, err := r.lookup(s, ref.Text)
	var faults source.Errors
	d := diag.Diagnostic{Span: source.Span{Pos: ref.Pos}}
	switch {
	case err == nil:
		return target, true
	case errors.As(err, &faults):
		r.list.AddSource(err, ref.Pos)
		return spot{}, false
	case errors.Is(err, ErrNoCopy) || errors.Is(err, ErrChangedCopy):
		r.reportRemote(ref, err)
		return spot{}, false
	case errors.Is(err, errNowhere):
		r.reportDangling(ref)
		return spot{}, false
	default:
		d.Code = diag.UnreadableFile
		if errors.Is(err, fs.ErrNotExist) {
			d.Severity = diag.Warning // it leads nowhere, as one within the document may
		}
		d.What = fmt.Sprintf("the file that the reference %q names cannot be read: %v", ref.Text, err)
		d.Why = "what a document refers to is part of it"
		d.Fix = "correct the path, put a copy of the file below the root, or give a wider --root"
		name, _, _ := strings.Cut(ref.Text, "#")
		if _, isRemote, _ := remote(s.file, name); isRemote {
			d.Fix = "correct the address, or run `resgen vendor` where it can be reached, and commit what it writes"
		}
	}
	r.list.Add(d)
	return spot{}, false
}

func (r *resolver) reportDangling(ref *source.Value) {
	r.list.Add(diag.Diagnostic{
		Code: diag.DanglingRef, Severity: diag.Warning, Span: source.Span{Pos: ref.Pos},
		What: fmt.Sprintf("the reference %q leads nowhere", ref.Text),
		Why:  "what stands there is not known, so that any value is taken for it",
		Fix:  "correct the reference, or add what it names",
	})
}

// resolve follows references from s until one leads to a value. A chain that leads nowhere, or back to itself, is reported, and
// ok is false.
func (r *resolver) resolve(s spot) (target spot, ok bool) {
	target = s
	for range maxHops {
		if refOf(target.node) == nil {
			return target, true
		}
		if target, ok = r.target(target); !ok {
			return spot{}, false
		}
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.RefLoop, Severity: diag.Warning, Span: source.Span{Pos: refOf(s.node).Pos},
		What: fmt.Sprintf("the reference %q leads back to itself", refOf(s.node).Text),
		Why:  "references that only refer to each other describe nothing, so that any value is taken for it",
		Fix:  "say at one of them what it is",
	})
	return spot{}, false
}

// lookup finds what a reference text means at a place, and reports nothing.
func (r *resolver) lookup(from spot, text string) (spot, error) {
	key := refKey{from.file, text}
	if found, ok := r.known[key]; ok {
		return found.spot, found.err
	}
	if r.known == nil {
		r.known = map[refKey]finding{}
	}
	r.known[key] = finding{err: errNowhere} // while it is looked for: a way that leads through the reference itself leads nowhere
	found, err := r.find(from.file, text)
	if err != nil {
		if found, ok := r.findNear(from, text); ok { // depends on where in its file the reference stands, so it is not kept
			delete(r.known, key)
			return found, nil
		}
	}
	r.known[key] = finding{found, err}
	return found, err
}

// findNear finds what a reference means by what is around it: a definition of the schema that it stands in, or an address that is resolved
// against the schema's own.
func (r *resolver) findNear(from spot, text string) (spot, bool) {
	name, fragment, _ := strings.Cut(text, "#")
	if name == "" {
		return enclosed(from, text)
	}
	root, ok := r.identified(from, name)
	if !ok {
		return spot{}, false
	}
	found, err := r.fragment(root, fragment)
	return found, err == nil
}

func (r *resolver) find(from *file, text string) (spot, error) {
	name, fragment, _ := strings.Cut(text, "#")
	target := from
	if name != "" {
		var err error
		if target, err = r.files.open(from, name); err != nil {
			return spot{}, err
		}
	}
	return r.fragment(spot{file: target, node: target.tree}, fragment)
}

// fragment finds what a fragment names in a document or schema.
func (r *resolver) fragment(root spot, fragment string) (spot, error) {
	switch {
	case fragment == "":
		return root, nil
	case fragment[0] != '/':
		return r.anchor(root.file, fragment)
	default:
		return r.walk(root, fragmentSteps(fragment), 0)
	}
}

// fragmentSteps splits a fragment that begins with '/'. A '%' or '~' that is no escape, which many writers forget to escape,
// stands for itself.
func fragmentSteps(fragment string) []string {
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	steps, err := source.ParsePointer(fragment)
	if err != nil {
		return strings.Split(fragment[1:], "/")
	}
	return steps
}

// walk follows steps from a spot, and references on the way: "#/components/schemas/A/properties/b" where A is a $ref itself.
func (r *resolver) walk(s spot, steps []string, hops int) (spot, error) {
	for i, step := range steps {
		if next := s.node.At(step); next != nil {
			s = s.step(step, next)
			continue
		}
		if refOf(s.node) == nil || hops >= maxHops {
			return spot{}, errNowhere
		}
		target, err := r.lookup(s, refOf(s.node).Text)
		if err != nil {
			return spot{}, err
		}
		return r.walk(target, steps[i:], hops+1)
	}
	return s, nil
}

// enclosed finds "#/$defs/X" in the nearest schema around the reference that has such a definition. JSON Schema means the
// document's root by it, but schemas that were made on their own and pasted into a document are common.
func enclosed(from spot, text string) (spot, bool) {
	fragment, isLocal := strings.CutPrefix(text, "#/")
	steps := fragmentSteps("/" + fragment)
	if !isLocal || steps[0] != "$defs" && steps[0] != "definitions" {
		return spot{}, false
	}
	around, err := source.ParsePointer(from.pointer)
	if err != nil {
		return spot{}, false
	}
	for n := len(around); n > 0; n-- {
		path := slices.Concat(around[:n], steps)
		if node := from.file.tree.At(path...); node != nil {
			return spot{file: from.file, pointer: source.Pointer(path...), node: node}, true
		}
	}
	return spot{}, false
}

// anchor finds a plain-name fragment: the $anchor or $dynamicAnchor of some schema of the file.
func (*resolver) anchor(f *file, name string) (spot, error) {
	if f.anchors == nil {
		f.anchors = map[string]spot{}
		collectAnchors(spot{file: f, node: f.tree}, f.anchors)
	}
	if found, ok := f.anchors[name]; ok {
		return found, nil
	}
	return spot{}, errNowhere
}

func collectAnchors(s spot, into map[string]spot) {
	for _, key := range []string{"$anchor", "$dynamicAnchor"} {
		if name := s.node.Get(key); name != nil && name.Kind == source.String {
			if _, taken := into[name.Text]; !taken {
				into[name.Text] = s
			}
		}
	}
	for i := range s.node.Map {
		collectAnchors(s.step(s.node.Map[i].Key, &s.node.Map[i].Value), into)
	}
	for i := range s.node.List {
		collectAnchors(s.item(i), into)
	}
}
