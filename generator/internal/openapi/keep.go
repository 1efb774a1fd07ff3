package openapi

import (
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// keepNamed keeps the schemas that annotations name and no operation may reach, such as the item of a stream. What an annotation
// means is not the loader's business: any text in it that is a reference to a schema of the document will do.
func (b *bundler) keepNamed() {
	for _, ref := range b.in.Keep {
		b.keep(ref)
	}
	b.keepIn(b.in.Tree.Get(extension))
	for _, op := range b.operations {
		for _, a := range op.annotations() {
			b.keepIn(&a.Value)
		}
	}
}

func (b *bundler) keepIn(v *source.Value) {
	if v == nil {
		return
	}
	if v.Kind == source.String {
		b.keep(v.Text)
	}
	for i := range v.Map {
		b.keepIn(&v.Map[i].Value)
	}
	for i := range v.List {
		b.keepIn(&v.List[i])
	}
}

func (b *bundler) keep(ref string) {
	if !strings.HasPrefix(ref, "#/components/schemas/") && !strings.HasPrefix(ref, "#/definitions/") {
		return
	}
	root := spot{file: b.files.main, node: b.in.Tree}
	if target, err := b.refs.lookup(root, ref); err == nil {
		if c := b.component(schemas, target); c.name != "" {
			b.bundle.kept = append(b.bundle.kept, c)
		}
	}
}
