package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// security returns the alternatives that apply to an operation: its own, else the document's.
func (c *converter) security(kin *openapi3.Operation, op spot) [][]string {
	node := c.bundle.root.Get("security")
	if kin.Security != nil {
		node = op.node.Get("security")
	}
	if node == nil {
		return nil
	}
	var out [][]string
	for i := range node.List {
		if all, ok := c.requirement(&node.List[i]); ok {
			out = append(out, all)
		}
	}
	return out
}

// requirement returns the schemes of one alternative. It fails where one of them is not declared: the others alone would not do.
// A scheme that is not a matter of the request (mutual TLS) is left out: the HTTP client that the user gives carries it.
func (c *converter) requirement(node *source.Value) (all []string, ok bool) {
	all = []string{}
	for _, f := range node.Map {
		ref := c.doc.Components.SecuritySchemes[f.Key]
		if ref == nil || ref.Value == nil {
			c.warn(diag.UnknownSecurityScheme, f.KeyPos,
				fmt.Sprintf("the security scheme %q is not declared, so %s is called without it", f.Key, c.operation.name()),
				"how its credential travels is not known", "declare it under components/securitySchemes")
			return nil, false
		}
		if _, isCarried := scheme(f.Key, ref.Value); isCarried {
			all = append(all, f.Key)
		}
		c.used[f.Key] = true
	}
	return all, true
}

// schemes returns the security schemes in use, in the document's order. Those that a request cannot carry are reported.
func (c *converter) schemes() []model.Scheme {
	var out []model.Scheme
	for _, f := range fieldsOf(c.bundle.root.Get("components").Get(string(securitySchemes))) {
		ref := c.doc.Components.SecuritySchemes[f.Key]
		if !c.used[f.Key] || ref == nil || ref.Value == nil {
			continue
		}
		s, ok := scheme(f.Key, ref.Value)
		s.Pos = f.KeyPos
		if s.Kind == model.Bearer {
			s.ClientCredentials = c.clientCredentials(f.Key, &f.Value)
		}
		switch {
		case !ok:
			c.warn(diag.UnsupportedSecurity, f.KeyPos,
				fmt.Sprintf("the security scheme %q (%s) is not carried by requests", f.Key, ref.Value.Type),
				"only bearer, basic and API key credentials travel in a request", "give the client an *http.Client that carries it")
			continue
		case isOtherHTTP(ref.Value):
			c.warn(diag.UnsupportedSecurity, f.KeyPos,
				fmt.Sprintf("the security scheme %q uses the HTTP scheme %q, whose header value is sent as it is given", f.Key, ref.Value.Scheme),
				"resgen makes up the values of bearer and basic only", "give the whole value of the Authorization header")
		}
		out = append(out, s)
	}
	return out
}

// scheme makes the model of a security scheme. It fails for one that no request carries.
func scheme(name string, kin *openapi3.SecurityScheme) (model.Scheme, bool) {
	out := model.Scheme{Name: name, Doc: kin.Description}
	switch {
	case kin.Type == "oauth2" || kin.Type == "openIdConnect":
		out.Kind = model.Bearer
	case kin.Type == "apiKey":
		in, ok := map[string]model.ParamIn{"header": model.InHeader, "query": model.InQuery, "cookie": model.InCookie}[kin.In]
		out.Kind, out.In, out.Param = model.APIKey, in, kin.Name
		return out, ok && kin.Name != ""
	case kin.Type == "http" && strings.EqualFold(kin.Scheme, "bearer"):
		out.Kind = model.Bearer
	case kin.Type == "http" && strings.EqualFold(kin.Scheme, "basic"):
		out.Kind = model.Basic
	case isOtherHTTP(kin):
		out.Kind, out.In, out.Param = model.APIKey, model.InHeader, "Authorization"
	default:
		return out, false
	}
	return out, true
}

// isOtherHTTP reports whether a scheme is one of HTTP's (RFC 9110 section 11) that resgen does not know by name. Its credential
// still is the value of the Authorization header.
func isOtherHTTP(kin *openapi3.SecurityScheme) bool {
	return kin.Type == "http" && kin.Scheme != "" && !slices.Contains([]string{"bearer", "basic"}, strings.ToLower(kin.Scheme))
}
