package policy

// Stream says how an operation's items travel, and how its end is proven. What the preset of errors knows of its provider's streams comes
// with it: see StreamRules.
type Stream struct {
	// Format is the framing. The zero value is no stream.
	Format StreamFormat
	// Done is the data that ends the stream. Where it is set, an end without it is a truncation.
	Done string
	// ErrorEvent is the event name that carries an error. Empty: none does.
	ErrorEvent string
	// ErrorPointer is the JSON pointer (RFC 6901) whose value in an item makes the item an error, where it is not null, false or an empty
	// text. Empty: none does.
	ErrorPointer string
	// Preamble tells items that come before the first content, beside those that the preset knows: they do not commit the call.
	Preamble []ItemRule
	// Complete tells items that prove the end. Where it is set, the stream is whole only after one of them, whatever the preset says.
	Complete []ItemRule
	// Incomplete tells items by which an answer ends that was cut: a success with a mark, beside what the preset knows.
	Incomplete []ItemRule
	// Failed tells items that say that the answer failed, beside what the preset knows.
	Failed []ItemRule
	// Errors tells items that are errors, beside ErrorEvent, ErrorPointer and what the preset knows.
	Errors []ItemRule
}

// ItemRule tells an item of a stream by what is in it: all of its matches hold. An empty rule matches nothing.
type ItemRule []ItemMatch

// ItemMatch is a place in an item, and what stands there.
type ItemMatch struct {
	// Pointer is a JSON pointer (RFC 6901) into the item, in which a token `*` stands for each element of an array or member of an object:
	// one of them has to match. ItemEvent in place of a pointer is the name of the server-sent event.
	Pointer string
	// Values are the texts that may stand there; without any, all but null and nothing matches.
	Values []string
}

// ItemEvent in place of a pointer is the name of the server-sent event that an item came in.
const ItemEvent = "event"
