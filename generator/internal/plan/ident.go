package plan

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxIdent bounds a name in runes: text of a document may be a whole essay.
const maxIdent = 120

// initialisms are the words that Go spells in one case, as golint and staticcheck list them.
var initialisms = map[string]bool{
	"ACL": true, "API": true, "ASCII": true, "CPU": true, "CSS": true, "DNS": true, "EOF": true, "GUID": true, "HTML": true,
	"HTTP": true, "HTTPS": true, "ID": true, "IP": true, "JSON": true, "QPS": true, "RAM": true, "RPC": true, "SLA": true,
	"SMTP": true, "SQL": true, "SSH": true, "TCP": true, "TLS": true, "TTL": true, "UDP": true, "UI": true, "GID": true,
	"UID": true, "UUID": true, "URI": true, "URL": true, "UTF8": true, "VM": true, "XML": true, "XMPP": true, "XSRF": true,
	"XSS": true, "SIP": true, "RTP": true, "AMQP": true, "DB": true, "TS": true,
}

// signs are the names of the characters that have no place in an identifier, for names that would be empty or equal without
// them.
var signs = map[rune]string{
	' ': "Space", '!': "Bang", '"': "Quote", '#': "Hash", '$': "Dollar", '%': "Percent", '&': "And", '\'': "Apostrophe",
	'(': "OpenParen", ')': "CloseParen", '*': "Star", '+': "Plus", ',': "Comma", '-': "Dash", '.': "Dot", '/': "Slash",
	':': "Colon", ';': "Semicolon", '<': "Less", '=': "Equal", '>': "Greater", '?': "Question", '@': "At",
	'[': "OpenBracket", '\\': "Backslash", ']': "CloseBracket", '^': "Caret", '_': "Underscore", '`': "Backquote",
	'{': "OpenBrace", '|': "Pipe", '}': "CloseBrace", '~': "Tilde",
}

// ident turns text of a document into the exported form of an identifier: words in camel case, initialisms in one case, what is
// neither letter nor digit left out ("file_ids" is FileIDs, "+1" Plus1, "<=" LessEqual, "" Empty). A result that could not begin
// an exported name ("2fast", "日本") is put after prefix; an empty prefix leaves it as it is, fit to follow another name.
func ident(text, prefix string) string {
	var b strings.Builder
	split := words(text)
	shout, spoken := !strings.ContainsFunc(text, unicode.IsLower), 0
	for _, word := range split {
		if strings.ContainsFunc(word, unicode.IsLetter) && word != "Plus" && word != "Minus" {
			spoken++
		}
	}
	for _, word := range split {
		b.WriteString(title(word, shout && (spoken > 1 || len(word) > 3)))
	}
	if b.Len() == 0 {
		return verbatim(text, prefix)
	}
	return exported(b.String(), prefix)
}

// verbatim is ident with nothing left out and no case changed but the first letter's. It tells apart what ident makes equal:
// "foo_bar" is FooUnderscoreBar.
func verbatim(text, prefix string) string {
	var b strings.Builder
	begins := true
	for _, r := range text {
		switch {
		case isPart(r) && begins:
			b.WriteRune(unicode.ToUpper(r))
			begins = false
		case isPart(r):
			b.WriteRune(r)
		case signs[r] != "":
			b.WriteString(signs[r])
			begins = true
		default:
			b.WriteString("U" + strings.ToUpper(strconv.FormatInt(int64(r), 16)))
			begins = true
		}
	}
	if b.Len() == 0 {
		return "Empty"
	}
	return exported(b.String(), prefix)
}

// lowered is verbatim for a text whose first letter is small, told apart from its twin with a capital: "open" is OpenLower.
func lowered(text, prefix string) string {
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLower(first) {
		return verbatim(text, prefix) + "Lower"
	}
	return verbatim(text, prefix)
}

// words splits text into words: at every character that is neither letter nor digit, and where capitals begin a word. A plus is
// a word, a dash only where it can be a number's sign.
func words(text string) []string {
	var out []string
	runes := slices.DeleteFunc([]rune(text), unicode.IsMark) // an identifier has no place for them, and they end no word
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, string(runes[start:end]))
		}
		start = -1
	}
	for i, r := range runes {
		switch {
		case isPart(r):
			if start >= 0 && beginsWord(runes, i) {
				flush(i)
			}
			if start < 0 {
				start = i
			}
		case r == '+':
			flush(i)
			out = append(out, "Plus")
		case r == '-' && i == 0 && len(runes) > 1 && unicode.IsDigit(runes[1]):
			out = append(out, "Minus")
		default:
			flush(i)
		}
	}
	flush(len(runes))
	return out
}

// beginsWord reports whether the letter at i begins a word inside a run of letters and digits: a capital after what is none, and
// the last of several capitals before a small letter ("HTTPServer"), unless that letter is a plural's s ("IDs").
func beginsWord(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	if !unicode.IsUpper(runes[i-1]) {
		return true
	}
	if i+1 >= len(runes) || !unicode.IsLower(runes[i+1]) {
		return false
	}
	return !isPlural(runes, i+1)
}

// title spells one word; shouted says that its capitals mean nothing, as in IN_PROGRESS and PENDING, but not in USD.
func title(word string, shouted bool) string {
	upper := strings.ToUpper(word)
	if initialisms[upper] {
		return upper
	}
	if stem, ok := strings.CutSuffix(upper, "S"); ok && initialisms[stem] {
		return stem + "s"
	}
	if shouted {
		word = strings.ToLower(word)
	}
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// isPart reports whether a rune may stand in a Go identifier without being a separator of words.
func isPart(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// exported puts a name after prefix if it could not begin an exported identifier, and bounds its length.
func exported(name, prefix string) string {
	if first, _ := utf8.DecodeRuneInString(name); prefix != "" && !unicode.IsUpper(first) {
		name = prefix + name
	}
	if utf8.RuneCountInString(name) > maxIdent {
		name = string([]rune(name)[:maxIdent])
	}
	return name
}

// unexported lowers the first word of an exported name: APIKey is apiKey, IDsOfAll idsOfAll, URL url. The result may be a keyword.
func unexported(name string) string {
	runes := []rune(name)
	n := 0
	for n < len(runes) && unicode.IsUpper(runes[n]) {
		n++
	}
	if n > 1 && n < len(runes) && unicode.IsLower(runes[n]) && !isPlural(runes, n) {
		n-- // the last capital begins the next word
	}
	for i := range n {
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// isPlural reports whether the small letter at i, after capitals, is a plural's s and no part of a word.
func isPlural(runes []rune, i int) bool {
	return runes[i] == 's' && (i+1 >= len(runes) || !unicode.IsLower(runes[i+1]))
}

// hides reports whether a local variable or parameter of that name would be a keyword, or would hide a predeclared name, an
// imported package or a local of the generated methods.
func hides(name string) bool {
	return token.IsKeyword(name) || types.Universe.Lookup(name) != nil || packageNames[name] || methodLocals[name]
}

// packageNames are the packages that generated files import, or may come to.
var packageNames = map[string]bool{
	"bytes": true, "cmp": true, "context": true, "errors": true, "fmt": true, "http": true, "io": true, "iter": true,
	"json": true, "maps": true, "oauth": true, "os": true, "policy": true, "runtime": true, "slices": true, "strconv": true, "strings": true,
	"sync": true, "time": true, "url": true, "wire": true,
}

// methodLocals are the receiver, the parameters and the variables of the generated methods.
var methodLocals = map[string]bool{
	"at": true, "c": true, "call": true, "ctx": true, "err": true, "nested": true, "patched": true, "r": true, "req": true,
	"res": true, "streamed": true, "u": true, "v": true,
}
