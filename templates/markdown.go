package templates

import "strings"

// markdownEscapes are the characters that CommonMark could take for markup in the middle of a line.
var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `#`, `\#`, `&`, `\&`, `~`, `\~`, "`", "\\`",
)

// markdown spells a text as a line of Markdown. Of markup only what stands between backquotes counts, as code.
func markdown(text string) string {
	parts := strings.Split(oneLine(text), "`")
	if len(parts)%2 == 0 { // the last backquote has no partner
		parts = append(parts[:len(parts)-2], parts[len(parts)-2]+"`"+parts[len(parts)-1])
	}
	for i, part := range parts {
		if i%2 == 0 {
			parts[i] = markdownEscapes.Replace(part)
		}
	}
	return strings.Join(parts, "`")
}

// cell spells a text for a cell of a table, where a bar ends the cell even within code (GFM section 4.10).
func cell(text string) string { return strings.ReplaceAll(markdown(text), "|", `\|`) }

// code spells a text as code within a line.
func code(text string) string {
	text = oneLine(text)
	ticks := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text == "" {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// fence spells a text as a block of code in a language, which may be empty. The fence is longer than any in the text.
func fence(language, text string) string {
	ticks := strings.Repeat("`", max(3, longestRun(text)+1))
	return ticks + language + "\n" + strings.Trim(text, "\n") + "\n" + ticks
}

// oneLine makes a line of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// longestRun is how many backquotes follow one another at most.
func longestRun(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		run++
		if r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
