package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// ReadYAML reads one YAML document with the position of every value and key. Scalars resolve by the core schema of YAML 1.2;
// keys that are no strings, such as 200, become their text; anchors, aliases and merge keys are expanded within MaxAliased.
//
// The library is go.yaml.in/yaml/v4: it is maintained, it takes hostile nesting, and it is the one that kin-openapi reads with,
// so the program carries one YAML reader.
//
// A failure is an Errors: the first fault of syntax or limit ends the reading, repeated keys are all reported.
func ReadYAML(name string, data []byte) (*Value, error) {
	if err := checkText(name, data); err != nil {
		return nil, Errors{err}
	}
	r := &yamlReader{file: name, place: newYAMLPlace(name, data)}
	root, err := r.parse(maskVersion(trimBOM(data)))
	if err != nil {
		return nil, Errors{err}
	}
	r.place.rewrite(root)
	v, err := r.value(root, 1)
	return r.done(v, err)
}

// maskVersion makes a comment of the directive %YAML 1.2, which the library refuses although it is what it reads. Nothing moves.
func maskVersion(text []byte) []byte {
	at := 0
	for line := range bytes.Lines(text) {
		switch {
		case bytes.HasPrefix(line, []byte("%YAML 1.2")):
			text = bytes.Clone(text)
			text[at] = '#'
			return text
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '#' && line[0] != '%': // directives stand before everything else
			return text
		}
		at += len(line)
	}
	return text
}

// yamlReader turns the library's nodes into values.
type yamlReader struct {
	budget

	file  string
	place *yamlPlace
	// open are the anchored nodes that are being expanded: an alias to one of them would never end.
	open []*yaml.Node
	// inAlias is how many aliases the reader is inside of.
	inAlias int
}

// parse runs the library. Its faults come back as values; a panic does too, since the text is hostile and the library's scanner
// is not ours.
func (r *yamlReader) parse(text []byte) (root *yaml.Node, fault *Error) {
	defer func() {
		if p := recover(); p != nil {
			root, fault = nil, r.syntax(Pos{File: r.file, Line: 1, Column: 1}, fmt.Sprintf("the YAML reader gave up: %v", p))
		}
	}()
	loader, err := yaml.NewLoader(bytes.NewReader(text), yaml.WithV4Defaults())
	if err != nil {
		return nil, r.syntaxOf(err)
	}
	var doc, second yaml.Node
	switch err := loader.Load(&doc); {
	case errors.Is(err, io.EOF):
		fault := r.syntax(Pos{File: r.file, Line: 1, Column: 1}, "the document is empty")
		fault.Why, fault.Fix = "there is nothing in it to read", "name another file, or write the document"
		return nil, fault
	case err != nil:
		return nil, r.syntaxOf(err)
	}
	switch err := loader.Load(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, r.syntaxOf(err)
	default:
		fault := r.syntax(r.place.pos(second.Line, second.Column), "a second document in the same file")
		fault.Why, fault.Fix = "one file holds one document", "remove the line '---' or move the second document to a file of its own"
		return nil, fault
	}
	return content(&doc), nil
}

// content returns the root value of a document.
func content(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		return n.Content[0]
	}
	return n
}

func (r *yamlReader) syntaxOf(err error) *Error {
	if load, ok := errors.AsType[*yaml.LoadError](err); ok {
		mark := load.Mark
		pos := r.place.pos(mark.Line, mark.Column)
		if mark.Line == 0 {
			pos = r.place.table.pos(mark.Index + r.place.skip)
		}
		if strings.HasPrefix(load.Message, "exceeded max depth") { // the library's limit lies far above ours
			return tooDeep(pos)
		}
		return r.syntax(pos, load.Message)
	}
	return r.syntax(Pos{File: r.file, Line: 1, Column: 1}, err.Error())
}

func (*yamlReader) syntax(pos Pos, what string) *Error {
	return &Error{
		Span: Span{Pos: pos}, What: what, Why: "the text is not YAML",
		Fix: "correct the line; text with ': ', '#' or a leading special character needs quotes",
	}
}

func (r *yamlReader) pos(n *yaml.Node) Pos { return Pos{File: r.file, Line: n.Line, Column: n.Column} }

func (r *yamlReader) value(n *yaml.Node, depth int) (Value, *Error) {
	pos := r.pos(n)
	if err := r.count(pos, depth); err != nil {
		return Value{}, err
	}
	if n.Anchor != "" {
		r.open = append(r.open, n)
		defer func() { r.open = r.open[:len(r.open)-1] }()
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.alias(n, depth)
	case yaml.MappingNode:
		return r.mapping(n, depth)
	case yaml.SequenceNode:
		return r.sequence(n, depth)
	default:
		kind, text, err := scalar(n)
		if err != nil {
			err.Span = Span{Pos: pos}
		}
		v := Value{Pos: pos, Kind: kind, Text: text}
		if kind != Null && text != n.Value {
			v.Written = n.Value
		}
		return v, err
	}
}

// count is node, with what aliases make counted apart.
func (r *yamlReader) count(pos Pos, depth int) *Error {
	if r.inAlias > 0 {
		if r.aliased++; r.aliased > MaxAliased {
			return limitError(pos, fmt.Sprintf("aliases make more than %d values", MaxAliased), "write the repeated parts as components and refer to them by $ref")
		}
	}
	return r.node(pos, depth)
}

// alias expands an alias: its value is a copy with the anchor's positions.
func (r *yamlReader) alias(n *yaml.Node, depth int) (Value, *Error) {
	if err := r.checkCycle(n); err != nil {
		return Value{}, err
	}
	r.inAlias++
	defer func() { r.inAlias-- }()
	return r.value(n.Alias, depth)
}

func (r *yamlReader) checkCycle(n *yaml.Node) *Error {
	if !slices.Contains(r.open, n.Alias) {
		return nil
	}
	return &Error{
		Span: Span{Pos: r.pos(n)}, Related: Span{Pos: r.pos(n.Alias)}, What: "the alias *" + clip(n.Value) + " is inside of what it stands for",
		Why: "the value would be without end", Fix: "write the recursive part as a component and refer to it by $ref",
	}
}

func (r *yamlReader) sequence(n *yaml.Node, depth int) (Value, *Error) {
	v := Value{Pos: r.pos(n), Kind: List, List: make([]Value, 0, len(n.Content))}
	if err := r.collectionTag(n, tagSeq); err != nil {
		return Value{}, err
	}
	for _, child := range n.Content {
		item, err := r.value(child, depth+1)
		if err != nil {
			return Value{}, err
		}
		v.List = append(v.List, item)
	}
	return v, nil
}

func (r *yamlReader) collectionTag(n *yaml.Node, want string) *Error {
	if n.Style&yaml.TaggedStyle == 0 || n.Tag == want {
		return nil
	}
	err := unknownTag(n.Tag)
	err.Span = Span{Pos: r.pos(n)}
	return err
}
