package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// extension is the key of annotations.
const extension = "x-resilience"

// pathItem is one path of the document.
type pathItem struct {
	path   string
	keyPos source.Pos
	// layers are the item as written and, where it is a $ref, what it refers to.
	layers []spot
	// methods are those that have an operation.
	methods map[string]bool
}

// get returns what the nearest layer says under a key; its node is nil where none does.
func (p *pathItem) get(key string) spot {
	for _, layer := range p.layers {
		if s := layer.get(key); s.node != nil {
			return s
		}
	}
	return spot{}
}

// operation is one operation of the document. Its spot is where it is described: authors of many files refer to operations too,
// although the specification has path items referred to only.
type operation struct {
	spot

	item *pathItem
	// beside is what the path item says in its place, where that is a $ref; else nil.
	beside *source.Value
	// method is as sent, key as the path item spells it.
	method, key  string
	keyPos       source.Pos
	isAdditional bool
	// isInbound says that the API sends it: see inbound.
	isInbound bool
	// id is unique; isDerived says that the document has none.
	id        string
	isDerived bool
}

// gatherOperations finds every operation of the document, in its order.
func (l *loader) gatherOperations() {
	paths := l.refs.container(spot{file: l.files.main, node: l.in.Tree}.get("paths"))
	for i := range fieldsOf(paths.node) {
		f := &paths.node.Map[i]
		if strings.HasPrefix(f.Key, "x-") {
			continue
		}
		own := paths.step(f.Key, &f.Value)
		item := &pathItem{path: f.Key, keyPos: f.KeyPos, layers: []spot{own}, methods: map[string]bool{}}
		if refOf(own.node) != nil {
			errors := l.list.Errors()
			target, ok := l.refs.resolve(own)
			switch {
			case ok:
				item.layers = append(item.layers, target)
			case l.list.Errors() == errors: // what was said of the reference, if anything, is a warning
				l.reportNoItem(item, refOf(own.node))
			}
		}
		if own.node.Kind != source.Map && own.node.Kind != source.Null {
			malformed(l.list, own.node.Pos, aKind(own.node)+" is where a path item is expected")
		}
		for _, layer := range item.layers {
			l.gatherFrom(item, layer)
		}
	}
	l.nameOperations()
}

// reportNoItem reports a path of which the operations are not known. An operation that is not there is not told from one that was lost, so
// it is an error.
func (l *loader) reportNoItem(item *pathItem, ref *source.Value) {
	l.report(diag.Diagnostic{
		Code: diag.UnreadableFile, Span: source.Span{Pos: ref.Pos},
		What: fmt.Sprintf("the operations of the path %q are not known, because %q leads nowhere", item.path, ref.Text),
		Why:  "a client without them would lose operations in silence",
		Fix:  "correct the reference, put a copy of the file below the root, or remove the path",
	})
}

// nameOperations gives each operation an ID of its own. The first to use an operationId keeps it; another gets its method and
// path appended, so that its ID does not depend on how many more there are.
func (l *loader) nameOperations() {
	taken := map[string]*operation{}
	var unnamed []*operation
	for _, op := range l.operations {
		id := op.node.Get("operationId")
		if id == nil || id.Kind == source.Map || id.Kind == source.List || strings.TrimSpace(id.Text) == "" {
			op.isDerived = true
			unnamed = append(unnamed, op)
			continue
		}
		op.id = id.Text
		first, isTaken := taken[op.id]
		if !isTaken {
			taken[op.id] = op
			continue
		}
		unnamed = append(unnamed, op)
		l.reportDuplicate(op, first, id)
	}
	slices.SortStableFunc(unnamed, func(a, b *operation) int { // who gets a number must not depend on the order of paths
		return cmp.Or(strings.Compare(a.item.path, b.item.path), strings.Compare(a.method, b.method))
	})
	for _, op := range unnamed {
		op.id = unique(taken, strings.TrimPrefix(op.id+"_"+derivedID(op.method, op.item.path), "_"))
		taken[op.id] = op
	}
}

func (l *loader) reportDuplicate(op, first *operation, id *source.Value) {
	l.report(diag.Diagnostic{
		Code: diag.DuplicateOperationID, Severity: diag.Warning, Span: source.Span{Pos: id.Pos},
		What: fmt.Sprintf("the operationId %q of %s %s is taken", id.Text, op.method, op.item.path),
		Why:  "methods, policies and rules find an operation by its operationId; this one is called " + id.Text + "_" + derivedID(op.method, op.item.path),
		Fix:  "give it an operationId of its own, in the document or by an overlay",
		Related: []diag.Related{{
			Span: source.Span{Pos: first.node.Get("operationId").Pos}, What: "the first to use it, which keeps it",
		}},
	})
}

func unique(taken map[string]*operation, id string) string {
	name := id
	for n := 2; taken[name] != nil; n++ {
		name = fmt.Sprintf("%s_%d", id, n)
	}
	return name
}

// derivedID makes an ID of method and path: GET /users/{id}/ becomes get_users_by_id_slash.
func derivedID(method, path string) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(method))
	path = templateName.ReplaceAllString(path, "{$2}")
	if path == "/" {
		return b.String() + "_root"
	}
	path, hasSlash := strings.CutSuffix(path, "/")
	for segment := range strings.FieldsFuncSeq(path, func(r rune) bool { return strings.ContainsRune("/?&=#:.,;!~@$()*+'\" -", r) }) {
		b.WriteByte('_')
		if strings.HasPrefix(segment, "{") {
			b.WriteString("by_")
		}
		b.WriteString(strings.Map(func(r rune) rune {
			if r == '{' || r == '}' {
				return -1
			}
			return r
		}, segment))
	}
	if hasSlash {
		b.WriteString("_slash")
	}
	return b.String()
}

// annotations returns what was written for an operation, the path's first.
func (op *operation) annotations() []model.Annotation {
	var out []model.Annotation
	for _, layer := range slices.Backward(op.item.layers) {
		if v := layer.node.Get(extension); v != nil {
			out = append(out, model.Annotation{Layer: "path", Value: *v})
		}
	}
	for _, layer := range []*source.Value{op.node, op.beside} {
		if v := layer.Get(extension); v != nil {
			out = append(out, model.Annotation{Layer: "operation", Value: *v})
		}
	}
	return out
}
