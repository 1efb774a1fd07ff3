package openapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// inbound is a request that the API sends: a webhook, or a callback of an operation. It is read like an operation, as far as its body
// goes, and nobody calls it.
type inbound struct {
	*operation

	kind model.InboundKind
	name string
	of   *operation // the operation of a callback
}

// gatherInbound finds the callbacks of the operations that are kept, and the webhooks unless operations are selected: those belong to none.
func (l *loader) gatherInbound() {
	root := spot{file: l.files.main, node: l.in.Tree}
	if len(l.in.Include)+len(l.in.Exclude) == 0 {
		for _, key := range []string{"webhooks", "x-webhooks"} {
			hooks := l.refs.container(root.get(key))
			for i := range fieldsOf(hooks.node) {
				f := &hooks.node.Map[i]
				l.addInbound(hooks.step(f.Key, &f.Value), inbound{kind: model.Webhook, name: f.Key})
			}
		}
	}
	for _, op := range l.operations {
		all := op.get("callbacks")
		for i := range fieldsOf(all.node) {
			f := &all.node.Map[i]
			callback, ok := l.refs.resolve(all.step(f.Key, &f.Value))
			for j := range fieldsOf(callback.node) {
				if g := &callback.node.Map[j]; ok && !strings.HasPrefix(g.Key, "x-") {
					l.addInbound(callback.step(g.Key, &g.Value), inbound{kind: model.Callback, name: f.Key, of: op})
				}
			}
		}
	}
}

// addInbound adds the requests of one path item that have a body.
func (l *loader) addInbound(item spot, in inbound) {
	if item.node.Kind != source.Map {
		return
	}
	item, ok := l.refs.resolve(item)
	for i := range fieldsOf(item.node) {
		f := &item.node.Map[i]
		key := methodKey(f.Key)
		if !ok || !isMethod(key) || f.Value.Get("requestBody") == nil {
			continue
		}
		id := in.kind.String() + " " + in.name
		if in.of != nil {
			id += " of " + in.of.id
		}
		added := in
		added.operation = &operation{
			spot: item.step(f.Key, &f.Value), method: strings.ToUpper(key), key: key, keyPos: f.KeyPos, id: id, isInbound: true,
			item: &pathItem{path: "inbound " + strconv.Itoa(len(l.inbound)), keyPos: f.KeyPos},
		}
		l.inbound = append(l.inbound, added)
	}
}

// inboundItems adds the inbound requests to the paths of a bundle, under names that no path has.
func (b *bundler) inboundItems(ctx context.Context, paths *source.Value) {
	for _, in := range b.inbound {
		if ctx.Err() != nil {
			return
		}
		item := emptyMap(in.keyPos)
		item.Set(source.Field{Key: in.key, KeyPos: in.keyPos, Value: b.object(inboundRequests, in.spot)})
		paths.Map = append(paths.Map, source.Field{Key: in.item.path, KeyPos: in.keyPos, Value: item})
	}
}

// convertInbound makes the model of an inbound request.
func (c *converter) convertInbound(in *inbound) (model.Inbound, bool) {
	c.operation = in.operation
	kin := operationIn(c.doc, in.operation)
	if kin == nil {
		return model.Inbound{}, false
	}
	s := spot{file: in.file, pointer: in.pointer, node: c.items[in.item.path].Get(in.key)}
	out := model.Inbound{ID: in.id, Kind: in.kind, Name: in.name, Pos: in.keyPos, Body: c.body(kin.RequestBody, s.get("requestBody"))}
	if in.of != nil {
		out.Operation = in.of.id
	}
	return out, out.Body != nil
}
