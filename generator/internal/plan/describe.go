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
	if text = strings.TrimSpace(text); text == "" || repeats(text, name) {
		text = fallback
	} else {
		text = beginType(name, oneSentence(text))
	}
	return withDeprecation(comment(text), old)
}

// describeMethod is the same for a method.
func describeMethod(name, text, fallback string, old bool) Comment {
	if first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n"); repeats(first, name) {
		text = rest
	}
	if text = strings.TrimSpace(text); text == "" {
		text = fallback
	} else {
		text = beginMethod(name, oneSentence(text))
	}
	return withDeprecation(comment(text), old)
}

// repeats reports whether a text, mostly a title, says no more than a name or the end of it does.
func repeats(text, name string) bool {
	letters := func(s string) string {
		return strings.ToLower(strings.Map(func(r rune) rune {
			if isWordRune(r) {
				return r
			}
			return -1
		}, s))
	}
	said := letters(text)
	return said != "" && strings.HasSuffix(letters(name), said)
}

// oneSentence ends a text of one line with a full stop.
func oneSentence(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		return text
	}
	return sentence(text)
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
var verbs = wordSet(`accept acknowledge activate add allow answer append apply approve archive ask assign attach authenticate authorize bind
	block boot browse build bulk cache calculate call cancel capture change charge check claim classify clear clone close
	collect combine commit compact compare complete compress compute configure confirm connect contain convert copy count crawl
	create deactivate debug decline decode decrypt define delete demote deploy describe detach determine disable disconnect
	dismiss dispatch display download duplicate echo edit embed enable encode encrypt end enqueue ensure estimate evaluate
	exchange exclude execute expand expire export extend extract fail fetch filter find finish flag flush follow force
	fork format forward freeze generate get give grant handle hide hold identify ignore import include increment index indicate
	infer ingest initialize initiate insert inspect install invite invoke issue join keep kick kill launch leave link lint list load lock
	log look lookup make map mark match merge migrate modify monitor move mute notify obtain open optimize order overwrite parse patch
	pause pay perform pin ping poll post predict prepare preview print probe process promote protect provide provision prune
	publish pull purge push put query queue quote rank rate reactivate read rebalance rebase reboot rebuild recalculate
	receive recommend reconnect record recover redeem redeliver reduce refresh refund regenerate register reinstall reject
	release reload remove rename render renew reopen reorder replace reply report represent request requeue rerank rerun
	resend reserve reset resize resolve respond restart restore restrict resume retire retrieve retry return reverse revert
	review revoke rewind rotate route run sample sanitize save scale scan schedule score scroll seal search see select send serve set share
	show sign simulate skip sort specify split stage star start stop store stream submit subscribe suggest summarize suspend
	swap switch sync synchronize tag tail take tell terminate test toggle tokenize track train transcribe transfer transform
	translate transition trigger try turn unarchive unassign unblock undelete undo unfollow uninstall unlink unlock unmute unpause unpin unstar
	unsubscribe unsuspend untag update upgrade upload upsert use validate verify view visit void vote wait wake warm watch withdraw
	wrap write`)

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
