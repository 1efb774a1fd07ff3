package templates

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// quoteJSON spells a value as JSON, on one line. Only what JSON must escape is escaped.
func quoteJSON(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("as JSON: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// quoteYAML spells a value as YAML, on one line: JSON is YAML, as long as no character stands raw that YAML does not print (YAML 1.2.2
// section 5.1) or takes for the end of a line. A word that no reader of YAML takes for anything but text stands without quotes.
func quoteYAML(v any) (string, error) {
	if word, ok := v.(string); ok && plainWord.MatchString(word) && !notText[strings.ToLower(word)] {
		return word, nil
	}
	text, err := quoteJSON(v)
	if err != nil {
		return "", err
	}
	return printable(text), nil
}

// plainWord is what may stand without quotes: it begins with a letter, so it is no number, date or indicator.
var plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]{0,127}$`)

// notText are the words that some version of YAML takes for a boolean or for null, in any case.
var notText = map[string]bool{"y": true, "n": true, "yes": true, "no": true, "on": true, "off": true, "true": true, "false": true, "null": true}

// printable spells a text on one line, without characters that YAML does not print: for comments, and between quotes.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == ' ' || unicode.IsGraphic(r) && r <= 0xFFFF:
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// indent sets every line of a text off by n spaces, save lines that are empty.
func indent(n int, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString(strings.Repeat(" ", n))
		}
		b.WriteString(line)
	}
	return b.String()
}

// duration spells a duration as annotations do: 1m30s, without what is zero.
func duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
