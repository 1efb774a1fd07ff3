package faultlist_test

import "time"

const month = 31 * 24 * time.Hour // of January, which the clock of a bubble begins

// statusRows are statuses that mean several things.
func statusRows() []row {
	return []row{
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
