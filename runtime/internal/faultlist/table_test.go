package faultlist_test

import (
	"slices"
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

// The kinds, by short names.
const (
	throttle, transient, timeout = policy.KindThrottle, policy.KindTransient, policy.KindTimeout
	reset, decode, unusable      = policy.KindReset, policy.KindDecode, policy.KindUnusable
	refused, tooLong, caller     = policy.KindRefused, policy.KindContextTooLong, policy.KindCaller
)

// table says what a call comes to. Plans have two attempts, the second target, and a fixed apology; a wait of up to 5s is
// waited for. Written from the kinds' table of the contracts, from what they say of streams and ladders, and from the providers' own errors.
func table() []row {
	return slices.Concat(endRows(), errorRows(), terminalRows(), successRows(), silenceRows(), noAnswerRows(), statusRows())
}

// but are the cells of a row that differ.
type but = map[string]want

// endRows are ends that prove nothing, and what comes after one that does.
func endRows() []row {
	return []row{
		{
			fault: "right", what: "the answer, as it should be",
			plain: right(), stream: right(),
		},
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
	}
}

// errorRows are errors inside a response that began well.
func errorRows() []row {
	return []row{
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
	}
}
