package plan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// deprecated is the paragraph that tools look for. Only the document's own mark puts it there.
var deprecated = Comment{"Deprecated: the document advises against it."}

// describe is the doc comment of a type called name: the author's text, begun with the name as Go's custom has it, or fallback
// where the author wrote nothing.
func describe(name, text, fallback string, old bool) Comment {
	if text = strings.TrimSpace(text); text == "" {
		text = fallback
	} else {
		text = beginType(name, text)
	}
	return withDeprecation(comment(text), old)
}

// describeMethod is the same for a method.
func describeMethod(name, text, fallback string, old bool) Comment {
	if text = strings.TrimSpace(text); text == "" {
		text = fallback
	} else {
		text = beginMethod(name, text)
	}
	return withDeprecation(comment(text), old)
}

func withDeprecation(c Comment, old bool) Comment {
	if old {
		return join(c, deprecated)
	}
	return c
}

// summarize joins an operation's summary and description, which often say the same.
func summarize(summary, doc string) string {
	summary, doc = strings.TrimSpace(summary), strings.TrimSpace(doc)
	switch {
	case summary == "":
		return doc
	case doc == "" || strings.HasPrefix(summary, doc):
		return sentence(summary)
	case strings.HasPrefix(doc, strings.TrimSuffix(summary, ".")):
		return doc
	default:
		return sentence(summary) + "\n\n" + doc
	}
}

// sentence ends a text with a full stop if it ends with a word.
func sentence(text string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	if unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')' || last == '"' || last == '`' {
		return text + "."
	}
	return text
}

// beginType puts a type's name before a text so that both read as one sentence, where the text's first word shows how: "The pet"
// becomes "Pet is the pet". Else a colon stands between them.
func beginType(name, text string) string {
	first, rest, _ := strings.Cut(text, " ")
	word := strings.ToLower(first)
	switch {
	case first == name:
		return text
	case word == "a" || word == "an" || word == "the":
		return name + " is " + word + " " + rest
	case describing[word]:
		return name + " " + word + " " + rest
	default:
		return name + ": " + text
	}
}

// beginMethod does the same for a method: "Creates a pet" and "Create a pet" become "AddPet creates a pet".
func beginMethod(name, text string) string {
	first, rest, _ := strings.Cut(text, " ")
	word := strings.ToLower(first)
	switch {
	case first == name:
		return text
	case strings.HasPrefix(rest, "of "): // "List of pets" does not say what is done
		return name + ": " + text
	case verbs[word]:
		return name + " " + thirdPerson(word) + " " + rest
	case verbs[infinitive(word)]:
		return name + " " + word + " " + rest
	default:
		return name + ": " + text
	}
}

// describing are the verbs by which texts say what a type is.
var describing = wordSet("contains defines denotes describes holds identifies indicates lists provides represents says specifies")

// verbs are the words that summaries begin with.
var verbs = wordSet(`accept activate add allow append apply approve archive assign attach authenticate authorize block build bulk
	calculate call cancel change check claim clear clone close commit compare complete compute configure confirm connect contain
	convert copy count create deactivate decline define delete deploy describe detach determine disable disconnect download
	duplicate edit embed enable encode end enqueue evaluate exchange execute export extract fetch find finish follow force
	generate get give grant handle identify import indicate initialize insert inspect install invite invoke issue join kill
	leave link list load lock log look lookup make mark merge modify move mute notify obtain open parse patch pause perform pin
	post prepare preview process promote provide publish pull purge push put query queue read rebuild receive refresh register
	reject release reload remove rename render renew reopen reorder replace report represent request rerank rerun reset resize
	resolve restart restore restrict resume retrieve return revoke rotate run save scale schedule score search see send set
	share show sign simulate skip specify split start stop store stream submit subscribe suggest suspend switch sync synchronize
	tag take terminate test toggle transcribe transfer transform translate trigger try unassign unblock unfollow uninstall
	unlink unlock unpin unsubscribe update upgrade upload upsert use validate verify view vote watch write`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// thirdPerson is the form of a verb after "it".
func thirdPerson(verb string) string {
	n := len(verb)
	switch {
	case hasAnySuffix(verb, "s", "x", "z", "ch", "sh", "o"):
		return verb + "es"
	case n > 1 && verb[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(verb[n-2])):
		return verb[:n-1] + "ies"
	default:
		return verb + "s"
	}
}

// infinitive undoes thirdPerson as far as verbs can tell.
func infinitive(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok && verbs[stem+"y"] {
		return stem + "y"
	}
	if stem, ok := strings.CutSuffix(word, "es"); ok && verbs[stem] {
		return stem
	}
	return strings.TrimSuffix(word, "s")
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}
