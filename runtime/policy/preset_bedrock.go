package policy

// Where Bedrock writes the exception: in the header, with what follows a colon; in the body, with what precedes a number sign; and as the
// frame of an event stream, for what is in its exception.
var (
	bedrockType    = []string{"header:X-Amzn-Errortype", "/__type", "/code"}
	bedrockMessage = []string{"/message", "/Message", "/validationException/message"}
)

const (
	bedrockErrors = "docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html"
	bedrockStream = "docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html"
)

var bedrockFailures = []row{
	{
		id: "too-long", at: bedrockMessage, contains: "input is too long", kind: KindContextTooLong,
		source: "aws-samples/bedrock-chat#95, aws-samples/assessment-generator#2",
	},
	{
		id: "prompt-too-long", at: bedrockMessage, contains: "prompt is too long", kind: KindContextTooLong,
		source: "BrokkAi/brokk-app#540: as the model says it", unsure: true,
	},
	{
		id: "profile", at: bedrockMessage, contains: "on-demand throughput isn't supported", kind: KindUnusable,
		source: "docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html: the model that the own configuration names",
	},
	{
		id: "quota", at: bedrockType, contains: "ServiceQuotaExceededException", kind: KindUnusable, source: bedrockErrors,
	},
	{
		id: "agreement", at: bedrockType, contains: "MPAgreementBeingCreated", kind: KindTransient,
		wait: wait{at: bedrockMessage, form: waitMessage}, source: bedrockErrors,
	},
	{
		id: "not-found", at: bedrockType, contains: "ResourceNotFoundException", and: []where{{at: bedrockMessage, contains: "model"}},
		kind: KindUnusable, source: bedrockErrors + ": the model; a job or a session is named by the caller",
	},
	{
		id: "form", at: bedrockType, contains: "FTUFormNotFilled", kind: KindUnusable, source: bedrockErrors,
	},
	{
		id: "timeout", at: bedrockType, contains: "ModelTimeoutException", kind: KindTimeout, source: bedrockErrors,
	},
	{
		id: "model-error", at: bedrockType, contains: "ModelErrorException", kind: KindTransient, source: bedrockErrors,
	},
	{
		id: "cold", at: bedrockType, contains: "ModelNotReadyException", kind: KindTransient, source: bedrockErrors,
	},
	{
		id: "throttling", at: []string{"/throttlingException"}, kind: KindThrottle, source: bedrockStream,
	},
	{
		id:   "in-stream",
		at:   []string{"/modelStreamErrorException", "/internalServerException", "/serviceUnavailableException"},
		kind: KindTransient, source: bedrockStream + ", BerriAI/litellm#38606",
	},
	{
		id: "in-stream-caller", at: []string{"/validationException"}, kind: KindCaller, source: bedrockStream,
	},
}
