package swagger

import "github.com/resgen-go/resgen/generator/internal/source"

// moveSchemes makes the document's securityDefinitions the security schemes of its components.
func moveSchemes(out *source.Value) {
	all := out.Get("securityDefinitions")
	if all == nil || all.Kind != source.Map {
		return
	}
	schemes := all.Clone()
	for i := range schemes.Map {
		scheme(&schemes.Map[i].Value)
	}
	if out.Get("components") == nil {
		out.Set(source.FieldAt("components", object(all.Pos)))
	}
	components := out.Get("components")
	for _, f := range mapOf(components.Get("securitySchemes")) {
		schemes.Set(f)
	}
	components.Set(source.FieldAt("securitySchemes", schemes))
	out.Delete("securityDefinitions")
}

// flowName returns what 3.0 calls a flow of 2.0.
func flowName(name string) string {
	switch name {
	case "application":
		return "clientCredentials"
	case "accessCode":
		return "authorizationCode"
	default:
		return name
	}
}

// scheme converts one scheme.
func scheme(s *source.Value) {
	kind := s.Get("type")
	switch textOf(kind) {
	case "basic":
		s.Set(source.FieldAt("scheme", source.TextAt(kind.Pos, "basic")))
		s.Get("type").Text = "http"
	case "oauth2":
		flow := s.Get("flow")
		if textOf(flow) == "" || s.Get("flows") != nil {
			return
		}
		name, pos := flowName(flow.Text), flow.Pos
		out := object(pos)
		for _, key := range []string{"authorizationUrl", "tokenUrl", "refreshUrl", "scopes"} {
			if v := s.Get(key); v != nil {
				out.Set(source.FieldAt(key, v.Clone()))
				s.Delete(key)
			}
		}
		s.Delete("flow")
		s.Set(source.FieldAt("flows", object(pos, source.FieldAt(name, out))))
	}
}
