package swagger

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// within returns the reference to a part of what a reference leads to.
func within(ref string, steps ...string) string {
	if !strings.Contains(ref, "#") {
		ref += "#"
	}
	return ref + source.Pointer(steps...)
}

// unescaped returns a step of a reference as the key that it means.
func unescaped(step string) string {
	if steps, err := source.ParseFragment("/" + step); err == nil && len(steps) == 1 {
		return steps[0]
	}
	return step
}

// rewrite returns the bare name of a definition as a reference, and a reference into what an operation's conversion moves (the schemas
// of its parameters and responses, to which tools refer that put a document together of several files) as one to where that has gone.
// Any other is as it was.
func (c *converter) rewrite(ref string) string {
	if _, isDefined := c.defined[ref]; isDefined && !strings.Contains(ref, "#") { // a name alone, as before 2.0
		return "#" + escaped(source.Pointer(definitions, ref))
	}
	name, fragment, _ := strings.Cut(ref, "#")
	steps, err := source.ParseFragment(fragment)
	const shortest = 5 // paths, path, method, parameters or responses, which
	if err != nil || len(steps) < shortest || steps[0] != "paths" {
		return ref
	}
	of, ok := c.document(name)
	if !ok {
		return ref
	}
	op := of.root.At(steps[:3]...)
	moved, ok := of.moved(op, steps[3:])
	if !ok {
		return ref
	}
	return name + "#" + escaped(source.Pointer(slices.Concat(steps[:3], moved)...))
}

// document returns the converter of the document that a reference names, as it is written.
func (c *converter) document(name string) (*converter, bool) {
	if name == "" {
		return c, true
	}
	target, ok := c.Find(c.File, name)
	if !ok || !IsVersion2(target.Value) {
		return nil, false
	}
	out := c.at(target.File)
	out.root, out.defined = target.Value, nil
	return out, true
}

// moved says where what an operation has under steps is after its conversion.
func (c *converter) moved(op *source.Value, steps []string) ([]string, bool) {
	switch steps[0] {
	case "responses":
		response := op.At(steps[:2]...)
		if len(steps) > 2 && steps[2] == "schema" && response.Get("schema") != nil && response.Get("content") == nil {
			types := c.responseTypes(op, response, isFileSchema(response.Get("schema")))
			return slices.Concat(steps[:2], []string{"content", types[0].Text}, steps[2:]), true
		}
	case "parameters":
		return c.movedParameter(op, steps)
	}
	return nil, false
}

// movedParameter says where a parameter of an operation is after its conversion, by its place in the list.
func (c *converter) movedParameter(op *source.Value, steps []string) ([]string, bool) {
	index, err := strconv.Atoi(steps[1])
	all := listOf(op.Get("parameters"))
	if err != nil || index < 0 || index >= len(all) {
		return nil, false
	}
	in := func(p *source.Value) string {
		if target, ok := c.Find(c.File, refOf(p)); refOf(p) != "" && ok {
			p = target.Value
		}
		return textOf(p.Get("in"))
	}
	if in(&all[index]) == "body" && len(steps) > 2 && steps[2] == "schema" {
		types := c.bodyTypes(op, all[index].Get("schema"), all[index].Pos)
		return slices.Concat([]string{"requestBody", "content", types[0].Text}, steps[2:]), true
	}
	place := 0
	for i := range index {
		if where := in(&all[i]); where != "body" && where != "formData" {
			place++
		}
	}
	return slices.Concat([]string{"parameters", strconv.Itoa(place)}, steps[2:]), true
}

// escaped returns a pointer as the fragment of a URI.
func escaped(pointer string) string {
	return (&url.URL{Fragment: pointer}).EscapedFragment()
}
