package openapi

import (
	"fmt"
	"net/url"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// clientCredentials reads the flow of a scheme by which programs get tokens; nil where it has none. A token URL to which no secret should
// go is reported.
func (c *converter) clientCredentials(name string, scheme *source.Value) *model.ClientCredentials {
	kin := c.doc.Components.SecuritySchemes[name].Value
	if kin.Type != "oauth2" || kin.Flows == nil || kin.Flows.ClientCredentials == nil {
		return nil
	}
	flow := scheme.Get("flows").Get("clientCredentials")
	out := &model.ClientCredentials{TokenURL: kin.Flows.ClientCredentials.TokenURL, Pos: scheme.Pos}
	if at := flow.Get("tokenUrl"); at != nil {
		out.Pos = at.Pos
	}
	for _, f := range fieldsOf(flow.Get("scopes")) {
		out.Scopes = append(out.Scopes, f.Key)
	}
	if problem := badTokenURL(out.TokenURL); problem != "" {
		c.warn(diag.UnsupportedSecurity, out.Pos,
			fmt.Sprintf("the token URL %q of the security scheme %q cannot be used: %s", out.TokenURL, name, problem),
			"a program's secret is sent there", "write an https URL, or get tokens by oauth.WithClientCredentials with a URL of your own")
		return nil
	}
	return out
}

// badTokenURL says why a URL is none that a secret can be sent to; empty where it is one. It may be relative to the API's own address.
func badTokenURL(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || text == "":
		return "it is no URL"
	case u.Scheme != "" && u.Scheme != "https" && u.Scheme != "http":
		return "it is neither https nor http"
	case u.Scheme != "" && u.Host == "":
		return "it has no host"
	case u.User != nil:
		return "it holds a user"
	default:
		return ""
	}
}

// scopes reads the names of scopes. What they are for is for those who grant them.
func scopes(node *source.Value) (source.Value, bool) {
	out := emptyMap(node.Pos)
	for i := range node.Map {
		f := &node.Map[i]
		out.Map = append(out.Map, source.Field{
			Key: f.Key, KeyPos: f.KeyPos, Value: source.Value{Pos: f.Value.Pos, Kind: source.String},
		})
	}
	return out, node.Kind == source.Map
}
