package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// bodyField is the field of a request struct that holds the body.
const bodyField = "Body"

// ask is how an operation is asked: what its methods take.
type ask struct {
	// index is that of the operation in the API, and in the resolved policies.
	index int
	op    *model.Operation
	bind  *model.HTTPBinding
	// body is how the body is sent; nil where there is none.
	body *choice
	// plain is how the plain method is asked, for a method that sends another media type; else nil.
	plain *ask
	// record says that the methods take a struct of the operation's own; else they take the body, or nothing.
	record bool
	// goName is the name of the method, request that of the struct.
	goName, request string
	// param is the type of the parameter, nil for none, and bodyType that of the body. They are set by typeRequest.
	param, bodyType GoType
}

// facts are what the annotations say of an operation.
func (r *resolver) facts(index int) annot.Facts { return r.policies.Facts[index] }

// ask finds out how an operation is asked, and reports a body that stays raw.
func (r *resolver) ask(index int, op *model.Operation, bind *model.HTTPBinding) *ask {
	a := &ask{index: index, op: op, bind: bind}
	if bind.Body != nil && len(bind.Body.Contents) > 0 {
		c := r.types.requestContent(bind.Body.Contents)
		a.body = &c
		r.warnUntyped(a)
	}
	a.record = len(bind.Params) > 0 || a.body != nil && a.body.codec != JSONCodec
	return a
}

// warnUntyped reports a body of which the document says more than the method can type.
func (r *resolver) warnUntyped(a *ask) {
	if c := a.body; c.untyped {
		r.warnRaw(a.op, c.content.Pos, "the request body of "+nameOf(a.op)+" in "+quote(c.media)+" is sent as it is given")
	}
}

func (r *resolver) warnRaw(op *model.Operation, pos source.Pos, what string) {
	if !pos.IsValid() {
		pos = op.Pos
	}
	r.list.Add(diag.Diagnostic{
		Code: diag.RawBody, Severity: diag.Warning, Span: source.Span{Pos: pos}, What: what,
		Why: "resgen cannot type what the document says of this body in this media type",
		Fix: "nothing to do where text or bytes are enough; else describe the body as JSON, a form as an object, by an overlay",
	})
}

// nameOf is how diagnostics name an operation.
func nameOf(op *model.Operation) string { return "operation " + quote(op.ID) }

func quote(text string) string { return fmt.Sprintf("%q", text) }

// typeRequest gives the parameter of an operation's methods its type, and declares the struct that it may be.
func (r *resolver) typeRequest(a *ask) []Param {
	switch {
	case a.record:
		d, params := r.requestStruct(a)
		r.decls = append(r.decls, d)
		a.param = Pointer{Elem: Local{Name: a.request}}
		return params
	case a.body != nil:
		a.param, _ = r.bodyMember(a)
		if r.types.formOf(a.body.elem.Type) == objectForm && !r.types.nullable(a.body.elem) {
			a.param = Pointer{Elem: r.types.spell(a.body.elem.Type)}
		}
		a.bodyType = a.param
	}
	return nil
}

// bodyMember is the type of the body as a field.
func (r *resolver) bodyMember(a *ask) (spelled GoType, omitZero bool) {
	required := a.bind.Body.Required
	switch a.body.codec {
	case TextCodec:
		return r.types.member(nil, model.Elem{Type: model.Primitive{Kind: model.String}}, required)
	case BinaryCodec:
		return r.types.member(nil, model.Elem{Type: model.Primitive{Kind: model.Binary}}, required)
	case FormCodec, MultipartCodec, JSONCodec, LinesCodec, NoCodec:
		return r.types.member(nil, a.body.elem, required)
	default:
		return r.types.member(nil, a.body.elem, required)
	}
}

// requestStruct declares the struct of an operation with parameters: a field for each, and the body.
func (r *resolver) requestStruct(a *ask) (*StructDecl, []Param) {
	d := &StructDecl{IsRequest: true, Decl: Decl{
		Name: a.request, Pos: a.op.Pos, Doc: comment(a.request + " is what " + a.goName + " takes."),
	}}
	names := r.paramNames(a)
	params := make([]Param, len(a.bind.Params))
	for i := range a.bind.Params {
		p := &a.bind.Params[i]
		f := Field{Name: names[i], Doc: withDeprecation(comment(strings.TrimSpace(p.Doc)), p.Deprecated)}
		f.Type, f.OmitZero = r.types.member(nil, p.Elem, isRequired(p))
		d.Fields = append(d.Fields, f)
		params[i] = Param{
			Field: names[i], Name: p.Name, In: placeName(p.In), Style: r.styleOf(a, p), Explode: p.Explode, AllowReserved: p.AllowReserved,
			Required: isRequired(p),
		}
		params[i].Explode = p.Explode && params[i].Style == p.Style
	}
	if a.body != nil {
		f := Field{Name: bodyField, Doc: comment(strings.TrimSpace(a.bind.Body.Doc))}
		f.Type, f.OmitZero = r.bodyMember(a)
		a.bodyType = f.Type
		d.Fields = append(d.Fields, f)
	}
	return d, params
}

// styleOf is the style of a parameter: JSON for a value that no style of its place can write.
func (r *resolver) styleOf(a *ask, p *model.Param) string {
	nested := p.Style != "deepObject" && p.Style != jsonStyle && p.Style != "querystring" && r.types.isNested(p.Elem.Type)
	if !nested || p.In == model.InQuery && p.Style == "form" && p.Explode && !r.types.isNestedList(p.Elem.Type) {
		return p.Style
	}
	if a.plain == nil {
		r.list.Add(diag.Diagnostic{
			Code: diag.UnsupportedParameter, Severity: diag.Warning, Span: source.Span{Pos: p.Pos},
			What: fmt.Sprintf("the %s parameter %q of %s holds lists or objects in its lists or objects, and is sent as JSON",
				placeName(p.In), p.Name, nameOf(a.op)),
			Why: "OpenAPI does not say how style " + p.Style + " writes them",
			Fix: "describe it as content application/json, or, in a query, with style: deepObject",
		})
	}
	return jsonStyle
}

// jsonStyle is the style of a parameter that is one JSON text.
const jsonStyle = "json"

// isNested reports a list or an object in which there are lists or objects, whatever its values are.
func (t *typer) isNested(typ model.Type) bool {
	switch typ := t.follow(typ).typ.(type) {
	case model.Array:
		return t.isComposite(typ.Elem.Type)
	case model.Map:
		return t.isComposite(typ.Elem.Type)
	case model.Object:
		return slices.ContainsFunc(typ.Fields, func(f model.Field) bool { return f.Required && t.isComposite(f.Elem.Type) })
	default:
		return false
	}
}

// isNestedList reports what is nested and no object with lists of scalars, which style form writes when it is exploded.
func (t *typer) isNestedList(typ model.Type) bool {
	o, isObject := t.follow(typ).typ.(model.Object)
	return !isObject || slices.ContainsFunc(o.Fields, func(f model.Field) bool {
		_, isList := t.follow(f.Elem.Type).typ.(model.Array)
		return f.Required && t.isComposite(f.Elem.Type) && (!isList || t.isNested(f.Elem.Type))
	})
}

func (t *typer) isComposite(typ model.Type) bool {
	switch t.follow(typ).typ.(type) {
	case model.Array, model.Map, model.Object:
		return true
	default:
		return false
	}
}

func isRequired(p *model.Param) bool { return p.Required || p.In == model.InPath }

func placeName(in model.ParamIn) string {
	switch in {
	case model.InPath:
		return "path"
	case model.InQuery:
		return "query"
	case model.InHeader:
		return "header"
	case model.InCookie:
		return "cookie"
	default:
		return "query"
	}
}

// paramNames names the fields of an operation's parameters. Of one name in several places the path's has it, then the query's;
// the others say where they travel. Body is the body's, whether there is one or not.
func (r *resolver) paramNames(a *ask) []string {
	scope := newScope(func(name string) bool { return name == bodyField })
	places := map[string]int{}
	for i := range a.bind.Params {
		places[a.bind.Params[i].Name]++
	}
	tier := make([]wish, len(a.bind.Params))
	for i := range a.bind.Params {
		p := &a.bind.Params[i]
		id := fmt.Sprintf("parameter %s %d %s", a.op.ID, p.In, p.Name) // the places are numbered in their order of claim
		tier[i] = named(id, p.Pos, p.Name, "Param")
		first := tier[i].names[0]
		switch {
		case first == bodyField:
			tier[i].names = slices.Insert(tier[i].names, 1, bodyField+"Param")
		case places[p.Name] > 1:
			tier[i].names = slices.Insert(tier[i].names, 1, first+ident(placeName(p.In), ""))
		}
	}
	return r.allot(scope, tier)
}

// request is what a method sends.
func (r *resolver) request(m *method, params []Param) Request {
	a := m.ask
	out := Request{
		Param: a.param, Method: a.bind.Method, Path: a.bind.Path, Params: params, Accept: m.accept(), Security: a.bind.Security,
		BaseURL: r.operationServer(a),
	}
	out.Optional = (a.body == nil || !a.bind.Body.Required) && !slices.ContainsFunc(params, func(p Param) bool { return p.Required })
	if a.body == nil {
		return out
	}
	out.Body = &Body{
		Codec: a.body.codec, MediaType: a.body.media, Type: a.bodyType, Required: a.bind.Body.Required,
		Encodings: encodings(a.body), Set: r.streamField(m),
	}
	if a.record {
		out.Body.Field = bodyField
	}
	return out
}

// encodings are how the members of a form or of parts travel, where the document says so.
func encodings(c *choice) []Encoding {
	if c.codec != FormCodec && c.codec != MultipartCodec {
		return nil
	}
	out := make([]Encoding, len(c.content.Encodings))
	for i, e := range c.content.Encodings {
		out[i] = Encoding{Name: e.Property, ContentType: e.ContentType, Style: e.Style, Explode: e.Explode}
	}
	slices.SortStableFunc(out, func(a, b Encoding) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// accept are the media types that a method asks for. One for another media type wants that; what its other answers are in comes after.
func (m *method) accept() []string {
	all := m.answer.accept()
	if m.media == nil || m.media.asks {
		return all
	}
	wanted := []string{m.media.media}
	for i := range m.answer.cases {
		if c := &m.answer.cases[i].choice; c.media == m.media.media {
			wanted = append(wanted, c.also...)
		}
	}
	for _, media := range all {
		if !slices.ContainsFunc(wanted, func(have string) bool { return strings.EqualFold(have, media) }) {
			wanted = append(wanted, media+";q=0.5")
		}
	}
	return wanted
}

// accept are the media types that the answer is read from: of successes, then of typed failures.
func (a *answer) accept() []string {
	var out []string
	add := func(media string) {
		if media != "" && !slices.ContainsFunc(out, func(have string) bool { return strings.EqualFold(have, media) }) {
			out = append(out, media)
		}
	}
	for _, failure := range []bool{false, true} {
		for i := range a.cases {
			c := &a.cases[i]
			if c.failure != failure || c.choice.codec == NoCodec {
				continue
			}
			add(c.choice.media)
			for _, also := range c.choice.also {
				add(also)
			}
		}
	}
	return out
}
