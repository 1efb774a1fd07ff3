package lock

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// hashPrefix names the algorithm of a hash.
const hashPrefix = "sha256:"

func hexOf(sum [32]byte) string { return hex.EncodeToString(sum[:]) }

// alphabet spells six bits in one character, in the order of the characters, so that sorted texts are sorted numbers.
const alphabet = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

// The spelling of fingerprints: four characters each. Those with the same first four bits share a line, so that a name that is added
// changes one line out of sixteen.
const (
	charBits  = 6
	charMask  = 1<<charBits - 1
	codeChars = fingerprintBits / charBits
	lineBits  = 4
)

// Bytes is the file as text: YAML with sorted keys. Nothing at all where there is nothing to remember.
func (f *File) Bytes() []byte {
	var b strings.Builder
	clients := slices.DeleteFunc(slices.Sorted(maps.Keys(f.Clients)), func(name string) bool { return f.Clients[name].isEmpty() })
	if len(clients)+len(f.Refs) == 0 {
		return nil
	}
	b.WriteString("version: 1\n")
	if len(clients) > 0 {
		b.WriteString("clients:\n")
	}
	for _, name := range clients {
		b.WriteString("  " + quote(name) + ":\n")
		f.Clients[name].write(&b)
	}
	if len(f.Refs) > 0 {
		b.WriteString("refs:\n")
	}
	for _, url := range slices.Sorted(maps.Keys(f.Refs)) {
		fmt.Fprintf(&b, "  %s: %s\n", quote(url), f.Refs[url].Text)
	}
	return []byte(b.String())
}

func (c *Client) write(b *strings.Builder) {
	if len(c.Names) > 0 {
		b.WriteString("    names:\n")
	}
	for _, id := range slices.Sorted(maps.Keys(c.Names)) {
		fmt.Fprintf(b, "      %s: %s\n", quote(id), quote(c.Names[id].Text))
	}
	if len(c.kept) > 0 {
		b.WriteString("    kept:\n")
	}
	var line []byte
	all := slices.Sorted(maps.Keys(c.kept))
	for i, kept := range all {
		line = kept.append(line)
		if i+1 == len(all) || all[i+1].line() != kept.line() {
			fmt.Fprintf(b, "      - %q\n", line)
			line = line[:0]
		}
	}
}

// line says which fingerprints share one.
func (p fingerprint) line() fingerprint { return p >> (fingerprintBits - lineBits) }

func (p fingerprint) append(text []byte) []byte {
	for i := codeChars - 1; i >= 0; i-- {
		text = append(text, alphabet[p>>(i*charBits)&charMask])
	}
	return text
}

// quote is a text in double quotes, as YAML and JSON read it: what cannot be seen is escaped.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
