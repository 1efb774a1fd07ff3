package runtime

import (
	"regexp"
	"sync"
)

const redacted = "[redacted]"

// secrets are the forms in which credentials get into texts: the user part of a URL, values of query parameters and headers whose
// names say so, and bearer tokens.
var secrets = sync.OnceValue(func() []*regexp.Regexp {
	const name = `[\w.\-]*(?:key|token|secret|signature|password|passwd|credential|auth)[\w.\-]*|sig|pwd|code`
	return []*regexp.Regexp{
		regexp.MustCompile(`(://)[^/\s?#"'<>@]+(@)`),
		regexp.MustCompile(`(?i)([?&;](?:` + name + `)=)[^&#\s"'<>)]+()`),
		regexp.MustCompile(`(?i)(\b(?:proxy-)?authorization"?\s*[:=]\s*\[?"?)(?:[a-z]+\s+)?[^\s",\]]+()`),
		regexp.MustCompile(`(?i)(\b(?:[\w\-]*api-?key|(?:set-)?cookie)"?\s*[:=]\s*\[?"?)[^\s",;\]]+()`),
		regexp.MustCompile(`(?i)(\bbearer\s+)[\w.~+/=\-]{16,}()`),
	}
})

// Redact returns the text without the credentials in it, as far as their form gives them away: the user part of URLs, query parameters
// and headers with names such as key, token or authorization, and bearer tokens. The texts of this package's errors are redacted;
// the errors they wrap may not be.
func Redact(text string) string {
	for _, form := range secrets() {
		text = form.ReplaceAllString(text, "${1}"+redacted+"${2}")
	}
	return text
}
