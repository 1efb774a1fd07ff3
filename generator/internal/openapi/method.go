package openapi

import (
	"fmt"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// additionalOperations holds the operations of methods that have no keyword of their own (OpenAPI 3.2).
const additionalOperations = "additionalOperations"

// isMethod reports a keyword of path items that is a method.
func isMethod(key string) bool {
	switch key {
	case "get", "put", "post", "delete", "options", "head", "patch", "trace", "query":
		return true
	default:
		return false
	}
}

// methodKey is the keyword that a key of a path item is meant to be. Authors write GET, too.
func methodKey(key string) string { return strings.ToLower(strings.TrimSpace(key)) }

// gatherFrom finds the operations of one layer of a path item that no nearer layer has.
func (l *loader) gatherFrom(item *pathItem, layer spot) {
	own := map[string]source.Pos{}
	for i := range fieldsOf(layer.node) {
		f := &layer.node.Map[i]
		s := layer.step(f.Key, &f.Value)
		switch key := methodKey(f.Key); {
		case isMethod(key):
			if key != f.Key {
				l.warnMethod(item, f, strings.ToUpper(key))
			}
			l.addOperation(&operation{spot: s, item: item, method: strings.ToUpper(key), key: key, keyPos: f.KeyPos}, own)
		case f.Key == additionalOperations:
			for j := range fieldsOf(s.node) {
				g := &s.node.Map[j]
				l.addAdditional(item, s.step(g.Key, &g.Value), g, g.Key, own)
			}
		case isOperation(f):
			l.warnMethod(item, f, strings.ToUpper(key))
			l.addAdditional(item, s, f, strings.ToUpper(key), own)
		}
	}
}

// isOperation reports a field of a path item that describes an operation, though its key is no keyword.
func isOperation(f *source.Field) bool {
	return !strings.HasPrefix(f.Key, "x-") && (f.Value.Get("responses") != nil || f.Value.Get("operationId") != nil)
}

// addAdditional adds an operation whose method has no keyword.
func (l *loader) addAdditional(item *pathItem, s spot, f *source.Field, method string, own map[string]source.Pos) {
	if isMethod(strings.ToLower(method)) && item.methods[method] {
		l.reportTwice(item, method, f.KeyPos, own)
		return
	}
	if !isToken(method) {
		l.report(diag.Diagnostic{
			Code: diag.NoMethod, Span: source.Span{Pos: f.KeyPos},
			What: fmt.Sprintf("%q is no method, so the operation of the path %q cannot be sent", f.Key, item.path),
			Why:  "a client without it would lose an operation in silence",
			Fix:  "write the method, or remove the operation by an overlay",
		})
		return
	}
	l.addOperation(&operation{spot: s, item: item, method: method, key: method, keyPos: f.KeyPos, isAdditional: true}, own)
}

// isToken reports what HTTP takes for a method (RFC 9110 section 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		isAlnum := '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !isAlnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

// addOperation adds an operation, unless a nearer layer of its path item has one of that method. own are those of its own layer.
func (l *loader) addOperation(op *operation, own map[string]source.Pos) {
	if op.item.methods[op.method] {
		l.reportTwice(op.item, op.method, op.keyPos, own)
		return
	}
	op.item.methods[op.method], own[op.method] = true, op.keyPos
	l.operations = append(l.operations, op)
	if refOf(op.node) != nil {
		if target, ok := l.refs.resolve(op.spot); ok {
			op.beside, op.spot = op.node, target
		}
	}
}

// warnMethod reports a key that is taken for a method.
func (l *loader) warnMethod(item *pathItem, f *source.Field, method string) {
	l.report(diag.Diagnostic{
		Code: diag.NoMethod, Severity: diag.Warning, Span: source.Span{Pos: f.KeyPos},
		What: fmt.Sprintf("%q is no keyword of the path %q, and is read as its operation of the method %s", f.Key, item.path, method),
		Why:  "methods are spelled in lower case, and those that OpenAPI has no keyword for stand below additionalOperations",
		Fix:  "spell it as OpenAPI does",
	})
}

// reportTwice reports an operation that is left out, because its path has another one of its method. Where a path item refers to
// another one, its own operations are meant to replace that one's.
func (l *loader) reportTwice(item *pathItem, method string, pos source.Pos, own map[string]source.Pos) {
	d := diag.Diagnostic{
		Code: diag.NoMethod, Span: source.Span{Pos: pos},
		What: fmt.Sprintf("the path %q has the method %s twice", item.path, method),
		Why:  "which of the two is meant cannot be told",
		Fix:  "remove one of them, in the document or by an overlay",
	}
	first, isOwn := own[method]
	if !isOwn {
		d.Severity, d.What = diag.Warning, fmt.Sprintf("the operation %s of what the path %q refers to is left out", method, item.path)
		d.Why, d.Fix = "the path has one of that method itself", "nothing to do where it is meant to replace the other; else remove one of them"
	} else {
		d.Related = []diag.Related{{Span: source.Span{Pos: first}, What: "the first"}}
	}
	l.report(d)
}
