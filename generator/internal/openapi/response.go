package openapi

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// statusOf returns a response's key as the model spells it: three digits, a range such as 4XX, or default.
func statusOf(key string) (string, bool) {
	status := strings.ToUpper(strings.TrimSpace(key))
	switch {
	case status == "DEFAULT":
		return "default", true
	case len(status) != 3 || status[0] < '1' || status[0] > '9':
		return "", false
	case status[1:] == "XX":
		return status, status[0] <= '5'
	default:
		return status, isDigit(status[1]) && isDigit(status[2])
	}
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// responses makes the model of an operation's responses: exact ones first, then ranges, then the default.
func (c *converter) responses(kin *openapi3.Responses, s spot) []model.Response {
	var out []model.Response
	for i := range fieldsOf(s.node) {
		f := &s.node.Map[i]
		ref := kin.Value(f.Key)
		status, ok := statusOf(f.Key)
		if ref == nil || ref.Value == nil || !ok || slices.ContainsFunc(out, func(r model.Response) bool { return r.Code == status }) {
			continue
		}
		at := c.follow(s.step(f.Key, &f.Value))
		response := model.Response{Code: status, Pos: f.KeyPos}
		if ref.Value.Description != nil {
			response.Doc = *ref.Value.Description
		}
		response.Headers = c.headers(ref.Value.Headers, at.get("headers"))
		response.Contents = c.contents(ref.Value.Content, at.get("content"))
		out = append(out, response)
	}
	slices.SortStableFunc(out, func(a, b model.Response) int {
		return cmp.Or(cmp.Compare(vagueness(a.Code), vagueness(b.Code)), strings.Compare(a.Code, b.Code))
	})
	return out
}

// headerName is what the name of a header can be (RFC 9110, section 5.6.2), quotation marks aside, which no struct tag holds.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&*+.^_|~-]+$")

// vagueness orders exact statuses before ranges before the default.
func vagueness(code string) int {
	switch {
	case code == "default":
		return 2
	case strings.HasSuffix(code, "XX"):
		return 1
	default:
		return 0
	}
}

// headers makes the model of a response's headers. Content-Type is not among them: it belongs to the body.
func (c *converter) headers(all openapi3.Headers, s spot) []model.Param {
	var out []model.Param
	for i := range fieldsOf(s.node) {
		f := &s.node.Map[i]
		ref := all[f.Key]
		if ref == nil || ref.Value == nil || strings.EqualFold(f.Key, "Content-Type") {
			continue
		}
		if !headerName.MatchString(f.Key) {
			c.warn(diag.UnsupportedParameter, f.KeyPos,
				fmt.Sprintf("the header %q of an answer of %s is left out", f.Key, c.operation.name()),
				"no server can send a header of that name", "correct the name")
			continue
		}
		at, kin := c.follow(s.step(f.Key, &f.Value)), ref.Value
		p := model.Param{
			Name: f.Key, In: model.InHeader, Doc: kin.Description, Required: kin.Required, Deprecated: kin.Deprecated,
			Style: openapi3.SerializationSimple, Explode: kin.Explode != nil && *kin.Explode, Pos: f.KeyPos,
		}
		if kin.Schema == nil && len(kin.Content) > 0 && at.get("content").node != nil {
			p.In = model.InHeader
			named := kin.Parameter
			named.Name, named.In = f.Key, openapi3.ParameterInHeader
			c.contentParameter(&p, &named, at.get("content"))
		} else {
			p.Elem = c.parameterElem(kin.Schema, at.get("schema"))
		}
		out = append(out, p)
	}
	return out
}
