package policy

// sense is what an item means to its stream. The zero value is content.
type sense uint8

const (
	senseContent  sense = iota
	sensePreamble       // it comes before any content, and says none
	senseMark           // the answer was cut; its end is still to come
	senseComplete       // the end
	senseSilent         // the end, of an item that says nothing of its own
	senseCut            // the end of an answer that was cut
	senseRefused        // a filter kept the answer back
	senseFailed         // the answer failed
)

// streamForm is how the items of one kind of API follow each other. Items either have names, or hold a list of choices that each end on
// their own.
type streamForm struct {
	name string

	// names is where the name of an item stands, in the order of asking: pointers, or ItemEvent.
	names []string
	// begins are the names, or their beginnings where they end with '.', by which the form is known.
	begins []string
	// items are what names mean; the first that fits counts. All others are content.
	items []namedItem

	// list is the member that holds the choices; one that holds an array tells the form too.
	list string
	// also are members that tell the form beside the list: where one is there, the item is of it.
	also []string
	// finish is the member of a choice that says how it ended, and finishes what that means: without a line, that it is complete.
	finish   string
	finishes []namedItem
	// content are the members of a choice that hold what it says; a role in them is not content.
	content []string
	// outside are signs in the item itself; their name is not asked for.
	outside []namedItem

	// marker says that the end is proven only by the marker that follows: [DONE], or the plan's.
	marker bool
	// last says that nothing comes after the item that ends the stream.
	last bool
	// reason is where an item says why the answer was cut; without it, or anything there, the name of the item or of the finish is why.
	reason string
	// calls are signs that the answer asks for a tool to be called, or is not the end: it is not to be remembered.
	calls []namedCall
	// text is where the text of the answer stands.
	text []namedText
	// source is where the form is documented.
	source string
}

// namedItem is what a name means, or the finish of a choice. With at, only where the text there is one of in; without in, anything that
// is not empty.
type namedItem struct {
	names []string
	at    string
	in    []string
	means sense
}

// namedText is where the text of an item of that name is; of any item without a name. The pointer of a listed form begins in a choice. With a
// member, the text is in that member of what the pointer leads to, but where the member thinks is true there.
type namedText struct{ name, at, member, thinks string }

// namedCall is a sign at a pointer into an item: one of the texts, or anything that is not empty.
type namedCall struct {
	at string
	in []string
}

// doneMarker is the data that ends most streams of language models, which is no JSON and so no item.
const doneMarker = "[DONE]"

// formsOf returns the forms of the provider's streams that a preset knows. No form is known of "generic".
func formsOf(preset string) []*streamForm { return streamForms[preset] }
