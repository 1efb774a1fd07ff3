package emit_test

import (
	"encoding/json"
	"time"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

const (
	wirePath = "github.com/resgen-go/resgen/runtime/wire"
	jsonPath = "encoding/json"
)

func basic(name string) plan.GoType     { return plan.Basic{Name: name} }
func local(name string) plan.GoType     { return plan.Local{Name: name} }
func pointer(t plan.GoType) plan.GoType { return plan.Pointer{Elem: t} }
func slice(t plan.GoType) plan.GoType   { return plan.Slice{Elem: t} }
func wired(name string, args ...plan.GoType) plan.GoType {
	return plan.Qual{Path: wirePath, Name: name, Args: args}
}
func opt(t plan.GoType) plan.GoType { return wired("Opt", t) }

func decl(name string, doc ...string) plan.Decl { return plan.Decl{Name: name, Doc: doc} }

func required(name, key string, t plan.GoType, doc ...string) plan.Field {
	return plan.Field{Name: name, JSON: key, Type: t, Doc: doc}
}

func optional(name, key string, t plan.GoType, doc ...string) plan.Field {
	return plan.Field{Name: name, JSON: key, Type: t, OmitZero: true, Doc: doc}
}

// recommended are policies that several operations have in common.
func recommended(operation string) policy.Plan {
	return policy.Plan{
		Operation: operation,
		Timeout:   policy.Timeout{Total: 90 * time.Second, Attempt: 40 * time.Second, Connect: time.Second},
		Retry: policy.Retry{
			Attempts:      2,
			Backoff:       policy.Backoff{Base: 500 * time.Millisecond, Max: 8 * time.Second, Multiplier: 2},
			On:            []policy.Kind{policy.KindThrottle, policy.KindTransient, policy.KindTimeout, policy.KindConnect, policy.KindReset, policy.KindDecode},
			RetryAfterMax: time.Minute,
		},
		Budget: policy.BudgetConfig{Ratio: 0.1, MinPerSecond: 1},
		Breaker: policy.BreakerConfig{
			Mode: policy.BreakerOn, WindowCalls: 200, WindowAge: 10 * time.Second, MinCalls: 20, FailureRate: 0.5, Consecutive: 5,
			SlowRate: 0.8, OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 3, CloseAfter: 3,
		},
		Bulkhead: policy.BulkheadConfig{MaxConcurrent: 64, MaxQueue: 64, MaxWait: 50 * time.Millisecond},
	}
}

func anyKind() []policy.Kind {
	var kinds []policy.Kind
	for _, k := range policy.Kinds() {
		if k.Any() {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func recommendedWhy() []plan.Provenance {
	return []plan.Provenance{
		{Path: "timeout", Value: "generate", Layer: "operation"},
		{Path: "retry.attempts", Value: "2", Layer: "policy recommended"},
		{Path: "budget.ratio", Value: "0.1", Layer: "policy recommended"},
		{Path: "breaker.mode", Value: "on", Layer: "policy recommended"},
		{Path: "bulkhead.max-concurrent", Value: "64", Layer: "policy recommended"},
	}
}

// llm is a small API with one of everything that a method can be.
func llm() *plan.Package {
	return &plan.Package{
		Name:   "llm",
		Output: "llm",
		Source: "../../testdata/specs/llm/spec.yaml",
		Doc:    plan.Comment{"Package llm calls Example LLM, an API of language models."},
		Client: plan.Client{
			BaseURL: "https://llm.example.com/v1",
			Targets: []policy.Target{
				{Name: "primary"},
				{Name: "secondary", BaseURL: "https://llm-eu.example.com/v1", Internal: true, Budget: policy.BudgetConfig{Ratio: 0.2, MinPerSecond: 1}},
			},
			Schemes: []plan.Scheme{
				{Model: model.Scheme{Name: "bearerAuth", Kind: model.Bearer}, Option: "WithBearer"},
				{Model: model.Scheme{Name: "apiKey", Kind: model.APIKey, In: model.InHeader, Param: "api-key"}, Option: "WithAPIKey"},
				{Model: model.Scheme{Name: "basic", Kind: model.Basic}, Option: "WithBasicAuth"},
			},
			Wirings: []plan.Wiring{
				{
					Name: "keywordSearch", Option: "WithKeywordSearch", Field: "keywordSearch",
					Request: pointer(local("CreateChatCompletionRequest")), Result: pointer(local("ChatCompletion")),
				},
				{Name: "noFiles", Option: "WithNoFiles", Field: "noFiles", Value: slice(local("File"))},
				{Name: "forget", Option: "WithForget", Field: "forget", Request: pointer(local("DeleteFileRequest"))},
			},
			Examples:   []plan.Example{{Const: "apologyExample", JSON: `{"id":"sorry","choices":[]}`, Type: pointer(local("ChatCompletion"))}},
			Operations: llmOperations(),
		},
		Types: llmTypes(),
	}
}

func llmOperations() []plan.Operation {
	return []plan.Operation{
		chatOperation(), chatStreamOperation(), listFilesOperation(), deleteFileOperation(), getContentOperation(), createFileOperation(),
		createJobOperation(), pingOperation(),
	}
}

func chatOperation() plan.Operation {
	p := recommended("createChatCompletion")
	p.Idempotency = policy.Safe
	p.Fallback = policy.Fallback{Rungs: []policy.Rung{
		{Name: "eu", Sort: policy.RungTarget, Target: "secondary", When: anyKind(), Level: policy.Alternate},
		{Name: "small", Sort: policy.RungPatch, When: []policy.Kind{policy.KindThrottle, policy.KindTimeout}, Level: policy.Reduced},
		{Name: "sorry", Sort: policy.RungStatic, When: anyKind(), Level: policy.Canned},
		{Name: "keywords", Sort: policy.RungFunc, Func: "keywordSearch", When: anyKind(), Level: policy.Reduced, Reserve: 1500 * time.Millisecond},
	}}
	return plan.Operation{
		GoName: "CreateChatCompletion", Field: "createChatCompletion",
		Doc: plan.Comment{"CreateChatCompletion sends one chat request."},
		PolicyDoc: plan.Comment{
			`POST /chat/completions. Tried up to 2 times; falls back to "eu" (target secondary), "small" (patch), "sorry" (static) and`,
			`"keywords" (func).`,
		},
		Source: "llm.yaml: createChatCompletion.fallback, document.{retry,timeout}",
		Policy: p,
		Why:    recommendedWhy(),
		Request: plan.Request{
			Param: pointer(local("CreateChatCompletionRequest")), Method: "POST", Path: "/chat/completions",
			Body:   &plan.Body{Codec: plan.JSONCodec, MediaType: "application/json", Required: true, Type: pointer(local("CreateChatCompletionRequest"))},
			Accept: []string{"application/json"}, Security: [][]string{{"bearerAuth"}, {"apiKey", "basic"}, {}},
		},
		Response: plan.Response{
			Result: pointer(local("ChatCompletion")),
			Cases: []plan.ResponseCase{
				{Lo: 200, Hi: 200, Codec: plan.JSONCodec, MediaType: "application/json", Type: local("ChatCompletion")},
				{Lo: 429, Hi: 429, Failure: true, Codec: plan.NoCodec},
				{Lo: 400, Hi: 499, Failure: true, Codec: plan.JSONCodec, MediaType: "application/json", Type: local("ErrorModel")},
			},
		},
		Steps: []plan.Step{
			plan.PatchStep{Rung: 2, Name: "small", Var: "small", Assign: []plan.Assignment{
				{Path: []string{"Model"}, Types: []plan.GoType{basic("string")}, Value: plan.Literal{Type: basic("string"), JSON: `"small-fast"`}},
				{
					Path:  []string{"StreamOptions", "IncludeUsage"},
					Types: []plan.GoType{pointer(local("StreamOptions")), opt(basic("bool"))},
					Value: plan.Literal{Type: opt(basic("bool")), JSON: `true`},
				},
				{
					Path:  []string{"StreamOptions", "Level"},
					Types: []plan.GoType{pointer(local("StreamOptions")), opt(basic("int64"))},
					Value: plan.Literal{Type: opt(basic("int64")), Zero: true},
				},
			}},
			plan.StaticStep{Rung: 3, Name: "sorry", Example: "apologyExample"},
			plan.FuncStep{Rung: 4, Name: "keywords", Wiring: "keywordSearch"},
		},
	}
}

func chatStreamOperation() plan.Operation {
	p := recommended("createChatCompletion")
	p.Idempotency = policy.Safe
	p.Stream = policy.Stream{Format: policy.SSE, Done: "[DONE]", ErrorPointer: "/error"}
	p.Timeout.FirstItem = 15 * time.Second
	return plan.Operation{
		GoName: "CreateChatCompletionStream", Field: "createChatCompletionStream",
		Doc:       plan.Comment{"CreateChatCompletionStream sends one chat request and yields the answer as it comes."},
		PolicyDoc: plan.Comment{"POST /chat/completions. Tried up to 2 times before the first item."},
		Source:    "llm.yaml: createChatCompletion.stream, document.{retry,timeout}",
		Policy:    p,
		Why:       recommendedWhy(),
		Request: plan.Request{
			Param: pointer(local("CreateChatCompletionRequest")), Method: "POST", Path: "/chat/completions",
			Body: &plan.Body{
				Codec: plan.JSONCodec, MediaType: "application/json", Required: true, Type: pointer(local("CreateChatCompletionRequest")),
				Set: []plan.Assignment{{
					Path: []string{"Stream"}, Types: []plan.GoType{opt(basic("bool"))}, Value: plan.Literal{Type: opt(basic("bool")), JSON: "true"},
				}},
			},
			Accept: []string{"text/event-stream"},
		},
		Response: plan.Response{
			Stream: &plan.Stream{Item: local("ChatCompletion"), Policy: p.Stream},
			Cases: []plan.ResponseCase{
				{Lo: 200, Hi: 200, Codec: plan.JSONCodec, MediaType: "text/event-stream"},
				{Failure: true, Codec: plan.JSONCodec, MediaType: "application/json", Type: local("ErrorModel")},
			},
		},
	}
}

func listFilesOperation() plan.Operation {
	p := recommended("listFiles")
	p.Idempotency, p.Hedgeable = policy.Safe, true
	p.Fallback.Rungs = []policy.Rung{{Name: "none", Sort: policy.RungStatic, Func: "noFiles", When: anyKind(), Level: policy.Canned}}
	return plan.Operation{
		GoName: "ListFiles", Field: "listFiles", Policy: p,
		Request: plan.Request{
			Param: pointer(local("ListFilesRequest")), Optional: true, Method: "GET", Path: "/files?beta=true",
			Params: []plan.Param{
				{Field: "Limit", Name: "limit", In: "query", Style: "form", Explode: true},
				{Field: "Filter", Name: "filter", In: "query", Style: "deepObject", Explode: true, AllowReserved: true},
				{Field: "Trace", Name: "X-Trace", In: "header", Style: "simple"},
				{Field: "Session", Name: "session", In: "cookie", Style: "form"},
			},
			Accept: []string{"application/json"}, Security: [][]string{{"bearerAuth"}},
		},
		Response: plan.Response{
			Result: slice(local("File")),
			Cases:  []plan.ResponseCase{{Lo: 200, Hi: 299, Codec: plan.JSONCodec, MediaType: "application/json", Type: slice(local("File"))}},
		},
		Steps: []plan.Step{plan.StaticStep{Rung: 1, Name: "none", Wiring: "noFiles"}},
	}
}

func deleteFileOperation() plan.Operation {
	return plan.Operation{
		GoName: "DeleteFile", Field: "deleteFile",
		Policy: policy.Plan{
			Operation: "deleteFile", Idempotency: policy.Keyed, Timeout: policy.Timeout{Total: time.Minute, Attempt: time.Minute},
			Key: policy.Key{Header: "Idempotency-Key", Format: policy.KeySFString, TTL: 24 * time.Hour},
		},
		Request: plan.Request{
			Param: pointer(local("DeleteFileRequest")), Method: "DELETE", Path: "/files/{file_id}", BaseURL: "https://files.example.com",
			Params: []plan.Param{{Field: "FileID", Name: "file_id", In: "path", Style: "simple", Required: true}},
		},
		Response: plan.Response{Cases: []plan.ResponseCase{
			{Lo: 204, Hi: 204, Codec: plan.NoCodec},
			{Lo: 404, Hi: 404, Failure: true, Codec: plan.JSONCodec, Type: local("ErrorModel")},
			{Lo: 409, Hi: 409, Failure: true, Codec: plan.JSONCodec, Type: local("ErrorModel")},
		}},
	}
}

func getContentOperation() plan.Operation {
	return plan.Operation{
		GoName: "GetContent", Field: "getContent",
		Policy: policy.Plan{Operation: "getContent", Idempotency: policy.Safe},
		Request: plan.Request{
			Param: pointer(local("DeleteFileRequest")), Method: "GET", Path: "/files/{file_id}/content",
			Params: []plan.Param{{Field: "FileID", Name: "file_id", In: "path", Style: "simple", Required: true}},
		},
		Response: plan.Response{
			Download: true,
			Cases:    []plan.ResponseCase{{Lo: 200, Hi: 200, Codec: plan.BinaryCodec, MediaType: "application/octet-stream"}},
		},
	}
}

func createFileOperation() plan.Operation {
	return plan.Operation{
		GoName: "CreateFile", Field: "createFile",
		Policy: policy.Plan{Operation: "createFile"},
		Request: plan.Request{
			Param: pointer(local("CreateFileRequest")), Method: "POST", Path: "/files",
			Body: &plan.Body{
				Codec: plan.MultipartCodec, MediaType: "multipart/form-data", Required: true, Type: pointer(local("Upload")), Field: "Body",
				Encodings: []plan.Encoding{{Name: "meta", ContentType: "application/json"}, {Name: "labels", Style: "form", Explode: true}},
			},
		},
		Response: plan.Response{
			Result: basic("string"),
			Cases:  []plan.ResponseCase{{Lo: 200, Hi: 200, Codec: plan.TextCodec, MediaType: "text/plain"}},
		},
	}
}

func createJobOperation() plan.Operation {
	return plan.Operation{
		GoName: "CreateJob", Field: "createJob",
		Policy: policy.Plan{Operation: "createJob"},
		Request: plan.Request{
			Param: local("MessageContent"), Method: "POST", Path: "/jobs",
			Body: &plan.Body{Codec: plan.JSONCodec, MediaType: "application/vnd.job+json", Required: true, Type: local("MessageContent")},
		},
		Response: plan.Response{
			Result: local("CreateJobResponse"),
			Cases: []plan.ResponseCase{
				{Lo: 200, Hi: 200, Codec: plan.JSONCodec, Type: local("File"), Variant: "CreateJobOK"},
				{Lo: 202, Hi: 202, Codec: plan.JSONCodec, Type: slice(local("File")), Variant: "CreateJobAccepted"},
				{Lo: 204, Hi: 204, Codec: plan.NoCodec, Variant: "CreateJobNoContent"},
			},
		},
	}
}

func pingOperation() plan.Operation {
	p := policy.Plan{Operation: "ping", Idempotency: policy.Safe}
	p.Fallback.Rungs = []policy.Rung{{Name: "forget", Sort: policy.RungFunc, Func: "forget", When: []policy.Kind{policy.KindConnect}}}
	return plan.Operation{
		GoName: "Ping", Field: "ping", Policy: p,
		Request: plan.Request{
			Param: pointer(local("DeleteFileRequest")), Method: "HEAD", Path: "/ping",
		},
		Response: plan.Response{Cases: []plan.ResponseCase{{Lo: 200, Hi: 299, Codec: plan.NoCodec}}},
		Steps:    []plan.Step{plan.FuncStep{Rung: 1, Name: "forget", Wiring: "forget"}},
	}
}

func llmTypes() []plan.TypeDecl {
	return []plan.TypeDecl{
		&plan.StructDecl{Decl: decl("CreateChatCompletionRequest", "CreateChatCompletionRequest is a chat request."), Fields: []plan.Field{
			required("Model", "model", basic("string"), "Model is the model's name."),
			optional("Stream", "stream", opt(basic("bool"))),
			optional("StreamOptions", "stream_options", pointer(local("StreamOptions"))),
			required("Messages", "messages", slice(local("Message"))),
			optional("Created", "created", opt(plan.Qual{Path: "time", Name: "Time"})),
		}},
		&plan.StructDecl{Decl: decl("StreamOptions"), Fields: []plan.Field{
			optional("IncludeUsage", "include_usage", opt(basic("bool"))),
			optional("Level", "level", opt(basic("int64"))),
		}},
		&plan.StructDecl{Decl: decl("Message"), Fields: []plan.Field{
			required("Role", "role", local("Role")),
			required("Content", "content", wired("Null", local("MessageContent"))),
			optional("Next", "next", pointer(local("Message"))),
			optional("Weight", "weight", wired("OptNull", basic("float64"))),
		}},
		&plan.EnumDecl{Decl: decl("Role", "Role is who speaks."), Base: plan.Basic{Name: "string"}, Values: []plan.EnumValue{
			{Name: "RoleSystem", Literal: `"system"`, Doc: plan.Comment{"RoleSystem is the operator."}}, {Name: "RoleUser", Literal: `"user"`},
		}},
		&plan.EnumDecl{Decl: decl("Version"), Base: plan.Basic{Name: "int64"}, Const: true, Values: []plan.EnumValue{{Name: "Version1", Literal: "1"}}},
		&plan.EnumDecl{Decl: decl("Object"), Base: plan.Basic{Name: "string"}, Const: true, Values: []plan.EnumValue{{Name: "ObjectFile", Literal: `"file"`}}},
		&plan.UnionDecl{Decl: decl("MessageContent", "MessageContent is one of string, []ContentPart."), Variants: []plan.Variant{
			{Name: "String", Of: "MessageContentOfString", Type: basic("string"), Kinds: []string{"string"}},
			{Name: "ContentPartList", Of: "MessageContentOfContentPartList", Type: slice(local("ContentPart")), Kinds: []string{"array"}},
		}},
		&plan.UnionDecl{
			Decl: decl("ContentPart", "ContentPart is one of TextPart, ImagePart."), Discriminator: "type", TagMethod: "Type", IsStrict: true,
			Variants: []plan.Variant{
				{Name: "TextPart", Of: "ContentPartOfTextPart", Type: local("TextPart"), Tags: []string{"text", "plain"}},
				{Name: "ImagePart", Of: "ContentPartOfImagePart", Type: local("ImagePart"), Tags: []string{"image"}, Required: []string{"url"}},
			},
		},
		&plan.StructDecl{Decl: decl("TextPart"), Fields: []plan.Field{required("Type", "type", basic("string")), required("Text", "text", basic("string"))}},
		&plan.StructDecl{Decl: decl("ImagePart"), Fields: []plan.Field{
			required("Type", "type", basic("string")),
			{Name: "URL", JSON: `u"rl`, Exact: true, Type: basic("string")},
			{Name: "Alt", JSON: "a,lt", Exact: true, OmitZero: true, Type: opt(basic("string"))},
			{Name: "Dash", JSON: "-", Type: basic("string")},
		}},
		&plan.StructDecl{
			Decl: decl("ChatCompletion", "ChatCompletion is an answer."), Fields: []plan.Field{
				required("ID", "id", basic("string")), required("Choices", "choices", slice(local("Message"))),
				optional("Metadata", "metadata", local("Metadata")), optional("Raw", "raw", plan.Qual{Path: jsonPath, Name: "RawMessage"}),
			},
			Additional: plan.AdditionalField{Name: "Extra", Elem: plan.Qual{Path: jsonPath, Name: "RawMessage"}},
		},
		&plan.DefinedDecl{Decl: decl("Metadata"), Type: plan.MapOf{Elem: basic("string")}},
		&plan.DefinedDecl{Decl: decl("FileID", "FileID names a file."), Type: basic("string"), Alias: true},
		&plan.StructDecl{Decl: decl("ErrorModel", "ErrorModel is what failures carry."), Fields: []plan.Field{optional("Error", "error", opt(basic("string")))}},
		&plan.StructDecl{Decl: decl("File"), Fields: []plan.Field{required("ID", "id", local("FileID")), optional("Bytes", "bytes", opt(basic("int64")))}},
		&plan.StructDecl{Decl: decl("Upload"), Fields: []plan.Field{
			required("File", "file", wired("Content")), optional("Meta", "meta", local("Metadata")), optional("Labels", "labels", slice(basic("string"))),
		}},
		&plan.ResponseDecl{Decl: decl("CreateJobResponse", "CreateJobResponse is one of CreateJobOK, CreateJobAccepted, CreateJobNoContent."), Variants: []plan.ResponseVariant{
			{Name: "CreateJobOK", Type: local("File"), Doc: plan.Comment{"CreateJobOK is the answer 200."}},
			{Name: "CreateJobAccepted", Type: slice(local("File"))},
			{Name: "CreateJobNoContent"},
		}},
		&plan.StructDecl{IsRequest: true, Decl: decl("ListFilesRequest", "ListFilesRequest is what ListFiles takes."), Fields: []plan.Field{
			{Name: "Limit", Type: opt(basic("int64")), Doc: plan.Comment{"Limit is how many."}},
			{Name: "Filter", Type: local("Metadata")},
			{Name: "Trace", Type: opt(basic("string"))},
			{Name: "Session", Type: opt(basic("string"))},
		}},
		&plan.StructDecl{IsRequest: true, Decl: decl("DeleteFileRequest"), Fields: []plan.Field{{Name: "FileID", Type: local("FileID")}}},
		&plan.StructDecl{IsRequest: true, Decl: decl("CreateFileRequest"), Fields: []plan.Field{{Name: "Body", Type: pointer(local("Upload"))}}},
	}
}

func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}
