package chaos

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Header is the header of answers that were made up; its value is the fault.
const Header = "X-Resgen-Injected"

// answer returns the header and the body of an Answer.
func (in *injection) answer() (http.Header, string) {
	f, preset := in.fault, in.at.Preset
	h := http.Header{"Content-Type": {"application/json"}, Header: {in.String()}}
	if f.RetryAfter > 0 && (preset != "gemini" || f.Status != http.StatusTooManyRequests) { // that is in the body there
		h.Set("Retry-After", strconv.FormatInt(int64(math.Ceil(f.RetryAfter.Seconds())), 10))
		if f.RetryAfter%time.Second != 0 {
			h.Set("Retry-After-Ms", strconv.FormatInt(f.RetryAfter.Milliseconds(), 10))
		}
	}
	if preset == "bedrock" {
		h.Set("X-Amzn-Errortype", bedrockNames[f.Status])
	}
	for name, values := range f.Header {
		h[http.CanonicalHeaderKey(name)] = append([]string(nil), values...)
	}
	if f.Body != "" {
		return h, f.Body
	}
	text, err := json.Marshal(in.payload(preset, fmt.Sprintf("injected by chaos plan %q: %s", in.plan, in)))
	if err != nil { // of strings and numbers alone
		return h, "{}"
	}
	return h, string(text)
}

// object is one of JSON.
type object = map[string]any

// payload returns an error as the provider writes it: after the shapes that its preset of errors reads.
func (in *injection) payload(preset, message string) object {
	f := in.fault
	switch preset {
	case "anthropic":
		return object{"type": "error", "error": object{"type": nameOf(anthropicNames, f.Status, "api_error"), "message": message}}
	case "gemini":
		fault := object{"code": f.Status, "message": message, "status": nameOf(googleNames, f.Status, "UNKNOWN")}
		if f.RetryAfter > 0 {
			const info = "type.googleapis.com/google.rpc.RetryInfo"
			fault["details"] = []object{{"@type": info, "retryDelay": strconv.FormatFloat(f.RetryAfter.Seconds(), 'f', -1, 64) + "s"}}
		}
		return object{"error": fault}
	case "bedrock", "cohere":
		return object{"message": message}
	case "mistral":
		return object{"object": "error", "message": message, "type": nameOf(openaiTypes, f.Status, "server_error"), "param": nil, "code": nil}
	case "openrouter":
		return object{"error": object{"code": f.Status, "message": message}}
	case "qdrant":
		return object{"status": object{"error": message}, "time": 0}
	case "weaviate":
		return object{"error": []object{{"message": message}}}
	case "chroma":
		return object{"error": nameOf(chromaNames, f.Status, "InternalError"), "message": message}
	case "pinecone":
		return object{"status": f.Status, "error": object{"code": nameOf(googleNames, f.Status, "UNKNOWN"), "message": message}}
	default: // OpenAI, and all who write as it does
		var code any
		if name := openaiCodes[f.Status]; name != "" {
			code = name
		}
		return object{"error": object{
			"message": message, "type": nameOf(openaiTypes, f.Status, "server_error"), "param": nil, "code": code,
		}}
	}
}

// nameOf returns the name of a status; other is that of a status that has none.
func nameOf(names map[int]string, status int, other string) string {
	if name := names[status]; name != "" {
		return name
	}
	if status < http.StatusInternalServerError {
		return names[http.StatusBadRequest]
	}
	return other
}

// What the providers call their faults, by status.
var (
	openaiTypes = map[int]string{http.StatusBadRequest: "invalid_request_error", http.StatusTooManyRequests: "requests"}
	openaiCodes = map[int]string{http.StatusUnauthorized: "invalid_api_key", http.StatusTooManyRequests: "rate_limit_exceeded"}

	anthropicNames = map[int]string{
		http.StatusBadRequest: "invalid_request_error", http.StatusUnauthorized: "authentication_error", http.StatusForbidden: "permission_error",
		http.StatusNotFound: "not_found_error", http.StatusRequestEntityTooLarge: "request_too_large",
		http.StatusTooManyRequests: "rate_limit_error", http.StatusGatewayTimeout: "timeout_error", 529: "overloaded_error",
	}
	googleNames = map[int]string{
		http.StatusBadRequest: "INVALID_ARGUMENT", http.StatusUnauthorized: "UNAUTHENTICATED", http.StatusForbidden: "PERMISSION_DENIED",
		http.StatusNotFound: "NOT_FOUND", http.StatusTooManyRequests: "RESOURCE_EXHAUSTED", http.StatusInternalServerError: "INTERNAL",
		http.StatusServiceUnavailable: "UNAVAILABLE", http.StatusGatewayTimeout: "DEADLINE_EXCEEDED",
	}
	bedrockNames = map[int]string{
		http.StatusBadRequest: "ValidationException", http.StatusForbidden: "AccessDeniedException", http.StatusNotFound: "ResourceNotFoundException",
		http.StatusTooManyRequests: "ThrottlingException", http.StatusInternalServerError: "InternalServerException",
		http.StatusServiceUnavailable: "ServiceUnavailableException",
	}
	chromaNames = map[int]string{http.StatusBadRequest: "InvalidArgumentError", http.StatusNotFound: "NotFoundError", http.StatusTooManyRequests: "ChromaError"}
)
