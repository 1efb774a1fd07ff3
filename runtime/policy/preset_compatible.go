package policy

// Where servers of models write an error: as OpenAI does, flat, or as one text.
var (
	compatibleMessage = []string{"/error/message", "/message", "/error"}
	compatibleType    = []string{"/error/type", "/type"}
)

// compatibleFailures are what vLLM, sglang, llama.cpp and Ollama say otherwise than OpenAI, whose rows follow.
var compatibleFailures = []row{
	{
		id: "llama-window", at: compatibleType, equals: []string{"exceed_context_size_error"}, kind: KindContextTooLong,
		source: "ggml-org/llama.cpp, the server",
	},
	{
		id: "vllm-window", at: compatibleMessage, contains: "longer than the maximum model length", kind: KindContextTooLong,
		source: "Gabesarch/grounded-rl#16",
	},
	{
		id: "sglang-window", at: compatibleMessage, contains: "longer than the model's context length", kind: KindContextTooLong,
		source: "QwenLM/Qwen3#1321, sgl-project/sglang#8096, BerriAI/litellm#10793",
	},
	{
		id: "sglang-length", at: compatibleMessage, contains: "exceeds the maximum allowed length", kind: KindContextTooLong,
		source: "sgl-project/sglang#4048",
	},
	{
		id: "ollama-window", at: compatibleMessage, contains: "exceeded max context length", kind: KindContextTooLong,
		source: "ollama/ollama, the server",
	},
	{
		id: "ollama-model", at: compatibleMessage, starts: "model ", and: []where{{at: compatibleMessage, contains: "not found"}},
		kind: KindUnusable, source: "ollama/ollama#718, netease-youdao/QAnything#555",
	},
	{
		id: "vllm-model", at: compatibleType, equals: []string{"NotFoundError"}, and: []where{{at: compatibleMessage, starts: "The model "}},
		kind: KindUnusable, source: "vllm-project/vllm, the server", unsure: true,
	},
	{
		id: "ollama-busy", at: compatibleMessage, contains: "maximum pending requests exceeded", kind: KindTransient,
		source: "ollama/ollama#4144, #4159",
	},
}

// compatibleAnswers are what these servers say in a success otherwise than OpenAI, whose rows follow.
var compatibleAnswers = []row{
	{
		id: "error-text", at: []string{"/error"}, something: true, kind: KindTransient,
		source: "ollama/ollama, the server: an error is one text",
	},
}
