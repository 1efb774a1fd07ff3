package faultlist_test

// terminalRows are terminals that say failed, or not all.
func terminalRows() []row {
	return []row{
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
	}
}

// successRows are successes that are none, and what looks like a failure and is none.
func successRows() []row {
	return []row{
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
	}
}

// silenceRows are about silence.
func silenceRows() []row {
	return []row{
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
	}
}

// noAnswerRows are bodies that are no answer.
func noAnswerRows() []row {
	return []row{
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
	}
}
