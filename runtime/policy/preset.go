package policy

import (
	"slices"
	"strconv"
)

// row is one line of a preset: the text at one of the places, or its beginning, means the kind.
type row struct {
	at     []string // JSON pointers (RFC 6901)
	equals string
	starts string // only where a provider has no code for it; each with its sample
	kind   Kind
}

// Where OpenAI writes an error: in the body of a response, in an error event of a stream, and in response.failed.
var (
	openaiCode    = []string{"/error/code", "/code", "/response/error/code"}
	openaiType    = []string{"/error/type"}
	openaiMessage = []string{"/error/message", "/message"}
)

// presets holds the body rules of each preset; what none of them matches is decided by the status. "generic" has none: a body of an
// unknown provider proves nothing.
//
// OpenAI: the guide "Error codes" (platform.openai.com/docs/guides/error-codes) for statuses and quota; codes as observed in
// BerriAI/litellm#12680 (context), #4365 (policy), maximhq/bifrost#5395 (quota as an event of a stream);
// vanderschaarlab/climb#1 for the message "Request too large for ... Limit 30000, Requested 30601", a 429 that no wait can help.
var presets = map[string][]row{
	"generic": nil,
	"openai": {
		{at: openaiMessage, starts: "Request too large for ", kind: KindContextTooLong},
		{at: openaiCode, equals: "context_length_exceeded", kind: KindContextTooLong},
		{at: openaiCode, equals: "content_policy_violation", kind: KindRefused},
		{at: openaiCode, equals: "content_filter", kind: KindRefused},
		{at: openaiCode, equals: "insufficient_quota", kind: KindUnusable},
		{at: openaiType, equals: "insufficient_quota", kind: KindUnusable},
		{at: openaiCode, equals: "credit_balance_exhausted", kind: KindUnusable},
		{at: openaiCode, equals: "organization_spend_limit_exceeded", kind: KindUnusable},
		{at: openaiCode, equals: "project_spend_limit_exceeded", kind: KindUnusable},
		{at: openaiCode, equals: "organization_usage_limit_exceeded", kind: KindUnusable},
		{at: openaiCode, equals: "invalid_api_key", kind: KindUnusable},
		{at: openaiCode, equals: "model_not_found", kind: KindUnusable},
		{at: openaiCode, equals: "rate_limit_exceeded", kind: KindThrottle},
		{at: openaiCode, equals: "slow_down", kind: KindThrottle},
		{at: openaiCode, equals: "server_is_overloaded", kind: KindTransient},
		{at: openaiType, equals: "service_unavailable_error", kind: KindTransient},
	},
}

// HasPreset reports whether there is a preset of that name. The empty name is "generic".
func HasPreset(name string) bool {
	_, ok := presets[name]
	return ok || name == ""
}

// Match returns the kind that the rules, and after them the preset's, give to a failure, and whether one does; where none does, the
// status decides. status is 0 for an error inside a response that had begun well: then rules that name a status match by their
// pointer alone. value returns the text at a JSON pointer into the body, and whether there is any but null.
func (e Errors) Match(status int, value func(pointer string) (string, bool)) (Kind, bool) {
	for _, r := range e.Rules {
		if r.matches(status, value) {
			return r.Kind, true
		}
	}
	for _, r := range presets[e.Preset] {
		for _, at := range r.at {
			text, ok := value(at)
			if ok && (r.starts == "" && text == r.equals || r.starts != "" && len(text) >= len(r.starts) && text[:len(r.starts)] == r.starts) {
				return r.kind, true
			}
		}
	}
	return KindNone, false
}

// Doubts reports whether a rule names the status, which is one of success: then MatchSuccess is to be asked about its body.
func (e Errors) Doubts(status int) bool {
	return slices.ContainsFunc(e.Rules, func(r ErrorRule) bool { return r.Status == status && r.ofSuccess() })
}

// MatchSuccess returns the kind that a rule gives to the body of a successful response, and whether one does. Only rules that name its
// status are asked: a body of success is no failure because an error would look like it.
func (e Errors) MatchSuccess(status int, value func(pointer string) (string, bool)) (Kind, bool) {
	for _, r := range e.Rules {
		if r.Status == status && r.ofSuccess() && r.matches(status, value) {
			return r.Kind, true
		}
	}
	return KindNone, false
}

// ofSuccess reports whether the rule is about bodies of successful responses.
func (r ErrorRule) ofSuccess() bool {
	return r.Pointer != "" && r.Status >= statusOK && r.Status < statusOK+100
}

// matches reports whether the rule fits.
func (r ErrorRule) matches(status int, value func(pointer string) (string, bool)) bool {
	if r.Status != 0 && r.Status != status && (status != 0 || r.Pointer == "") {
		return false
	}
	if r.Pointer == "" {
		return r.Status != 0 || r.Equals == ""
	}
	text, ok := value(r.Pointer)
	return ok && (r.Equals == "" || r.Equals == text)
}

// inBand says what the usual types of errors mean that come inside a response which had begun well, where no rule knows them.
var inBand = map[string]Kind{
	"overloaded_error": KindTransient, "overloaded": KindTransient, "server_error": KindTransient, "api_error": KindTransient,
	"internal_error": KindTransient, "internal_server_error": KindTransient, "service_unavailable_error": KindTransient,
	"rate_limit_error": KindThrottle, "rate_limit_exceeded": KindThrottle,
	"authentication_error": KindUnusable, "permission_error": KindUnusable, "billing_error": KindUnusable,
	"invalid_request_error": KindCaller,
}

// ClassifyInBand returns what an error means that came inside a response which had begun well, where no rule knows it: by a status
// code among its fields, or by its type. Without either it is permanent: no status is invented for it.
func ClassifyInBand(value func(pointer string) (string, bool)) Kind {
	for _, at := range []string{"/error/code", "/error/status", "/code", "/status"} {
		text, ok := value(at)
		if !ok {
			continue
		}
		if status, err := strconv.Atoi(text); err == nil && status >= statusBadRequest {
			return ClassifyStatus(status, None, 1)
		}
		if k, known := inBand[text]; known {
			return k
		}
	}
	for _, at := range []string{"/error/type", "/type"} {
		if text, ok := value(at); ok {
			if k, known := inBand[text]; known {
				return k
			}
		}
	}
	return KindPermanent
}
