package payload

// ChatCompletion is the answer of a chat.
type ChatCompletion struct {
	ID                string   `json:"id"`
	Object            string   `json:"object"`
	Created           int64    `json:"created"`
	Model             string   `json:"model"`
	Choices           []Choice `json:"choices"`
	Usage             *Usage   `json:"usage,omitempty"`
	ServiceTier       string   `json:"service_tier,omitempty"`
	SystemFingerprint string   `json:"system_fingerprint,omitempty"`
}

// Choice is one of the answers.
type Choice struct {
	Index        int64  `json:"index"`
	Message      Answer `json:"message"`
	FinishReason string `json:"finish_reason"`
}

// Answer is what the model says.
type Answer struct {
	Role      string     `json:"role"`
	Content   *string    `json:"content"`
	Refusal   *string    `json:"refusal"`
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
}

// ToolCall asks for the call of a function.
type ToolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function Function `json:"function"`
}

// Function is what to call.
type Function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Usage is what is paid for.
type Usage struct {
	PromptTokens            int64              `json:"prompt_tokens"`
	CompletionTokens        int64              `json:"completion_tokens"`
	TotalTokens             int64              `json:"total_tokens"`
	PromptTokensDetails     *PromptDetails     `json:"prompt_tokens_details,omitempty"`
	CompletionTokensDetails *CompletionDetails `json:"completion_tokens_details,omitempty"`
}

// PromptDetails says what of the prompt is paid otherwise.
type PromptDetails struct {
	CachedTokens int64 `json:"cached_tokens"`
	AudioTokens  int64 `json:"audio_tokens"`
}

// CompletionDetails says what of the answer is paid otherwise.
type CompletionDetails struct {
	ReasoningTokens          int64 `json:"reasoning_tokens"`
	AudioTokens              int64 `json:"audio_tokens"`
	AcceptedPredictionTokens int64 `json:"accepted_prediction_tokens"`
	RejectedPredictionTokens int64 `json:"rejected_prediction_tokens"`
}

// Embeddings32 are vectors of 32 bits for each value.
type Embeddings32 = EmbeddingList[float32]

// Embeddings64 are vectors of 64 bits for each value.
type Embeddings64 = EmbeddingList[float64]

// EmbeddingList is the answer to a request for vectors.
type EmbeddingList[F float32 | float64] struct {
	Object string         `json:"object"`
	Data   []Embedding[F] `json:"data"`
	Model  string         `json:"model"`
	Usage  *Usage         `json:"usage,omitempty"`
}

// Embedding is a vector.
type Embedding[F float32 | float64] struct {
	Object    string `json:"object"`
	Index     int64  `json:"index"`
	Embedding []F    `json:"embedding"`
}

// QueryResponse is what a vector store found.
type QueryResponse struct {
	Result QueryResult `json:"result"`
	Status string      `json:"status"`
	Time   float64     `json:"time"`
}

// QueryResult holds the points.
type QueryResult struct {
	Points []Hit `json:"points"`
}

// Hit is a point that was found.
type Hit struct {
	ID      int64     `json:"id"`
	Version int64     `json:"version"`
	Score   float64   `json:"score"`
	Payload Payload   `json:"payload"`
	Vector  []float32 `json:"vector,omitempty"`
}

// Payload is what is stored beside a vector.
type Payload struct {
	Title     string `json:"title"`
	URL       string `json:"url"`
	Chunk     int64  `json:"chunk"`
	Lang      string `json:"lang"`
	Published bool   `json:"published"`
	Text      string `json:"text"`
}

// ChatRequest asks for a completion.
type ChatRequest struct {
	Model       string    `json:"model"`
	Messages    []Message `json:"messages"`
	Temperature *float64  `json:"temperature,omitempty"`
	MaxTokens   *int64    `json:"max_completion_tokens,omitempty"`
	User        string    `json:"user,omitempty"`
}

// Message is a turn of the conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Name    string `json:"name,omitempty"`
}

// Upsert stores points.
type Upsert struct {
	Points []Point `json:"points"`
}

// Point is a vector and what is stored with it.
type Point struct {
	ID      int64     `json:"id"`
	Vector  []float32 `json:"vector"`
	Payload Payload   `json:"payload"`
}

// ChatChunk is an item of a streamed completion.
type ChatChunk struct {
	ID                string        `json:"id"`
	Object            string        `json:"object"`
	Created           int64         `json:"created"`
	Model             string        `json:"model"`
	ServiceTier       string        `json:"service_tier,omitempty"`
	SystemFingerprint string        `json:"system_fingerprint,omitempty"`
	Choices           []ChunkChoice `json:"choices"`
	Usage             *Usage        `json:"usage,omitempty"`
}

// ChunkChoice is a piece of one of the answers.
type ChunkChoice struct {
	Index        int64   `json:"index"`
	Delta        Delta   `json:"delta"`
	FinishReason *string `json:"finish_reason"`
}

// Delta is what the piece adds.
type Delta struct {
	Role      string     `json:"role,omitempty"`
	Content   *string    `json:"content,omitempty"`
	Refusal   *string    `json:"refusal,omitempty"`
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
}
