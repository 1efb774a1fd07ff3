package policy

const azureQuotas = "learn.microsoft.com/azure/ai-foundry/openai/quotas-limits"

// azureFailures come before those of OpenAI, which Azure speaks.
var azureFailures = []row{
	{
		id: "filter", at: []string{"/error/innererror/code", "/innererror/code"}, equals: []string{"ResponsibleAIPolicyViolation", "ContentFiltered"},
		kind: KindRefused, source: "BerriAI/litellm#16231, compl-ai/compl-ai#20",
	},
	{
		id: "deployment", at: openaiCode, equals: []string{"DeploymentNotFound"}, kind: KindUnusable,
		source: "MicrosoftDocs/azure-docs#114013, chatboxai/chatbox#861",
	},
	{
		id: "high-demand", status: []int{429}, at: openaiMessage, contains: "experiencing high demand", kind: KindThrottle, counts: true,
		source: azureQuotas + ": shared capacity, not the own quota",
	},
	{
		id: "unable", status: []int{429}, at: openaiMessage, contains: "temporarily unable", kind: KindThrottle, counts: true,
		source: azureQuotas + ": shared capacity, not the own quota", unsure: true,
	},
	{
		id: "day-cap", status: []int{429}, at: openaiMessage, contains: "retry after 86400 seconds", kind: KindUnusable,
		wait: wait{at: openaiMessage, form: waitMessage}, source: "vanderschaarlab/climb#1: the cap of a day",
	},
	{
		id: "rate-in-message", status: []int{429}, at: openaiMessage, contains: "retry after ", kind: KindThrottle,
		wait: wait{at: openaiMessage, form: waitMessage}, source: "vanderschaarlab/climb#1",
	},
	{
		id: "wait-ms", status: []int{429}, at: []string{"header:X-Ms-Retry-After-Ms"}, kind: KindThrottle,
		wait: wait{at: []string{"header:X-Ms-Retry-After-Ms"}, form: waitMillis}, source: "openai/openai-dotnet#838",
	},
	{
		id: "reset-tokens", status: []int{429}, at: azureReset, kind: KindThrottle,
		and:  []where{{at: []string{"header:Retry-After", "header:Retry-After-Ms"}, nothing: true}},
		wait: wait{at: azureReset, form: waitSeconds}, source: "openai/openai-python#937: where there is no Retry-After",
	},
}

var azureReset = []string{"header:X-Rate-Limit-Reset-Tokens", "header:X-Ratelimit-Reset-Tokens"}
