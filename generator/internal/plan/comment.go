package plan

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// commentWidth is the column at which comment lines are wrapped, "// " included.
const commentWidth = 100

// comment makes doc comment lines of text that nobody vouches for. No line can leave the comment, hide or reorder text on a
// screen, or be taken for a directive, a build constraint, a deprecation or the mark of a generated file. Markdown is kept as
// far as gofmt would leave it alone: paragraphs, lists, code.
func comment(text string) Comment {
	f := commentFormatter{}
	text, isCut := shortened(text)
	if isCut {
		text += "\n\nThe document says more."
	}
	for _, line := range commentLines(text) {
		f.add(line)
	}
	f.flush()
	for len(f.out) > 0 && f.out[len(f.out)-1] == "" {
		f.out = f.out[:len(f.out)-1]
	}
	return endSentences(f.out)
}

// endSentences ends each sentence that stands alone in a paragraph with a full stop where the author left it out: gofmt takes a line
// like that for a heading.
func endSentences(lines Comment) Comment {
	const words = 4 // a heading mostly has fewer
	for i, line := range lines {
		isAlone := i > 0 && lines[i-1] == "" && (i+1 == len(lines) || lines[i+1] == "")
		first, _ := utf8.DecodeRuneInString(line)
		if !isAlone || !unicode.IsUpper(first) {
			continue
		}
		fields := strings.Fields(line)
		if word := strings.ToLower(fields[0]); len(fields) >= words || verbs[word] || verbs[infinitive(word)] {
			lines[i] = sentence(line)
		}
	}
	return lines
}

// Wrapped is text as doc comment lines, whatever is in it: see comment.
func Wrapped(text string) Comment { return comment(text) }

// requestComment is comment for a paragraph that begins with a request. That stays on one line, however long, so that it can be
// searched for as the document spells it.
func requestComment(request, text string) Comment {
	const glue = "\x00" // what is not left in a line otherwise
	request, text = oneLine(request), oneLine(text)
	rest, ok := strings.CutPrefix(text, request)
	if !ok {
		return comment(text)
	}
	var f commentFormatter
	f.begin(strings.ReplaceAll(request, " ", glue)+rest, "", "")
	f.flush()
	for i, line := range f.out {
		f.out[i] = strings.ReplaceAll(line, glue, " ")
	}
	return f.out
}

// join sets comments below each other as paragraphs.
func join(comments ...Comment) Comment {
	var out Comment
	for _, c := range comments {
		if len(c) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, c...)
	}
	return out
}

// maxComment is how many bytes of a text a comment has. Documentation of that size is read elsewhere.
const maxComment = 64 << 10

// shortened is the beginning of a text that is too long for a comment, and whether it was.
func shortened(text string) (string, bool) {
	if len(text) <= maxComment {
		return text, false
	}
	return strings.ToValidUTF8(text[:maxComment], ""), true
}

// oneLine is text as a part of one comment line.
func oneLine(text string) string {
	text, _ = shortened(text)
	return strings.Join(strings.Fields(strings.Join(commentLines(text), " ")), " ")
}

// commentLines splits at every character that some reader takes for the end of a line, and makes the rest printable.
func commentLines(text string) []string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
			return '\n'
		default:
			return r
		}
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return lines
}

// printable writes every character that has no shape of its own, or that moves others, as an escape. Joiners stay: emoji and
// several scripts need them, and they reorder nothing.
func printable(line string) string {
	var b strings.Builder
	for _, r := range line {
		switch {
		case r == '\t' || r == ' ' || strconv.IsPrint(r) || r == '\u200c' || r == '\u200d':
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return strings.TrimRight(b.String(), " \t")
}

// commentFormatter sets the lines of a text as a doc comment.
type commentFormatter struct {
	out Comment
	// text are the lines of a paragraph or item that the author wrapped; first and next go before its lines.
	text, first, next string
	// last is the length of its last line as the author wrote it.
	last int
	// fenced says that the lines are code between two ``` lines, inList that the last text was an item of a list.
	fenced, inList bool
}

func (f *commentFormatter) add(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(trimmed, "```"):
		f.fenced = !f.fenced
		f.blank()
	case trimmed == "":
		f.blank()
	case f.fenced && f.inList: // gofmt takes it for more of the item
		f.begin(trimmed, "    ", "    ")
	case f.fenced:
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		f.out = append(f.out, "\t"+strings.ReplaceAll(indent, "\t", "    ")+harmless(trimmed))
	default:
		f.addText(trimmed)
	}
}

// addText adds a line that is no code. It goes on with the line before where the author seems to have wrapped that one.
func (f *commentFormatter) addText(line string) {
	const wrapped = 60
	marker, rest := listMarker(line)
	switch {
	case marker != "":
		f.begin(rest, "  "+marker+" ", "    ")
		f.inList = true
	case f.text != "" && f.last >= wrapped && !strings.ContainsRune("|#<>=*_-", rune(line[0])):
		f.text += " " + line
	case f.inList:
		f.blank()
		f.inList = false
		f.begin(line, "", "")
	default:
		f.begin(line, "", "")
	}
	f.last = utf8.RuneCountInString(line)
}

// begin begins a paragraph or an item.
func (f *commentFormatter) begin(text, first, next string) {
	f.flush()
	f.text, f.first, f.next = text, first, next
}

// blank ends a paragraph; a comment never begins with an empty line, nor has two in a row.
func (f *commentFormatter) blank() {
	f.flush()
	if len(f.out) > 0 && f.out[len(f.out)-1] != "" {
		f.out = append(f.out, "")
	}
}

// flush adds the words of what was begun, as many on each line as there is room for.
func (f *commentFormatter) flush() {
	if f.text == "" {
		return
	}
	line, width := "", utf8.RuneCountInString(f.first)
	for word := range strings.FieldsSeq(straight(f.text)) {
		n := utf8.RuneCountInString(word)
		if line != "" && width+len(" ")+n > commentWidth-len("// ") {
			f.out = append(f.out, f.first+harmless(line))
			f.first, line, width = f.next, "", len(f.next)
		}
		if line != "" {
			line += " "
			width++
		}
		line += word
		width += n
	}
	f.out = append(f.out, f.first+harmless(line))
	f.text, f.last = "", 0
}

// straight keeps gofmt from making quotation marks of two apostrophes or backquotes.
func straight(text string) string {
	for strings.Contains(text, "``") {
		text = strings.ReplaceAll(text, "``", "`")
	}
	return strings.ReplaceAll(text, "''", `""`)
}

// listMarker splits off the marker of a list item, as gofmt writes it.
func listMarker(line string) (marker, rest string) {
	head, rest, found := strings.Cut(line, " ")
	switch {
	case !found:
		return "", line
	case head == "-" || head == "*" || head == "+" || head == "•":
		return "-", rest
	case len(head) > 1 && len(head) < 5 && strings.HasSuffix(head, ".") && isDigits(head[:len(head)-1]):
		return head, rest
	default:
		return "", line
	}
}

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// toolWords begin comments that tools act on even after the space that every comment line begins with, or that a reader would take
// for one of those that have none.
var toolWords = []string{
	"+build", "go:", "resgen:", "nolint", "lint:", "#nosec", "nosec", "nosemgrep", "noinspection", "exhaustive:", "Code generated",
}

// harmless keeps the beginning of a line from being taken for a directive, by a backslash before it, and from being a
// deprecation, by a small letter: only the document's own mark deprecates.
func harmless(text string) string {
	for _, word := range toolWords {
		if strings.HasPrefix(text, word) {
			return `\` + text
		}
	}
	if rest, ok := strings.CutPrefix(text, "Deprecated:"); ok {
		return "deprecated:" + rest
	}
	return text
}
