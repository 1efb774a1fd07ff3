package policy

const messagesReference = "docs.claude.com/en/api/handling-stop-reasons"

var (
	anthropicStop = []string{"/stop_reason"}
	isMessage     = where{at: []string{"/type"}, equals: []string{"message"}}
	// notStopped says that no stop sequence of the caller ended the answer: one may come first, and then nothing is all that there is to say.
	notStopped = where{at: []string{"/stop_sequence"}, nothing: true}
)

// anthropicAnswers are of the Messages API.
var anthropicAnswers = []row{
	{
		id: "answer-error", at: []string{"/type"}, equals: []string{"error"}, kind: KindTransient, source: anthropicErrors,
	},
	{
		id: "refusal", at: anthropicStop, equals: []string{"refusal"}, and: []where{isMessage}, kind: KindRefused, source: messagesReference,
	},
	{
		id: "cut", at: anthropicStop, equals: []string{"max_tokens", "model_context_window_exceeded"}, and: []where{isMessage},
		source: messagesReference,
	},
	{
		id: "empty", at: []string{"/content"}, and: []where{isMessage, notStopped, {at: []string{"/content/*"}, nothing: true}},
		kind: KindDecode, once: true, source: messagesReference,
	},
	{
		id: "empty-text", at: []string{"/content/*/type"}, equals: []string{"text"}, every: true,
		and:  []where{isMessage, notStopped, {at: []string{"/content/*/text"}, nothing: true}},
		kind: KindDecode, once: true, source: messagesReference,
	},
	{
		id: "calls", at: anthropicStop, equals: []string{"tool_use", "pause_turn"}, and: []where{isMessage}, fleeting: true,
		source: messagesReference,
	},
}

const geminiReference = "ai.google.dev/api/generate-content"

var geminiFinish = []string{"/candidates/*/finishReason"}

// geminiAnswers are of generateContent, of the Gemini API and of Vertex AI.
var geminiAnswers = []row{
	{
		id: "blocked", at: []string{"/promptFeedback/blockReason"}, something: true, kind: KindRefused, source: geminiReference,
	},
	{
		id: "filtered", at: geminiFinish, kind: KindRefused, source: geminiReference,
		equals: []string{
			"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION",
		},
	},
	{
		id: "failed", at: geminiFinish, kind: KindTransient, source: geminiReference,
		equals: []string{
			"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE",
			"OTHER", "NO_IMAGE", "IMAGE_OTHER",
		},
	},
	{
		id: "cut", at: geminiFinish, equals: []string{"MAX_TOKENS"}, source: geminiReference,
	},
	{
		id: "empty", at: []string{"/candidates", "/usageMetadata", "/modelVersion"}, kind: KindDecode, once: true, source: geminiReference,
		and: []where{{
			at:      []string{"/candidates/*/content/parts/*/*", "/embedding", "/embeddings", "/predictions", "/totalTokens"},
			nothing: true,
		}, {at: []string{"/name"}, nothing: true}}, // what is stored (cachedContents) tells of its usage too
	},
	{
		id: "calls", at: []string{"/candidates/*/content/parts/*/functionCall"}, fleeting: true, source: geminiReference,
	},
}

const converseReference = "docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html"

var converseStop = []string{"/stopReason"}

// bedrockAnswers are of Converse.
var bedrockAnswers = []row{
	{
		id: "filtered", at: converseStop, equals: []string{"guardrail_intervened", "content_filtered"}, kind: KindRefused,
		source: converseReference,
	},
	{
		id: "malformed", at: converseStop, equals: []string{"malformed_model_output", "malformed_tool_use"}, kind: KindTransient,
		source: converseReference,
	},
	{
		id: "cut", at: converseStop, equals: []string{"max_tokens", "model_context_window_exceeded"}, source: converseReference,
	},
	{
		id: "empty", at: converseStop, equals: []string{"end_turn", "tool_use"},
		and: []where{{at: []string{"/output/message/content/*/*"}, nothing: true}}, kind: KindDecode, once: true,
		source: converseReference,
	},
	{
		id: "calls", at: converseStop, equals: []string{"tool_use"}, fleeting: true, source: converseReference,
	},
}

var cohereFinish = []string{"/finish_reason"}

// cohereAnswers are of both versions of the chat.
var cohereAnswers = []row{
	{
		id: "toxic", at: cohereFinish, equals: []string{"ERROR_TOXIC"}, kind: KindRefused, source: "docs.cohere.com/v1/reference/chat",
	},
	{
		id: "failed", at: cohereFinish, equals: []string{"ERROR", "ERROR_LIMIT", "TIMEOUT", "USER_CANCEL"}, kind: KindTransient,
		source: "docs.cohere.com/reference/chat",
	},
	{
		id: "cut", at: cohereFinish, equals: []string{"MAX_TOKENS"}, source: "docs.cohere.com/reference/chat",
	},
	{
		id: "no-answer", at: cohereFinish, equals: []string{"COMPLETE", "TOOL_CALL"}, kind: KindDecode, once: true,
		source: "docs.cohere.com/reference/chat",
		and: []where{{
			at: []string{
				"/message/content/*/text", "/message/content/*/thinking", "/message/tool_calls", "/message/tool_plan", "/text", "/tool_calls",
				"/search_queries",
			},
			nothing: true,
		}},
	},
	{
		id: "calls", at: []string{"/message/tool_calls/*", "/tool_calls/*"}, fleeting: true, source: "docs.cohere.com/reference/chat",
	},
}

// weaviateAnswers are of GraphQL: errors beside a result are a failure in part.
var weaviateAnswers = []row{
	{
		id: "graphql", at: []string{"/errors/*/message"}, and: []where{{at: []string{"/data/*/*"}, nothing: true}}, kind: KindPermanent,
		source: "spec.graphql.org/October2021/#sec-Response-Format, weaviate/weaviate-python-client#162",
	},
}
