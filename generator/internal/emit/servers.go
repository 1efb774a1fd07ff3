package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/resgen-go/resgen/generator/internal/plan"
)

// emitServers prints the addresses that the document names, where there is a choice: constants, and functions of their variables.
func (k *kit) emitServers() {
	var constants []jen.Code
	for i := range k.pkg.Client.Servers {
		s := &k.pkg.Client.Servers[i]
		if s.HasVariables() {
			k.emitServerFunc(s)
			continue
		}
		var text strings.Builder
		for _, p := range s.Parts {
			text.WriteString(p.Text)
		}
		constants = append(constants, commentOf(s.Doc), k.id(s.Name).Op("=").Lit(text.String()))
	}
	if len(constants) > 0 {
		k.doc(plan.Comment{"Addresses of the document, for WithBaseURL."})
		k.add(jen.Const().Defs(constants...))
	}
}

// emitServerFunc prints the function that puts an address together.
func (k *kit) emitServerFunc(s *plan.Server) {
	var params []jen.Code
	named := map[string]bool{}
	var sum *jen.Statement
	for _, p := range s.Parts {
		part := jen.Lit(p.Text)
		if p.Param != "" {
			if !named[p.Param] {
				named[p.Param] = true
				params = append(params, k.id(p.Param))
			}
			part = k.id(p.Param)
			if p.Text != "" {
				part = k.qual(cmpPath, "Or").Call(k.id(p.Param), jen.Lit(p.Text))
			}
		}
		if sum == nil {
			sum = part
			continue
		}
		sum.Op("+").Add(part)
	}
	k.doc(s.Doc)
	k.add(jen.Func().Add(k.id(s.Name)).Params(jen.List(params...).String()).String().Block(jen.Return(sum)))
}
