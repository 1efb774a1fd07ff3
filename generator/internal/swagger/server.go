package swagger

import (
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// servers gives the document the servers that host, basePath and schemes make.
func (c *converter) servers(out *source.Value) {
	if out.Get("servers") != nil {
		return
	}
	if list := c.serverList(c.root.Get("schemes")); len(list.List) > 0 {
		out.Set(source.FieldAt("servers", list))
	}
}

// operationServers gives an operation servers of its own where its schemes are none of the document's.
func (c *converter) operationServers(op *source.Value) {
	own, shared := textsOf(op.Get("schemes")), textsOf(c.root.Get("schemes"))
	isShared := func(v source.Value) bool {
		return slices.ContainsFunc(shared, func(s source.Value) bool { return strings.EqualFold(s.Text, v.Text) })
	}
	if len(own) == 0 || len(shared) == 0 || slices.ContainsFunc(own, isShared) || op.Get("servers") != nil || textOf(c.root.Get("host")) == "" {
		return
	}
	if list := c.serverList(op.Get("schemes")); len(list.List) > 0 {
		op.Set(source.FieldAt("servers", list))
	}
}

// serverList makes a server for each scheme, https first: nobody means to prefer the other. Without a host the address is relative
// to the document.
func (c *converter) serverList(schemes *source.Value) source.Value {
	if template := c.root.Get("x-ms-parameterized-host"); textOf(template.Get("hostTemplate")) != "" {
		return c.templates(template, schemes)
	}
	host, base := c.root.Get("host"), c.root.Get("basePath")
	name, path := textOf(host), strings.TrimSuffix(textOf(base), "/")
	if own, after, found := strings.Cut(name, "://"); found { // authors write whole addresses
		name = strings.TrimSuffix(after, "/")
		if textsOf(schemes) == nil {
			schemes = &source.Value{Pos: host.Pos, Kind: source.List, List: []source.Value{source.TextAt(host.Pos, own)}}
		}
	}
	if path != "" && path[0] != '/' {
		path = "/" + path
	}
	out := source.Value{Kind: source.List}
	if name == "" {
		if path != "" {
			out.Pos = base.Pos
			out.List = append(out.List, object(base.Pos, source.FieldAt("url", source.TextAt(base.Pos, path))))
		}
		return out
	}
	out.Pos = host.Pos
	for _, scheme := range schemesOf(schemes, host.Pos) {
		out.List = append(out.List, object(scheme.Pos, source.FieldAt("url", source.TextAt(host.Pos, scheme.Text+"://"+name+path))))
	}
	return out
}

// schemesOf returns the schemes that are HTTP. A document that names none leaves the choice to whoever reads it.
func schemesOf(list *source.Value, pos source.Pos) []source.Value {
	var out []source.Value
	for _, name := range []string{"https", "http"} {
		for _, s := range textsOf(list) {
			if strings.EqualFold(s.Text, name) {
				out = append(out, source.TextAt(s.Pos, name))
				break
			}
		}
	}
	if len(out) == 0 {
		out = append(out, source.TextAt(pos, "https"))
	}
	return out
}

// templates makes the servers of a host that AutoRest's x-ms-parameterized-host describes: parameters of the host are variables of
// the server.
func (c *converter) templates(template, schemes *source.Value) source.Value {
	host := template.Get("hostTemplate")
	path := strings.TrimSuffix(textOf(c.root.Get("basePath")), "/")
	out := source.Value{Pos: host.Pos, Kind: source.List}
	variables := object(host.Pos)
	for i := range listOf(template.Get("parameters")) {
		p := &template.Get("parameters").List[i]
		if ref := refOf(p); ref != "" {
			if target, ok := c.Find(c.File, ref); ok {
				p = target.Value
			}
		}
		if name := p.Get("name"); textOf(name) != "" {
			variables.Set(source.Field{Key: name.Text, KeyPos: name.Pos, Value: variable(p)})
		}
	}
	prefixes := []string{""}
	if use := template.Get("useSchemePrefix"); use == nil || use.Text != "false" {
		prefixes = prefixes[:0]
		for _, scheme := range schemesOf(schemes, host.Pos) {
			prefixes = append(prefixes, scheme.Text+"://")
		}
	}
	for _, prefix := range prefixes {
		server := object(host.Pos, source.FieldAt("url", source.TextAt(host.Pos, prefix+strings.TrimSuffix(host.Text, "/")+path)))
		if len(variables.Map) > 0 {
			server.Set(source.FieldAt("variables", variables.Clone()))
		}
		out.List = append(out.List, server)
	}
	return out
}

// variable makes a server's variable of a parameter.
func variable(p *source.Value) source.Value {
	out := object(p.Pos)
	for _, f := range p.Map {
		switch f.Key {
		case "default", "description", "enum":
			out.Map = append(out.Map, source.Field{Key: f.Key, KeyPos: f.KeyPos, Value: f.Value.Clone()})
		}
	}
	return out
}
