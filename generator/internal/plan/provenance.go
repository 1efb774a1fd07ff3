package plan

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// provenance lists every leaf of the effective policy with the layer that set it, by path.
func (r *resolution) provenance() []Provenance {
	out := leaves(nil, r.tree, &r.tree.value, "")
	out = slices.DeleteFunc(out, func(p Provenance) bool {
		return strings.HasPrefix(p.Path, "stream.") && !r.format.Streams() || p.Path == "use"
	})
	for _, p := range leaves(nil, r.timeouts, &r.timeouts.value, "") {
		if !r.timed(p.Path) {
			continue
		}
		p.Path = "timeout." + p.Path
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b Provenance) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// timed reports whether a timeout is one of the operation's: streams have more of them, Go methods no connections.
func (r *resolution) timed(path string) bool {
	bind, isFunc := r.op.Bind.(*model.FuncBinding)
	switch path {
	case "total", "attempt":
		return true
	case "connect":
		return !isFunc
	case "first-byte", "idle":
		return r.streams() && (!isFunc || bind.Answer == model.ReaderStream)
	default:
		return r.streams()
	}
}

// leaves appends what stands below v. Null is no value; each rung is a leaf of its own.
func leaves(out []Provenance, t *tree, v *source.Value, at string) []Provenance {
	if v.Kind == source.Map {
		for i := range v.Map {
			out = leaves(out, t, &v.Map[i].Value, steps(at, v.Map[i].Key))
		}
		return out
	}
	if v.Kind == source.Null {
		return out
	}
	if at == "fallback" {
		for i := range v.List {
			out = append(out, Provenance{
				Path: at + "[" + strconv.Itoa(i) + "]", Value: annot.Flow(&v.List[i]), Layer: t.layers[at], Pos: v.List[i].Pos,
			})
		}
		return out
	}
	p := Provenance{Path: at, Value: annot.Flow(v), Layer: t.layers[at], Pos: v.Pos}
	for i := range v.List {
		p.items = append(p.items, v.List[i].Pos)
	}
	return append(out, p)
}

// source says in short which annotations set the policy: by file, by the place in it, by key. It names no lines, so that an edit
// above does not change the generated code.
func (r *resolution) source() string {
	type place struct{ file, label string }
	keys := map[place][]string{}
	for _, p := range r.provenance() {
		if !p.Pos.IsValid() {
			continue
		}
		key, _, _ := strings.Cut(p.Path, ".")
		key, _, _ = strings.Cut(key, "[")
		at := place{path.Base(p.Pos.File), r.label(p.Layer)}
		if strings.HasPrefix(p.Layer, "class ") {
			key = ""
		}
		if !slices.Contains(keys[at], key) {
			keys[at] = append(keys[at], key)
		}
	}
	places := make([]place, 0, len(keys))
	for at := range keys {
		places = append(places, at)
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(labelRank(r, a.label), labelRank(r, b.label)), cmp.Compare(a.label, b.label))
	})
	var b strings.Builder
	file := ""
	for _, at := range places {
		switch {
		case at.file == file:
			b.WriteString(", ")
		case file != "":
			b.WriteString("; " + at.file + ": ")
		default:
			b.WriteString(at.file + ": ")
		}
		file = at.file
		b.WriteString(at.label + joinKeys(keys[at]))
	}
	return oneLine(b.String())
}

func joinKeys(keys []string) string {
	slices.Sort(keys)
	switch {
	case len(keys) == 1 && keys[0] == "":
		return ""
	case len(keys) == 1:
		return "." + keys[0]
	default:
		return ".{" + strings.Join(keys, ",") + "}"
	}
}

// label names the place in a file that a layer stands for.
func (r *resolution) label(layer string) string {
	name, of, _ := strings.Cut(layer, " ")
	switch {
	case layer == layerOperation, layer == layerMethod:
		return r.op.ID
	case layer == layerInterface:
		iface, _, _ := strings.Cut(r.op.ID, ".")
		return iface
	case layer == layerPath:
		if bind, ok := r.op.Bind.(*model.HTTPBinding); ok {
			return bind.Spelled()
		}
		return layer
	case layer == layerDefaults:
		return "document"
	case layer == layerFileDefaults:
		return "defaults"
	case name == "policy":
		return "policies." + of
	case name == "class":
		return "timeout-classes." + of
	default:
		return layer
	}
}

// labelRank puts what is nearest to the operation first.
func labelRank(r *resolution, label string) int {
	switch {
	case label == r.op.ID:
		return 0
	case label == r.label(layerPath), label == r.label(layerInterface):
		return 1
	case strings.HasPrefix(label, "rule "):
		return 2
	case label == "document", label == "defaults", label == layerPackage:
		return 3
	default:
		return 4
	}
}
