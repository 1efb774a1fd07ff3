package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitTokens prints the option by which a scheme's tokens come by the client credentials grant, if it has such a flow. The URL that the secret
// goes to stands there for everyone to see.
func (k *kit) emitTokens(s *plan.Scheme) {
	flow := s.Model.ClientCredentials
	if flow == nil {
		return
	}
	doc := s.TokensOption + " gets the tokens of the scheme " + strconv.Quote(s.Model.Name) + " from " + strconv.Quote(flow.TokenURL) +
		" with a program's own credentials (RFC 6749, section 4.4); oauth.WithClientCredentials does it from another URL."
	if len(flow.Scopes) > 0 {
		quoted := make([]string, len(flow.Scopes))
		for i, scope := range flow.Scopes {
			quoted[i] = strconv.Quote(scope)
		}
		doc += " The scopes are " + strings.Join(quoted, ", ") + "; without one the server chooses."
	}
	config := k.qual(oauthPath, "Config").Custom(lines,
		jen.Id("TokenURL").Op(":").Lit(flow.TokenURL),
		jen.Id("ClientID").Op(":").Id("id"), jen.Id("ClientSecret").Op(":").Id("secret"), jen.Id("Scopes").Op(":").Id("scopes"),
	)
	k.doc(plan.Wrapped(doc))
	k.add(jen.Func().Add(k.id(s.TokensOption)).Params(jen.List(jen.Id("id"), jen.Id("secret")).String(), jen.Id("scopes").Op("...").String()).
		Add(k.qual(runtimePath, "Option")).Block(jen.Return(k.qual(oauthPath, "WithClientCredentials").Call(jen.Lit(s.Model.Name), config))))
}
