package openapi

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/generator/internal/swagger"
)

// parameters returns the parameters of an operation: the path's, unless the operation has one of the same name and place, then
// its own.
func (c *converter) parameters(kin *openapi3.Operation, op spot, isSecured bool) []model.Param {
	item := c.doc.Paths.Value(c.operation.item.path)
	shared := spot{file: c.operation.item.get("parameters").file, pointer: c.operation.item.get("parameters").pointer}
	shared.node = c.items[c.operation.item.path].Get("parameters")
	own := c.parameterList(kin.Parameters, op.get("parameters"), isSecured)
	out := slices.DeleteFunc(c.parameterList(item.Parameters, shared, isSecured), func(p model.Param) bool {
		return slices.ContainsFunc(own, func(o model.Param) bool { return isSameParam(o, p) })
	})
	return append(out, own...)
}

// isSameParam reports whether two parameters are one. Names of header fields are compared without case (RFC 9110 section 5.1).
func isSameParam(a, b model.Param) bool {
	return a.In == b.In && (a.Name == b.Name || a.In == model.InHeader && strings.EqualFold(a.Name, b.Name))
}

// parameterList makes the model of one list of parameters.
func (c *converter) parameterList(all openapi3.Parameters, list spot, isSecured bool) []model.Param {
	var out []model.Param
	if list.node == nil {
		return nil
	}
	for i, ref := range all {
		if i >= len(list.node.List) || ref == nil || ref.Value == nil || list.node.List[i].Get(absentItem) != nil {
			continue
		}
		s := c.follow(list.item(i))
		p, ok := c.parameter(ref.Value, s)
		if !ok || p.In == model.InHeader && (isOwnHeader(p.Name, isSecured) || c.isOfConnection(p)) {
			continue
		}
		if slices.ContainsFunc(out, func(o model.Param) bool { return isSameParam(o, p) }) {
			c.warn(diag.DuplicateParameter, list.item(i).node.Pos,
				fmt.Sprintf("the %s parameter %q is listed twice for %s; the first counts", ref.Value.In, p.Name, c.operation.name()),
				"a parameter is known by its name and place", "remove one of the two")
			continue
		}
		out = append(out, p)
	}
	return out
}

// isOwnHeader reports whether a header is one that a parameter cannot set: what bodies and credentials are in belongs to the
// media types and security schemes (OpenAPI 3.1 section "Parameter Object"). An Authorization parameter of an operation
// without security is the only way in, and stays.
func isOwnHeader(name string, isSecured bool) bool {
	return strings.EqualFold(name, "Accept") || strings.EqualFold(name, "Content-Type") ||
		isSecured && strings.EqualFold(name, "Authorization")
}

// isOfConnection reports whether a header parameter is one that net/http writes itself, whatever a request says, and warns of it.
func (c *converter) isOfConnection(p model.Param) bool {
	switch http.CanonicalHeaderKey(p.Name) {
	case "Content-Length", "Host", "Trailer", "Transfer-Encoding":
		c.warn(diag.UnsupportedParameter, p.Pos,
			fmt.Sprintf("the header parameter %q of %s is left out", p.Name, c.operation.name()),
			"the client works it out of the address and the body",
			"nothing to do; another host is set by WithRequestEditor")
		return true
	default:
		return false
	}
}

// parameter makes the model of a parameter. It fails, with a report, for one that says not where it travels.
func (c *converter) parameter(kin *openapi3.Parameter, s spot) (model.Param, bool) {
	out := model.Param{
		Name: kin.Name, Doc: kin.Description, Required: kin.Required, Deprecated: kin.Deprecated,
		AllowReserved: kin.AllowReserved, Pos: s.node.Pos,
	}
	places := map[string]model.ParamIn{
		openapi3.ParameterInPath: model.InPath, openapi3.ParameterInQuery: model.InQuery,
		openapi3.ParameterInHeader: model.InHeader, openapi3.ParameterInCookie: model.InCookie, wholeQuery: model.InQuery,
	}
	var ok bool
	if out.In, ok = places[kin.In]; !ok || kin.Name == "" {
		c.warn(diag.UnsupportedParameter, s.node.Pos,
			fmt.Sprintf("the parameter %q in %q of %s is left out", kin.Name, kin.In, c.operation.name()),
			"a parameter has a name, and travels in the path, the query, a header or a cookie, or is the query string",
			"correct name and in; a body is a requestBody")
		return out, false
	}
	if out.In == model.InPath && !out.Required {
		out.Required = true
		c.warn(diag.OptionalPathParameter, s.node.Pos,
			fmt.Sprintf("the path parameter %q of %s is not marked as required, and is treated as if it were", kin.Name, c.operation.name()),
			"without it the path would be another one", "add required: true")
	}
	if out.In == model.InHeader && !isToken(out.Name) {
		c.warn(diag.UnsupportedParameter, s.node.Pos,
			fmt.Sprintf("the header parameter %q of %s cannot be sent", kin.Name, c.operation.name()),
			"no header can have that name, so that a call that gives it fails", "correct the name")
	}
	c.style(&out, kin, s)
	if kin.Schema == nil && len(kin.Content) > 0 {
		c.contentParameter(&out, kin, s.get("content"))
		return out, true
	}
	out.Limits = c.parameterLimits(s)
	if out.Elem = c.parameterElem(kin.Schema, s.get("schema")); isAny(out.Elem.Type) {
		out.Elem.Type = model.Primitive{Kind: model.String} // no style writes any value; the caller's text can be any
	}
	return out, true
}

// wholeQuery is the place of a parameter that is the whole query (OpenAPI 3.2).
const wholeQuery = "querystring"

// parameterElem returns the type of a parameter's value; one that says nothing of it is text.
func (c *converter) parameterElem(kin *openapi3.SchemaRef, s spot) model.Elem {
	if kin == nil || s.node == nil {
		return model.Elem{Type: model.Primitive{Kind: model.String}}
	}
	return c.elem(place{spot: s, ref: kin})
}

// style writes out the style of a parameter. One that its place does not have is reported, and the default counts.
func (c *converter) style(out *model.Param, kin *openapi3.Parameter, s spot) {
	styles := map[model.ParamIn][]string{
		model.InPath:   {openapi3.SerializationSimple, openapi3.SerializationLabel, openapi3.SerializationMatrix},
		model.InHeader: {openapi3.SerializationSimple},
		model.InCookie: {openapi3.SerializationForm},
		model.InQuery: {
			openapi3.SerializationForm, openapi3.SerializationSpaceDelimited, openapi3.SerializationPipeDelimited, openapi3.SerializationDeepObject,
		},
	}[out.In]
	if kin.In == openapi3.ParameterInCookie && kin.Style == cookieStyle { // pairs as they are in a Cookie header, which is how form is written there
		out.Style, out.Explode = openapi3.SerializationForm, kin.Explode == nil || *kin.Explode
		return
	}
	method, err := kin.SerializationMethod()
	if err != nil {
		return // the place was checked before
	}
	out.Style, out.Explode = method.Style, method.Explode
	isTabs := out.In == model.InQuery && method.Style == swagger.TabDelimited
	if !isTabs && !slices.Contains(styles, method.Style) {
		out.Style = styles[0]
		c.warn(diag.UnsupportedParameter, s.get("style").node.Pos,
			fmt.Sprintf("the %s parameter %q of %s cannot have the style %q, and is sent as %s", kin.In, kin.Name, c.operation.name(), method.Style, out.Style),
			"each place has styles of its own", "write one of "+strings.Join(styles, ", "))
	}
	if out.Style == openapi3.SerializationDeepObject {
		out.Explode = true // the only form that is defined
	}
}

// cookieStyle is the style of cookies that OpenAPI 3.2 adds.
const cookieStyle = "cookie"

// contentParameter is a parameter whose value is a document: JSON as such, anything else as the text that the caller gives.
func (c *converter) contentParameter(out *model.Param, kin *openapi3.Parameter, content spot) {
	mediaType := content.node.Map[0].Key
	s := content.get(mediaType)
	media := kin.Content[mediaType]
	switch kind := mediaKind(mediaType); {
	case kind == formMedia && kin.In == wholeQuery && media != nil && media.Schema != nil:
		out.Style, out.Explode = openapi3.SerializationForm, true
		out.Elem = c.parameterElem(media.Schema, s.get("schema"))
	case kind == jsonMedia || kind == anyMedia:
		out.Style, out.Explode = "json", false
		if kin.In == wholeQuery {
			out.Style = wholeQuery
		}
		out.Elem = model.Elem{Type: model.Any{}}
		if media != nil && media.Schema != nil {
			out.Elem = c.parameterElem(media.Schema, s.get("schema"))
		}
	case kind == textMedia && media != nil:
		out.Elem = c.parameterElem(media.Schema, s.get("schema"))
	default:
		out.Elem = model.Elem{Type: model.Primitive{Kind: model.String}}
		c.warn(diag.UnsupportedParameter, s.node.Pos,
			fmt.Sprintf("the value of the %s parameter %q of %s is %s, and is sent as the text that the caller gives",
				kin.In, kin.Name, c.operation.name(), mediaType),
			"only JSON documents are written into parameters", "describe it by schema and style, or as application/json")
	}
}

// templateName finds the names in a path template. A '+' before a name (RFC 6570) says that slashes stay as they are, a '*' or
// '=pattern' after it is Google's way to say the same.
var templateName = regexp.MustCompile(`\{(\+?)([^{}]*?)(\*|=[^{}]*)?\}`)

// pathParameters makes template and path parameters agree, and returns the template with plain names: a name that no parameter
// has gets one, a path parameter that the template does not have is left out. Both are reported.
func (c *converter) pathParameters(bind *model.HTTPBinding) string {
	bind.Path = c.withoutPatterns(bind)
	c.queryOfPath(bind)
	inTemplate := map[string]bool{}
	pos := c.operation.item.keyPos
	for _, m := range templateName.FindAllStringSubmatch(bind.Path, -1) {
		name, keepsSlashes := m[2], m[1] != "" || m[3] != ""
		inTemplate[name] = true
		i := slices.IndexFunc(bind.Params, func(p model.Param) bool { return p.In == model.InPath && p.Name == name })
		if i < 0 {
			i = len(bind.Params)
			bind.Params = append(bind.Params, undeclared(name, pos))
			c.warn(diag.UndeclaredParameter, pos,
				fmt.Sprintf("the path parameter %q of %s is not declared, and is taken for text", name, c.operation.name()),
				"its value is needed to make the path", "declare it under parameters, with in: path")
		}
		bind.Params[i].AllowReserved = bind.Params[i].AllowReserved || keepsSlashes
	}
	bind.Params = slices.DeleteFunc(bind.Params, func(p model.Param) bool {
		isUnused := p.In == model.InPath && !inTemplate[p.Name]
		if isUnused {
			c.warn(diag.UnusedParameter, p.Pos,
				fmt.Sprintf("the path parameter %q of %s is not in its path, and is left out", p.Name, c.operation.name()),
				"there is no place to send it", "write {"+p.Name+"} into the path, or remove the parameter")
		}
		return isUnused
	})
	return templateName.ReplaceAllString(bind.Path, "{$2}")
}

// withoutPatterns returns the path with {name:pattern}, as routers of servers write it, made {name} where a parameter of that name is
// declared, or the pattern is a regular expression beyond doubt.
func (*converter) withoutPatterns(bind *model.HTTPBinding) string {
	return templateName.ReplaceAllStringFunc(bind.Path, func(whole string) string {
		name, pattern, hasPattern := strings.Cut(strings.Trim(whole, "{}"), ":")
		isDeclared := slices.ContainsFunc(bind.Params, func(p model.Param) bool { return p.In == model.InPath && p.Name == name })
		if !hasPattern || name == "" || !isDeclared && !strings.ContainsAny(pattern, `[(\.+*^$`) {
			return whole
		}
		return "{" + name + "}"
	})
}

func undeclared(name string, pos source.Pos) model.Param {
	return model.Param{
		Name: name, In: model.InPath, Required: true, Style: openapi3.SerializationSimple, Pos: pos,
		Elem: model.Elem{Type: model.Primitive{Kind: model.String}},
	}
}
