package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// queryExpression finds {?a,b*} and {&c}, by which a URI template (RFC 6570) lists the parameters of its query, and {#d}.
var queryExpression = regexp.MustCompile(`\{([?&#])([^{}]*)\}`)

// wholeName finds a value that is one name of a template and nothing else.
var wholeName = regexp.MustCompile(`^\{\+?([^{}*=:]*)[^{}]*\}$`)

// queryOfPath makes the query that a path template asks for one of parameters, and takes it out of the template: a name there has no
// place in the path. What is fixed stays, unless a parameter that is always sent has its name. A fragment is never sent,
// so that a name there has no use.
func (c *converter) queryOfPath(bind *model.HTTPBinding) {
	for _, m := range queryExpression.FindAllStringSubmatch(bind.Path, -1) {
		for name := range strings.SplitSeq(m[2], ",") {
			if name, _, _ = strings.Cut(strings.Trim(name, "* "), ":"); name != "" && m[1] != "#" {
				c.queryParameter(bind, name, name, false)
			}
		}
	}
	bind.Path = queryExpression.ReplaceAllString(bind.Path, "")
	path, fragment, _ := strings.Cut(bind.Path, "#")
	path, query, hasQuery := strings.Cut(path, "?")
	if strings.Contains(fragment, "{") {
		bind.Path, _, _ = strings.Cut(bind.Path, "#")
	}
	if !hasQuery {
		return
	}
	var fixed []string
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		m := wholeName.FindStringSubmatch(value)
		switch {
		case m != nil:
			c.queryParameter(bind, key, m[1], true)
		case pair != "" && !slices.ContainsFunc(bind.Params, func(p model.Param) bool {
			return p.In == model.InQuery && p.Name == key && p.Required
		}):
			fixed = append(fixed, pair)
		}
	}
	bind.Path = path
	if len(fixed) > 0 {
		bind.Path += "?" + strings.Join(fixed, "&")
	}
}

// queryParameter finds the parameter that a template calls name and sends as key, or adds it.
func (c *converter) queryParameter(bind *model.HTTPBinding, key, name string, isRequired bool) {
	find := func(in model.ParamIn, name string) int {
		return slices.IndexFunc(bind.Params, func(p model.Param) bool { return p.In == in && p.Name == name })
	}
	inPath := find(model.InPath, name)
	switch {
	case find(model.InQuery, key) >= 0:
		bind.Params = slices.DeleteFunc(bind.Params, func(p model.Param) bool { return p.In == model.InPath && p.Name == name && name == key })
	case find(model.InQuery, name) >= 0:
		bind.Params[find(model.InQuery, name)].Name = key
	case inPath >= 0 && !strings.Contains(beforeQuery(bind.Path), "{"+name+"}"):
		p := &bind.Params[inPath]
		p.Name, p.In, p.Required = key, model.InQuery, isRequired
		p.Style, p.Explode = openapi3.SerializationForm, true
	default:
		p := undeclared(key, c.operation.item.keyPos)
		p.In, p.Required, p.Style, p.Explode = model.InQuery, isRequired, openapi3.SerializationForm, true
		bind.Params = append(bind.Params, p)
		c.warn(diag.UndeclaredParameter, p.Pos,
			fmt.Sprintf("the query parameter %q of %s is not declared, and is taken for text", key, c.operation.name()),
			"the template of the path has it", "declare it under parameters, with in: query")
	}
}

func beforeQuery(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}
