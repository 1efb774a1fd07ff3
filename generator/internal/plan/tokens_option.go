package plan

// tokensOption is the option of the first scheme whose tokens come by the client credentials grant.
const tokensOption = "WithClientCredentials"

// nameTokensOptions names the options of schemes whose tokens come by the client credentials grant. The first has the short name, so that
// one that is added renames nothing.
func (r *resolver) nameTokensOptions() {
	short := -1
	for i := range r.schemes {
		s := &r.schemes[i].Model
		if s.ClientCredentials != nil && (short < 0 || r.layers.Memory.had(tokensOptionID(s.Name), tokensOption)) {
			short = i
		}
	}
	for i := range r.schemes {
		s := &r.schemes[i]
		switch {
		case s.Model.ClientCredentials == nil:
		case i == short:
			s.TokensOption = tokensOption
			r.given = append(r.given, Given{ID: tokensOptionID(s.Model.Name), Name: tokensOption, First: true})
		default:
			s.TokensOption = r.allot(r.options, []wish{{
				id: tokensOptionID(s.Model.Name), pos: s.Model.Pos, text: s.Model.Name,
				names: []string{"With" + ident(s.Model.Name, "") + "ClientCredentials", "With" + verbatim(s.Model.Name, "") + "ClientCredentials"},
			}})[0]
		}
	}
}

// tokensOptionID says whose an option is: see Given.ID.
func tokensOptionID(scheme string) string { return "tokens " + scheme }
