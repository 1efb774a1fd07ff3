package plan

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// clientServer is the default address of the client, the document's first server. Where that is relative, the address is empty
// and path is what an option's address must end in.
func (r *resolver) clientServer() (base, path string) {
	if len(r.api.Servers) == 0 {
		return "", ""
	}
	base, path, problem := serverURL(&r.api.Servers[0])
	if problem != "" {
		r.warnServer(&r.api.Servers[0], problem, "the client has no default address")
	}
	return base, path
}

// operationServer is the address of an operation with servers of its own, the first that can be one: the client's would be another's.
func (r *resolver) operationServer(a *ask) string {
	for i := range a.bind.Servers {
		base, _, problem := serverURL(&a.bind.Servers[i])
		if problem == "" && base != "" {
			return base
		}
		if problem == "" {
			problem = "it is relative"
		}
		so := nameOf(a.op) + " is called at the client's own address"
		if i+1 < len(a.bind.Servers) {
			so = "the operation's next server is looked at instead"
		}
		r.warnServer(&a.bind.Servers[i], problem, so)
	}
	return ""
}

func (r *resolver) warnServer(s *model.Server, problem, so string) {
	r.list.Add(diag.Diagnostic{
		Code: diag.UnusableServer, Severity: diag.Warning, Span: source.Span{Pos: s.Pos},
		What: fmt.Sprintf("the server %q is no base address: %s", s.URL, problem),
		Why:  so, Fix: "write the whole address, or give it by WithBaseURL or as base-url of the target primary",
	})
}

// serverURL fills in the defaults of a server's variables and checks the address. A relative one has a path only.
func serverURL(s *model.Server) (base, path, problem string) {
	address, problem := expand(s)
	if problem != "" {
		return "", "", problem
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return "", "", "it is no URL"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", "", "it has a query or a fragment"
	case u.Scheme == "" && u.Host == "" && u.User == nil:
		return "", strings.TrimSuffix(u.EscapedPath(), "/"), ""
	case u.Scheme == "" && u.Host != "": // as seen from a page over https
		u.Scheme = "https"
	case u.Scheme != "http" && u.Scheme != "https":
		return "", "", "it is neither http nor https"
	case u.Host == "":
		return "", "", "it has no host"
	case strings.HasPrefix(u.Hostname(), ".") || strings.Contains(u.Hostname(), ".."): // of a variable that is empty
		return "", "", "a part of its host is empty"
	}
	return u.String(), "", ""
}

// expand puts the defaults of the variables into the template.
func expand(s *model.Server) (address, problem string) {
	var b strings.Builder
	rest := s.URL
	for {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String(), ""
		}
		name, tail, closed := strings.Cut(after, "}")
		value, known := defaultOf(s, name)
		if !closed || !known {
			return "", fmt.Sprintf("its variable %q has no default", name)
		}
		b.WriteString(value)
		rest = tail
	}
}

func defaultOf(s *model.Server, name string) (string, bool) {
	for _, v := range s.Variables {
		if v.Name != name {
			continue
		}
		if v.Default == "" && len(v.Enum) > 0 {
			return v.Enum[0], true
		}
		return v.Default, true
	}
	return "", false
}
