package diag

// rg319 are the entries from RG3191 on, sorted by code: what rungs can take, and which data they may see.
var rg319 = []Entry{
	{
		Code: FitUnstated, Name: "FitUnstated", Summary: "a rung of a language model that does not say what it can take",
		Explain: "A smaller model has a smaller window, and mostly lacks something: tools, images, a format of answers. A request that it cannot take is " +
			"refused by it, after the time of an attempt, and at the worst the tools are dropped in silence. `max-input` and `lacks` on the rung, or " +
			"on its target, say so beforehand: such a request is `unfit`, nothing is sent, and no time is left for the rung. A warning.",
		Example: "tokens: {max: /max_tokens}\nfallback: [{name: eu, target: eu}]",
		Fix:     "tokens: {max: /max_tokens}\nfallback: [{name: eu, target: eu, max-input: 8192, lacks: [/tools]}]",
	},
	{
		Code: FitUnseen, Name: "FitUnseen", Summary: "`max-input` or `lacks` where requests cannot be seen",
		Explain: "`max-input` counts the tokens of a request's body, `lacks` points into it. An operation without a body has none, and of a Go method " +
			"nobody looks into the arguments: a client within it can have a ladder, or limits, of its own.",
		Example: "fallback: [{name: eu, target: eu, max-input: 8192}]   # of an operation without a body",
		Fix:     "fallback: [{name: eu, target: eu}]",
	},
	{
		Code: DataNotAccepted, Name: "DataNotAccepted", Summary: "data that something which may see it does not accept",
		Explain: "An outage must not be how data of customers comes to another company or country. What an operation with `data` calls, keeps and falls " +
			"back to must accept all classes of it: targets (primary too, and each member), the cache, and every rung; a `target` rung accepts what " +
			"its target accepts. What says nothing accepts nothing classified. A target of which the annotations give no address may say it with that, " +
			"at run time (`runtime.WithAccepts`); until then no client is made.",
		Example: "data: [customer-text]\nfallback: [{name: eu, target: eu}]   # targets: {eu: {base-url: https://eu.example.com}}",
		Fix:     "data: [customer-text]\nfallback: [{name: eu, target: eu}]   # targets: {eu: {base-url: https://eu.example.com, accepts: [customer-text]}}",
	},
}
