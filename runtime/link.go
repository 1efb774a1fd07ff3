package runtime

import (
	"net/url"
	"slices"
	"strings"
)

// relativeTo returns the URL of a page as one that is relative to the request of the first page, given that of the page before; empty for
// what names no page. Absolute URLs, and such with a path from the root, are that whatever was before.
func relativeTo(before, link string) string {
	link = strings.TrimSpace(link)
	u, err := url.Parse(link)
	if err != nil {
		return link // the request is refused for it
	}
	if u.Scheme == "" && u.Host == "" && u.Path == "" && u.RawQuery == "" {
		return "" // a fragment, or nothing, is the page itself
	}
	if u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "/") {
		return link
	}
	base, err := url.Parse(before)
	if err != nil || !strings.HasPrefix(base.Path, "/") { // the page before has the first one's path, or is beside it
		return link
	}
	return base.ResolveReference(u).String()
}

// nextLink returns the URL with the relation "next" of Link headers (RFC 8288, section 3); empty if there is none.
func nextLink(headers []string) string {
	for _, header := range headers {
		for header != "" {
			var target string
			var params map[string]string
			target, params, header = readLink(header)
			if slices.ContainsFunc(strings.Fields(params["rel"]), func(rel string) bool { return strings.EqualFold(rel, "next") }) {
				return target
			}
		}
	}
	return ""
}

// readLink reads the first link of a header, and returns what comes after it. Of parameters that stand there twice, the first counts.
func readLink(header string) (target string, params map[string]string, rest string) {
	_, after, found := strings.Cut(header, "<")
	target, rest, closed := strings.Cut(after, ">")
	if !found || !closed {
		return "", nil, ""
	}
	params = map[string]string{}
	for {
		rest = strings.TrimLeft(rest, " \t")
		if !strings.HasPrefix(rest, ";") {
			break
		}
		var name, value string
		name, value, rest = readLinkParam(rest[1:])
		if _, twice := params[name]; !twice {
			params[name] = value
		}
	}
	_, rest, _ = strings.Cut(rest, ",")
	return strings.TrimSpace(target), params, rest
}

// readLinkParam reads one parameter: a name, perhaps with a token or a quoted string.
func readLinkParam(text string) (name, value, rest string) {
	end := strings.IndexAny(text, "=;,")
	if end < 0 {
		return strings.ToLower(strings.TrimSpace(text)), "", ""
	}
	name, rest = strings.ToLower(strings.TrimSpace(text[:end])), text[end:]
	if rest[0] != '=' {
		return name, "", rest
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	if !strings.HasPrefix(rest, `"`) {
		if end = strings.IndexAny(rest, ";,"); end < 0 {
			end = len(rest)
		}
		return name, strings.TrimSpace(rest[:end]), rest[end:]
	}
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '"':
			return name, b.String(), rest[i+1:]
		case rest[i] == '\\' && i+1 < len(rest):
			i++
			b.WriteByte(rest[i])
		default:
			b.WriteByte(rest[i])
		}
	}
	return name, b.String(), "" // the quotes were not closed
}
