package generator_test

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// fact is something that a document says of what travels, and that a client must know.
type fact struct {
	// kind is "object", "enum", "union" or "parameter".
	kind string
	at   *source.Value
	// names are an object's members, an enum's values, a parameter's name.
	names []string
	// typed are the members of an object of which the document says a type.
	typed []string
	// variants are the members of each object among a union's alternatives.
	variants [][]string
	// request is the operation of a parameter, "METHOD /path".
	request string
}

// factWalk gathers the facts of a document. It knows nothing of the loader: it reads the tree, and follows references by itself.
type factWalk struct {
	trees map[string]*source.Value
	seen  map[*source.Value]bool
	facts []fact
	is30  bool
	// old is the document where it is one of OpenAPI 2.0: schemas stand in parameters and responses there.
	old *source.Value
}

// node is a value in a file.
type node struct {
	*source.Value

	file string
}

func (n node) get(key string) node { return node{n.Get(key), n.file} }

// documentFacts returns the facts that the operations of a document reach.
func documentFacts(name string) ([]fact, error) {
	tree, err := readDocument(name)
	if err != nil {
		return nil, err
	}
	w := &factWalk{trees: map[string]*source.Value{name: tree}, seen: map[*source.Value]bool{}}
	if version := tree.Get("openapi"); version != nil {
		w.is30 = strings.HasPrefix(version.Text, "3.0")
	}
	if tree.Get("swagger") != nil {
		w.is30, w.old = true, tree
	}
	for _, paths := range []*source.Value{tree.Get("paths"), tree.Get("x-ms-paths")} {
		for i := range fields(paths) {
			if path := paths.Map[i].Key; strings.HasPrefix(path, "/") {
				w.pathItem(path, node{&paths.Map[i].Value, name})
			}
		}
	}
	return w.facts, nil
}

// follow follows the references of a value. Its Value is nil where they lead nowhere.
func (w *factWalk) follow(n node) node {
	for range 20 {
		ref := n.Get("$ref")
		if ref == nil || ref.Kind != source.String {
			return n
		}
		n = w.target(n, ref.Text)
	}
	return node{}
}

func (w *factWalk) target(from node, ref string) node {
	file, fragment, _ := strings.Cut(ref, "#")
	name := from.file
	if file != "" {
		name = filepath.Join(filepath.Dir(from.file), filepath.FromSlash(file))
	}
	tree, known := w.trees[name]
	if !known {
		tree, _ = readDocument(name) // nil: the reference leads nowhere
		w.trees[name] = tree
	}
	steps, err := source.ParseFragment(fragment)
	if err != nil || tree == nil {
		return node{}
	}
	found, err := tree.Lookup(source.Pointer(steps...))
	if err != nil {
		return node{}
	}
	return node{found, name}
}

func (w *factWalk) pathItem(path string, item node) {
	item = w.follow(item)
	for _, f := range fields(item.Value) {
		if !slices.Contains(fixedMethods, f.Key) {
			continue
		}
		op, request := node{item.Get(f.Key), item.file}, strings.ToUpper(f.Key)+" "+path
		own := w.parameters(op.get("parameters"), request, nil)
		w.parameters(item.get("parameters"), request, own)
		w.content(w.follow(op.get("requestBody")).get("content"))
		responses := op.get("responses")
		for i := range fields(responses.Value) {
			response := w.follow(node{&responses.Map[i].Value, responses.file})
			w.content(response.get("content"))
			if w.old != nil && w.isJSON(op, "produces") {
				w.schema(response.get("schema"))
			}
		}
		if w.old != nil && w.isJSON(op, "consumes") {
			w.body(op.get("parameters"))
			w.body(item.get("parameters"))
		}
	}
}

// isJSON reports whether bodies of an operation of OpenAPI 2.0 are JSON.
func (w *factWalk) isJSON(op node, key string) bool {
	list := op.Get(key)
	if list == nil {
		list = w.old.Get(key)
	}
	return list == nil || slices.ContainsFunc(list.List, func(v source.Value) bool { return strings.Contains(v.Text, "json") })
}

// body gathers the schema of the parameter that is the body, in OpenAPI 2.0.
func (w *factWalk) body(list node) {
	for i := range listOf(list.Value) {
		if p := w.follow(node{&list.List[i], list.file}); p.Value != nil && p.Get("in") != nil && p.Get("in").Text == "body" {
			w.schema(p.get("schema"))
		}
	}
}

func listOf(v *source.Value) []source.Value {
	if v == nil {
		return nil
	}
	return v.List
}

// parameters gathers a list of parameters, those in hidden aside, and returns them as "place name".
func (w *factWalk) parameters(list node, request string, hidden []string) []string {
	var own []string
	if list.Value == nil {
		return nil
	}
	for i := range list.List {
		p := w.follow(node{&list.List[i], list.file})
		in, name := p.Get("in"), p.Get("name")
		if in == nil || name == nil || slices.Contains(hidden, in.Text+" "+name.Text) {
			continue
		}
		own = append(own, in.Text+" "+name.Text)
		if in.Text == "header" && isConnectionHeader(name.Text) || !slices.Contains([]string{"path", "query", "header", "cookie"}, in.Text) {
			continue
		}
		if in.Text != "path" {
			w.facts = append(w.facts, fact{kind: "parameter", at: p.Value, names: []string{name.Text}, request: request})
		}
		w.schema(p.get("schema"))
		if w.old != nil {
			w.schema(p) // it has the keywords of a schema itself
		}
	}
	return own
}

// isConnectionHeader reports whether a header is written by the client itself.
func isConnectionHeader(name string) bool {
	return slices.ContainsFunc([]string{"Accept", "Content-Type", "Authorization", "Content-Length", "Host", "Trailer", "Transfer-Encoding"},
		func(own string) bool { return strings.EqualFold(own, name) })
}

// content gathers the schemas of JSON bodies; others are bytes, text or parts, which carry no tags.
func (w *factWalk) content(c node) {
	for i := range fields(c.Value) {
		media := w.follow(node{&c.Map[i].Value, c.file})
		if name := c.Map[i].Key; strings.Contains(name, "json") && !strings.Contains(name, "seq") {
			w.schema(media.get("schema"))
		}
	}
}

// schema gathers the facts of a schema and of all that it is made of.
func (w *factWalk) schema(n node) {
	for queue := []node{n}; len(queue) > 0; {
		n, queue = queue[0], queue[1:]
		if n.Value == nil || w.seen[n.Value] {
			continue
		}
		w.seen[n.Value] = true
		if ref := n.Get("$ref"); ref != nil {
			queue = append(queue, w.target(n, ref.Text))
			if w.is30 {
				continue
			}
		}
		w.object(n)
		w.enum(n)
		w.union(n)
		for _, key := range []string{"properties", "patternProperties", "dependentSchemas"} {
			all := n.get(key)
			for i := range fields(all.Value) {
				queue = append(queue, node{&all.Map[i].Value, n.file})
			}
		}
		for _, key := range []string{"additionalProperties", "then", "else", "unevaluatedProperties", "contentSchema"} {
			queue = append(queue, n.get(key))
		}
		if t := n.Get("type"); t == nil || t.Kind != source.String || t.Text == "array" { // else items say nothing, of which is warned
			queue = append(queue, n.get("items"))
		}
		for _, key := range []string{"allOf", "oneOf", "anyOf", "prefixItems", "items"} {
			all := n.get(key)
			if all.Value == nil {
				continue
			}
			for i := range all.List {
				queue = append(queue, node{&all.List[i], n.file})
			}
		}
	}
}

// object notes the members of an object.
func (w *factWalk) object(n node) {
	f := fact{kind: "object", at: n.Value}
	all := n.get("properties")
	for i := range fields(all.Value) {
		m := &all.Map[i]
		if m.Value.Kind == source.Bool && m.Value.Text == "false" {
			continue
		}
		f.names = append(f.names, m.Key)
		if w.saysType(node{&m.Value, n.file}) {
			f.typed = append(f.typed, m.Key)
		}
	}
	if len(f.names) > 0 {
		w.facts = append(w.facts, f)
	}
}

// saysType reports whether a schema says of what type its values are.
func (w *factWalk) saysType(n node) bool {
	n = w.follow(n)
	if n.Value == nil || n.Kind != source.Map {
		return false
	}
	if t := n.Get("type"); t != nil {
		return t.Kind == source.String && slices.Contains([]string{"string", "integer", "number", "boolean", "array", "object"}, t.Text)
	}
	return n.Get("properties") != nil
}

// enum notes the values of an enum, but for booleans and what is no scalar.
func (w *factWalk) enum(n node) {
	f := fact{kind: "enum", at: n.Value}
	values := n.Get("enum")
	if values == nil {
		return
	}
	ofType := ""
	if t := n.Get("type"); t != nil && t.Kind == source.String {
		ofType = t.Text
	}
	for _, v := range values.List {
		if v.Kind == source.String && ofType != "number" && ofType != "integer" || v.Kind == source.Number && (ofType == "" || ofType == "string") {
			f.names = append(f.names, v.Text)
		}
	}
	if ofType != "array" && ofType != "object" && ofType != "boolean" && len(f.names) > 0 {
		w.facts = append(w.facts, f)
	}
}

// union notes the alternatives that are objects of their own.
func (w *factWalk) union(n node) {
	for _, key := range []string{"oneOf", "anyOf"} {
		f := fact{kind: "union", at: n.Value}
		all := n.Get(key)
		if all == nil {
			continue
		}
		var met []*source.Value
		for i := range all.List {
			var names []string
			v := w.follow(node{&all.List[i], n.file})
			if v.Value == nil || slices.Contains(met, v.Value) {
				continue
			}
			met = append(met, v.Value)
			for _, m := range fields(v.Get("properties")) {
				names = append(names, m.Key)
			}
			if len(names) > 0 {
				f.variants = append(f.variants, names)
			}
		}
		if len(f.variants) > 0 {
			w.facts = append(w.facts, f)
		}
	}
}
