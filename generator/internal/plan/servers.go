package plan

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// Server is an address that the document names, for WithBaseURL: a constant, or a function where it has variables.
type Server struct {
	Name string
	Doc  Comment
	// Parts are what the address is put together from.
	Parts []ServerPart
}

// ServerPart is a text, or a variable.
type ServerPart struct {
	// Text is the text, or the default of the variable.
	Text string
	// Param is the parameter that has the variable; empty for a text.
	Param string
}

// HasVariables reports whether the address is a function.
func (s *Server) HasVariables() bool {
	for _, p := range s.Parts {
		if p.Param != "" {
			return true
		}
	}
	return false
}

// servers are the addresses that there is a choice of: several, or one with variables.
func (r *resolver) servers() []Server {
	var usable []*model.Server
	seen := map[string]bool{}
	for i := range r.api.Servers {
		s := &r.api.Servers[i]
		if base, _, problem := serverURL(s); problem == "" && base != "" && !seen[s.URL] {
			seen[s.URL] = true
			usable = append(usable, s)
		}
	}
	if len(usable) == 0 || len(usable) == 1 && !strings.Contains(usable[0].URL, "{") {
		return nil
	}
	tier := make([]wish, len(usable))
	for i, s := range usable {
		name := "Server" + ident(serverWords(s), "")
		scheme, _, _ := strings.Cut(s.URL, "://")
		tier[i] = wish{id: "server " + s.URL, pos: s.Pos, text: s.URL, names: []string{name, name + strings.ToUpper(ident(scheme, ""))}}
	}
	out := make([]Server, len(usable))
	for i, name := range r.allot(r.pkg, tier) {
		out[i] = serverOf(usable[i], name)
	}
	return out
}

var serverVariable = regexp.MustCompile(`\{[^{}]*\}`)

// serverWords are what a server is called: by its name, else by what is fixed of its address, where that has a word.
func serverWords(s *model.Server) string {
	if s.Name != "" {
		return s.Name
	}
	_, rest, found := strings.Cut(s.URL, "://")
	if !found {
		rest = s.URL
	}
	if rest = serverVariable.ReplaceAllString(rest, " "); !strings.ContainsFunc(rest, isWordRune) {
		return "URL"
	}
	return rest
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// serverOf makes the address of a server, whose variables all have a default.
func serverOf(s *model.Server, name string) Server {
	out := Server{Name: name}
	var doc strings.Builder
	if text := oneLine(s.Doc); text != "" {
		doc.WriteString(name + ": " + sentence(text))
	} else {
		doc.WriteString(name + " is the address " + strconv.Quote(s.URL) + ".")
	}
	params, vars := map[string]string{}, newScope(hides)
	rest := s.URL
	for rest != "" {
		before, after, found := strings.Cut(rest, "{")
		if before != "" {
			out.Parts = append(out.Parts, ServerPart{Text: before})
		}
		if !found {
			break
		}
		variable, tail, _ := strings.Cut(after, "}")
		rest = tail
		value, _ := defaultOf(s, variable)
		if params[variable] == "" {
			stem := unexported(ident(variable, "Part"))
			params[variable] = vars.allot([]wish{{id: variable, text: variable, names: []string{stem, stem + "Part"}}}, nil)[0]
			doc.WriteString(variableDoc(s, variable, params[variable], value))
		}
		out.Parts = append(out.Parts, ServerPart{Text: value, Param: params[variable]})
	}
	out.Doc = comment(doc.String())
	return out
}

// variableDoc says what a variable may be.
func variableDoc(s *model.Server, variable, param, value string) string {
	for _, v := range s.Variables {
		if v.Name != variable || len(v.Enum) == 0 {
			continue
		}
		quoted := make([]string, len(v.Enum))
		for i, e := range v.Enum {
			quoted[i] = strconv.Quote(e)
		}
		return " " + param + " is one of " + enumerate(quoted) + "; empty is " + strconv.Quote(value) + "."
	}
	return " An empty " + param + " is " + strconv.Quote(value) + "."
}
