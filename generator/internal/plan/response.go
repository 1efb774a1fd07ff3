package plan

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// isSeveral reports an answer with several different bodies, of which each gets a wrapper.
func (a *answer) isSeveral() bool { return len(a.bodies) > 1 }

// firstOf is the first case with a body.
func (a *answer) firstOf(body int) *answerCase {
	for i := range a.cases {
		if !a.cases[i].failure && a.cases[i].body == body {
			return &a.cases[i]
		}
	}
	return &answerCase{}
}

// streamAnswer is the answer of a stream, with the item that the annotation names.
func (r *resolver) streamAnswer(index int, bind *model.HTTPBinding, format policy.StreamFormat) answer {
	a := r.types.streamAnswer(bind, format)
	facts := r.facts(index).Stream
	if facts.Item == "" {
		return a
	}
	if d := r.types.byID[model.TypeID(facts.Item)]; d != nil {
		a.item = model.Elem{Type: model.Ref{ID: d.ID}}
		return a
	}
	known := make([]string, 0, len(r.types.all))
	for _, d := range r.types.all {
		if d.Name != "" {
			known = append(known, string(d.ID))
		}
	}
	fix := "write a reference to a schema of the document, such as '#/components/schemas/Chunk'"
	if near := diag.Nearest(facts.Item, known); near != "" {
		fix = "write '" + near + "'"
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.UnknownName, Span: source.Span{Pos: facts.ItemPos}, Fix: fix,
		What: "the item " + quote(facts.Item) + " of " + nameOf(&r.api.Operations[index]) + " is no schema of the document",
		Why:  "the items of the stream are given the type of that schema",
	})
	return a
}

// response is what a method answers with.
func (r *resolver) response(m *method) Response {
	a := &m.answer
	out := Response{Download: a.download}
	switch {
	case a.streams():
		out.Stream = r.stream(m)
	case a.download:
		if a.mixed && m.media == nil {
			r.warnRaw(m.ask.op, m.ask.op.Pos, nameOf(m.ask.op)+" answers with a file or with a value, and the method returns both as a file")
		}
	case a.isSeveral():
		if m.media == nil || !m.media.asks {
			r.decls = append(r.decls, r.several(m))
		}
		out.Result = Local{Name: m.several}
	case len(a.bodies) == 1:
		out.Result = r.result(a.bodies[0])
	}
	for i := range a.cases {
		out.Cases = append(out.Cases, r.responseCase(m, &a.cases[i]))
	}
	return out
}

// bodyType is the type that a body is decoded into; nil for none.
func (r *resolver) bodyType(c choice) GoType {
	switch c.codec {
	case JSONCodec:
		return r.types.whole(c.elem)
	case TextCodec:
		return stringType
	case FormCodec, MultipartCodec, BinaryCodec, LinesCodec, NoCodec:
		return nil
	default:
		return nil
	}
}

// result is what a method returns for a body: a pointer to a struct, any other value as it is.
func (r *resolver) result(c choice) GoType {
	t := r.bodyType(c)
	if c.codec == JSONCodec && r.types.formOf(c.elem.Type) == objectForm && !r.types.nullable(c.elem) {
		return Pointer{Elem: t}
	}
	return t
}

// stream says how the items are read.
func (r *resolver) stream(m *method) *Stream {
	plan := r.plan(m)
	s := &Stream{Policy: plan.Stream, Item: r.types.whole(m.answer.item)}
	if !s.Policy.Format.Streams() {
		s.Policy.Format = m.answer.format
	}
	if r.types.isText(m.answer.item) {
		s.Text, s.Item = true, stringType
	}
	return s
}

// responseCase is one case of the method's reader.
func (r *resolver) responseCase(m *method, c *answerCase) ResponseCase {
	out := ResponseCase{Lo: c.lo, Hi: c.hi, Failure: c.failure, Codec: c.choice.codec, MediaType: c.choice.media}
	streams := m.answer.streams() && !c.failure
	switch {
	case streams && r.types.isText(m.answer.item):
		out.Codec = TextCodec
	case streams:
	default:
		out.Type = r.bodyType(c.choice)
	}
	if !c.failure && m.answer.isSeveral() {
		out.Variant = m.variants[c.body]
	}
	return out
}

// several declares the interface of an operation with several bodies, and their wrappers.
func (r *resolver) several(m *method) *ResponseDecl {
	d := &ResponseDecl{Decl: Decl{Name: m.several, Pos: m.ask.op.Pos}}
	for i, body := range m.answer.bodies {
		c := m.answer.firstOf(i)
		v := ResponseVariant{Name: m.variants[i], Type: r.bodyType(body)}
		v.Doc = comment(v.Name + " is the answer " + statusText(c) + " to " + m.goName + ".")
		if c.response != nil {
			v.Doc = join(v.Doc, comment(c.response.Doc))
		}
		d.Variants = append(d.Variants, v)
	}
	last := len(m.variants) - 1
	list := strings.Join(m.variants[:last], ", ") + " or " + m.variants[last]
	d.Doc = comment(m.several + " is what " + m.goName + " answers with: " + list + ".")
	return d
}

// statusText is the status of a case in a sentence.
func statusText(c *answerCase) string {
	switch {
	case c.response != nil && c.response.Code != "":
		return c.response.Code
	case c.lo == c.hi:
		return strconv.Itoa(c.lo)
	default:
		return "2XX"
	}
}
