package faultlist_test

import (
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Why a cell is empty.
const (
	ofStreams    = "a whole answer has no events, and its end is that of its JSON: see truncated and cut"
	noPreamble   = "every item of generateContent is content; what comes before the first is silence, an error or a filter's no"
	oneAnswer    = "the API makes one answer, not several choices"
	usagePlace   = "usage stands in items of its own, or in each: right has it"
	noFailed     = "the API has no failed terminal: an error object is how it fails"
	errorIsEnd   = "message-end with the reason ERROR is how the API fails: see first-error and mid-error"
	noFilter     = "no finish reason of the API tells of a filter"
	noRefusal    = "the API tells a refusal by its stop reason, or not at all: see filtered"
	noErrorItem  = "an error is an event of its own there, beside which no choices can stand: see first-error"
	noMarker     = "no marker stands beside the terminal there: see eof"
	noErrorBody  = "an error body of the API comes with its status"
	isFirstError = "see first-error"
	byReason     = "the finish reason is the only status there: see incomplete"
	isRight      = "see right"
	noQuota      = "the API names no reason in its streams"
	moneyIs429   = "what the API says of money it says in another row"
)

const month = 31 * 24 * time.Hour // of January, which the clock of a bubble begins

// table says what a call comes to. Plans have two attempts, the second target, and for whole answers a fixed apology; a wait of up to 5s is
// waited for. Written from the kinds' table of the contracts, from what they say of streams and ladders, and from the providers' own errors.
func table() []row { //nolint:maintidx // a table
	const (
		throttle, transient, timeout = policy.KindThrottle, policy.KindTransient, policy.KindTimeout
		reset, decode, unusable      = policy.KindReset, policy.KindDecode, policy.KindUnusable
		refused, tooLong, caller     = policy.KindRefused, policy.KindContextTooLong, policy.KindCaller
	)
	return []row{
		{
			fault: "right", what: "the answer, as it should be",
			plain: right(), stream: right(),
		},

		// Ends that prove nothing.
		{
			fault: "eof", what: "the stream ends cleanly after content, without its terminal",
			plain: none(ofStreams), stream: breaks(reset),
		},
		{
			fault: "eof-preamble", what: "the stream ends cleanly before any content",
			plain: none(ofStreams), stream: again(reset),
			but: but{"gemini": none(noPreamble)},
		},
		{
			fault: "done", what: "`[DONE]` after content, without the terminal before it",
			plain: none(ofStreams), stream: breaks(reset),
		},
		{
			fault: "cut", what: "the connection breaks in the middle",
			plain: again(decode), stream: breaks(reset),
		},
		{
			fault: "cut-preamble", what: "the connection breaks before any content",
			plain: none(ofStreams), stream: again(reset),
			but: but{"gemini": none(noPreamble)},
		},
		{
			fault: "cut-after", what: "the connection breaks after the whole answer and its terminal",
			plain: none(ofStreams), stream: right(),
		},
		{
			fault: "lingers", what: "the connection stays open after the whole answer and its terminal",
			plain: none(ofStreams), stream: right(),
		},
		{
			fault: "no-marker", what: "a clean end after the whole answer and its finish reason, without `[DONE]`",
			plain: none(ofStreams), stream: none(noMarker),
			but: but{"chat.stream": breaks(reset).shown(rightText)},
		},
		{
			fault: "two", what: "two choices, both finished",
			plain: right(), stream: right(),
			but: but{
				"responses": none(oneAnswer), "messages": none(oneAnswer), "cohere": none(oneAnswer),
			},
		},
		{
			fault: "two-unfinished", what: "two choices, one of which is not finished when the stream ends",
			plain: none(ofStreams), stream: breaks(reset).shown("Hello from the "),
			but: but{
				"responses": none(oneAnswer), "messages": none(oneAnswer), "cohere": none(oneAnswer),
			},
		},

		// Errors inside a response that began well.
		{
			fault: "first-error", what: "an error in place of the answer, with status 200",
			plain: again(transient), stream: again(transient),
			but: but{"messages": again(throttle)},
		},
		{
			fault: "error-body", what: "an error as JSON in place of a stream, with status 200",
			plain: none(isFirstError), stream: again(transient),
			but: but{"messages.stream": again(throttle), "cohere.stream": none(noErrorBody)},
		},
		{
			fault: "preamble-error", what: "events that say nothing, then an overload as an event",
			plain: none(ofStreams), stream: again(transient),
			but: but{
				"messages.stream": again(throttle), "gemini": none(noPreamble),
			},
		},
		{
			fault: "preamble-quota", what: "events that say nothing, then a quota that is used up",
			plain: none(ofStreams), stream: goesOn(unusable),
			but: but{"gemini": none(noPreamble), "cohere": none(noQuota)},
		},
		{
			fault: "first-quota", what: "a daily quota that is used up, as the first event, with the time of its reset",
			plain: none(ofStreams), stream: none("as preamble-quota"),
			but: but{
				"gemini.stream": goesOn(unusable).pauses(11 * time.Hour),
			},
		},
		{
			fault: "mid-error", what: "an overload as an event, after content",
			plain: none(ofStreams), stream: breaks(transient),
			but: but{"messages.stream": breaks(throttle)},
		},
		{
			fault: "null-error", what: "an answer with a member `error` that is null",
			plain: right(), stream: right(),
		},
		{
			fault: "error-choices", what: "an error object beside an empty list of choices",
			plain: again(transient), stream: again(transient),
			but: but{
				"responses.stream": none(noErrorItem), "messages": none(noErrorItem), "cohere": none(noErrorItem),
			},
		},

		// Terminals that say failed, or not all.
		{
			fault: "failed-first", what: "the terminal that says failed, before any content",
			plain: none(noFailed), stream: none(noFailed),
			but: but{
				"responses.plain": again(transient), "responses.stream": again(transient), "cohere": none(errorIsEnd),
			},
		},
		{
			fault: "failed", what: "the terminal that says failed, after content",
			plain: none(ofStreams), stream: none(noFailed),
			but: but{
				"responses.stream": breaks(transient), "cohere.stream": none(errorIsEnd),
			},
		},
		{
			fault: "incomplete", what: "the answer reaches the longest that was asked for",
			plain: cutShort(begunText), stream: cutShort(begunText),
		},
		{
			fault: "odd-incomplete", what: "an answer that its status alone calls incomplete, by a terminal that says completed",
			plain: none(byReason), stream: none(byReason),
			but: but{"responses": cutShort(begunText)},
		},
		{
			fault: "reasoning", what: "thoughts alone, and then the longest that was asked for",
			plain: cutShort("Let me think."), stream: cutShort("Let me think."),
		},

		// Success that is none, and what looks like failure and is none.
		{
			fault: "empty", what: "an answer that shows nothing",
			plain: again(decode), stream: again(decode),
		},
		{
			fault: "nothing", what: "status 200 and no byte",
			plain: again(decode), stream: again(reset),
		},
		{
			fault: "filtered", what: "status 200, and a content filter's no before any content",
			plain: fails(refused), stream: fails(refused),
			but: but{"cohere": none(noFilter)},
		},
		{
			fault: "filtered-late", what: "a content filter's no after content",
			plain: none(ofStreams), stream: breaks(refused).well(),
			but: but{
				"cohere.stream":    none(noFilter),
				"responses.stream": breaks(refused).well().counting(usedAll), "messages.stream": breaks(refused).well().counting(usedAll),
			},
		},
		{
			fault: "refusal", what: "the model itself declines, in words",
			plain: shows("I will not."), stream: shows("I will not."),
			but: but{
				"messages": none(noRefusal), "gemini": none(noRefusal), "cohere": none(noRefusal),
			},
		},
		{
			fault: "tool", what: "calls of tools, and no text",
			plain: shows(`weather{"city":"Bern"}`), stream: shows(`weather{"city":"Bern"}`),
		},
		{
			fault: "usage-last", what: "usage in the last chunk, beside its choices",
			plain: none(ofStreams), stream: none(usagePlace),
			but: but{"chat.stream": right()},
		},
		{
			fault: "usage-empty", what: "usage in a chunk without choices, and null in the one after it",
			plain: none(ofStreams), stream: none(usagePlace),
			but: but{"chat.stream": right()},
		},

		// Silence.
		{
			fault: "preamble-silence", what: "silence before any content; of a whole answer, after its header",
			plain: again(timeout), stream: again(timeout),
		},
		{
			fault: "preamble-pings", what: "pings and comments, and never any content",
			plain: none(ofStreams), stream: again(timeout),
		},
		{
			fault: "silence", what: "silence after content",
			plain: none(ofStreams), stream: breaks(timeout),
		},
		{
			fault: "pings", what: "pings and comments while the model works",
			plain: none(ofStreams), stream: right(),
		},

		// What is no answer.
		{
			fault: "truncated", what: "JSON that ends too early; of a stream, in its first item of content",
			plain: again(decode), stream: again(decode),
		},
		{
			fault: "truncated-late", what: "JSON that ends too early, after content",
			plain: none(ofStreams), stream: breaks(decode),
		},
		{
			fault: "type", what: "status 200 with another content type: text, or JSON in place of a stream",
			plain: again(decode), stream: again(decode),
		},
		{
			fault: "stream-for-plain", what: "a stream that nobody asked for",
			plain: again(decode), stream: none(isRight),
		},
		{
			fault: "html", what: "status 200 and a page of HTML",
			plain: again(decode), stream: again(decode),
		},

		// Statuses that mean several things.
		{
			fault: "throttle-short", what: "429: in a second",
			plain: again(throttle).neutral().pauses(time.Second), stream: again(throttle).neutral().pauses(time.Second),
			but: but{
				"cohere": again(throttle).neutral(),
			},
		},
		{
			fault: "throttle-long", what: "429: in an hour, or tomorrow",
			plain: goesOn(throttle).neutral().pauses(time.Hour), stream: goesOn(throttle).neutral().pauses(time.Hour),
			but: but{
				"gemini": goesOn(unusable).pauses(11 * time.Hour),
			},
		},
		{
			fault: "throttle-never", what: "429: never, as the request exceeds the limit itself, or until next month",
			plain: fails(tooLong), stream: fails(tooLong),
			but: but{
				"messages": goesOn(unusable).pauses(month), "gemini": goesOn(unusable), "cohere": goesOn(unusable).pauses(month),
			},
		},
		{
			fault: "throttle-money", what: "429 or 402: no credit left",
			plain: goesOn(unusable).pauses(30 * time.Second), stream: goesOn(unusable).pauses(30 * time.Second),
			but: but{
				"messages": none(moneyIs429), "gemini": goesOn(unusable), "cohere": none(moneyIs429),
			},
		},
		{
			fault: "key", what: "401, or Gemini's 400: the key is wrong",
			plain: goesOn(unusable), stream: goesOn(unusable),
		},
		{
			fault: "model", what: "404: the model is gone",
			plain: goesOn(unusable), stream: goesOn(unusable),
		},
		{
			fault: "caller", what: "400: the request is wrong",
			plain: fails(caller), stream: fails(caller),
		},
		{
			fault: "too-long", what: "400: the request is too long for the model",
			plain: fails(tooLong), stream: fails(tooLong),
		},
		{
			fault: "gateway", what: "502 and a page of HTML",
			plain: again(transient), stream: again(transient),
		},
		{
			fault: "unavailable", what: "503: in a second",
			plain: again(transient).waiting(time.Second), stream: again(transient).waiting(time.Second),
		},
		{
			fault: "money", what: "400 or 402: no credit left",
			plain: goesOn(unusable), stream: goesOn(unusable),
		},
		{
			fault: "overloaded", what: "529",
			plain: again(throttle), stream: again(throttle),
		},
	}
}

// but are the cells of a row that differ.
type but = map[string]want
