package sdkerror_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/internal/sdkerror"
	"github.com/resgen-go/resgen/runtime/policy"
)

// response is one with a header.
func response(status int, fields ...string) *http.Response {
	r := &http.Response{StatusCode: status, Header: http.Header{}}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	return r
}

// read is what a test wants of an Answer.
type read struct {
	Status     int
	StandIn    bool
	Header     map[string]string
	Body       string
	Otherwise  policy.Kind
	Wait       time.Duration
	Unanswered bool
	Unsent     bool
}

func TestShapes(t *testing.T) {
	t.Parallel()
	param := "model"
	for name, c := range map[string]struct {
		err  error
		want read
	}{
		"openai-go": {
			&openAIError{StatusCode: 429, Code: "c", Param: "p", raw: `{"code":"insufficient_quota"}`, Response: response(429, "Retry-After", "30")},
			read{429, false, map[string]string{"Retry-After": "30"}, `{"error":{"code":"insufficient_quota"},"code":"insufficient_quota"}`, 0, 0, false, false},
		},
		"openai-go, a body that is in the provider's form": {
			&openAIError{StatusCode: 500, raw: `{"error":{"code":"x"}}`}, read{Status: 500, Body: `{"error":{"code":"x"}}`},
		},
		"openai-go, no body": {&openAIError{StatusCode: 502}, read{Status: 502}},
		"openai-go, in a stream": {
			func() error {
				e := new(streamError)
				e.Event.Data = []byte(`{"error":{"code":"rate_limit_exceeded"}}`)
				return e
			}(), read{Body: `{"error":{"code":"rate_limit_exceeded"}}`},
		},
		"anthropic-sdk-go": {
			fmt.Errorf("call: %w", &anthropicError{StatusCode: 529, raw: `{"type":"error","error":{"type":"overloaded_error"}}`, Response: response(529)}),
			read{Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error"}}`},
		},
		"anthropic-sdk-go, in a stream": {
			&anthropicError{StatusCode: 200, raw: `{"type":"error","error":{"type":"overloaded_error"}}`, Response: response(200)},
			read{Body: `{"type":"error","error":{"type":"overloaded_error"}}`},
		},
		"go-openai": {
			&goOpenAIError{Code: "model_not_found", Message: "m", Param: &param, Type: "invalid_request_error", HTTPStatus: "404 Not Found", HTTPStatusCode: 404},
			read{Status: 404, Body: same(`"code":"model_not_found","message":"m","param":"model","type":"invalid_request_error"`)},
		},
		"go-openai, a code that is a number, and Azure's own": {
			&goOpenAIError{Code: 7, HTTPStatusCode: 400, InnerError: &struct{ Code string }{"ContentFiltered"}},
			read{Status: 400, Body: same(`"code":7,"innererror":{"code":"ContentFiltered"}`)},
		},
		"go-openai, in a stream": {
			&goOpenAIError{Code: "x", Message: "m", Type: "server_error"}, read{Body: same(`"code":"x","message":"m","type":"server_error"`)},
		},
		"go-openai, a body that is none": {
			&requestError{HTTPStatusCode: 503, Body: []byte("<html>"), Err: errPlain}, read{Status: 503, Body: "<html>"},
		},
		"genai": {
			gemini{Code: 429, Message: "m", Status: "RESOURCE_EXHAUSTED", Details: []map[string]any{{"retryDelay": "46s"}}},
			read{Status: 429, Body: same(`"code":429,"details":[{"retryDelay":"46s"}],"message":"m","status":"RESOURCE_EXHAUSTED"`)},
		},
		"aws-sdk-go-v2": {
			&awsResponseError{responseError: &responseError{
				Response: &smithyResponse{response(429, "X-Amzn-Requestid", "r")}, Err: &smithyError{code: "ThrottlingException", message: "slow"},
			}},
			read{429, false, map[string]string{"X-Amzn-Errortype": "ThrottlingException", "X-Amzn-Requestid": "r"}, same(`"__type":"ThrottlingException","message":"slow"`), policy.KindThrottle, 0, false, false},
		},
		"aws-sdk-go-v2, in a stream, by the client's fault": {
			&smithyError{code: "NewException", fault: 2},
			read{Header: map[string]string{"X-Amzn-Errortype": "NewException"}, Body: same(`"__type":"NewException"`), Otherwise: policy.KindCaller},
		},
		"aws-sdk-go-v2, in a stream, by the service's fault": {
			&smithyError{code: "NewException", fault: 1},
			read{Header: map[string]string{"X-Amzn-Errortype": "NewException"}, Body: same(`"__type":"NewException"`), Otherwise: policy.KindTransient},
		},
		"aws-sdk-go": {
			&awsError{"ProvisionedThroughputExceededException", 400},
			read{Status: 400, Header: map[string]string{"X-Amzn-Errortype": "ProvisionedThroughputExceededException"}, Body: same(`"__type":"ProvisionedThroughputExceededException","message":"slow down"`), Otherwise: policy.KindThrottle},
		},
		"azure":  {&azure{"DeploymentNotFound", 404, response(404, "Retry-After-Ms", "5")}, read{Status: 404, Header: map[string]string{"Retry-After-Ms": "5"}, Body: same(`"code":"DeploymentNotFound"`)}},
		"google": {&google{429, "m", `{"error":{"code":429}}`, http.Header{"Retry-After": {"3"}}}, read{Status: 429, Header: map[string]string{"Retry-After": "3"}, Body: `{"error":{"code":429}}`}},
		"weaviate": {
			&weaviate{StatusCode: 422, Msg: `{"error":[{"message":"m"}]}`}, read{Status: 422, Body: `{"error":[{"message":"m"}]}`},
		},
		"weaviate, text": {&weaviate{StatusCode: 500, Msg: "broken"}, read{Status: 500}},
		"pinecone": {
			&pinecone{403, errors.New(`{"status_code":403,"body":"{\"error\":{\"code\":\"FORBIDDEN\"}}"}`)}, read{Status: 403, Body: `{"error":{"code":"FORBIDDEN"}}`},
		},
		"cohere":          {&cohere{&cohereError{nil, 429}, map[string]any{"message": "trial key"}}, read{Status: 429, Body: `{"message":"trial key"}`}},
		"cohere, no body": {&cohereError{errPlain, 418}, read{Status: 418}},
		"qdrant":          {fmt.Errorf("Query() failed: %w", &qdrant{"limit", 7}), read{Status: 429, StandIn: true, Wait: 7 * time.Second}},
		"only a wait":     {later{2 * time.Second}, read{Status: 429, StandIn: true, Wait: 2 * time.Second}},
		"connect-go": {
			&connect{http.Header{"Retry-After": {"9"}}},
			read{429, true, map[string]string{"Retry-After": "9"}, `{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED"}}`, policy.KindThrottle, 0, false, false},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, got(t, c.err)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// same is a body that was made of fields: what is inside "error", and beside it too.
func same(members string) string { return `{"error":{` + members + `},` + members + `}` }

// got reads an error that is of a known shape.
func got(t *testing.T, err error) read {
	t.Helper()
	a, ok := sdkerror.Read(err)
	if !ok {
		t.Fatalf("%T is not read", err)
	}
	if a.Waits != (a.Wait > 0) {
		t.Errorf("waits: %v, and %v", a.Waits, a.Wait)
	}
	r := read{a.Status, a.StandIn, nil, string(a.Body), a.Otherwise, a.Wait, a.Unanswered, a.Unsent}
	for name := range a.Header {
		if r.Header == nil {
			r.Header = map[string]string{}
		}
		r.Header[name] = a.Header.Get(name)
	}
	return r
}

func TestCodesOfGRPC(t *testing.T) {
	t.Parallel()
	for c, want := range map[code]read{
		1:  {Status: 499, Otherwise: policy.KindTransient, Unanswered: true},
		2:  {Status: 500, Otherwise: policy.KindPermanent},
		3:  {Status: 400, Otherwise: policy.KindCaller},
		4:  {Status: 504, Otherwise: policy.KindTimeout, Unanswered: true},
		5:  {Status: 404, Otherwise: policy.KindCaller},
		6:  {Status: 409, Otherwise: policy.KindCaller},
		7:  {Status: 403, Otherwise: policy.KindUnusable},
		8:  {Status: 429, Otherwise: policy.KindThrottle},
		9:  {Status: 400, Otherwise: policy.KindCaller},
		10: {Status: 409, Otherwise: policy.KindTransient},
		11: {Status: 400, Otherwise: policy.KindCaller},
		12: {Status: 501, Otherwise: policy.KindPermanent},
		13: {Status: 500, Otherwise: policy.KindTransient},
		14: {Status: 503, Otherwise: policy.KindTransient},
		15: {Status: 500, Otherwise: policy.KindPermanent},
		16: {Status: 401, Otherwise: policy.KindUnusable},
		99: {Status: 500, Otherwise: policy.KindPermanent},
	} {
		r := got(t, fmt.Errorf("call: %w", rpc(c, "m")))
		if !strings.Contains(r.Body, `"message":"m"`) {
			t.Errorf("code %d: body %s", c, r.Body)
		}
		want.StandIn, r.Body = true, ""
		if diff := cmp.Diff(want, r); diff != "" {
			t.Errorf("code %d: %s", c, diff)
		}
	}
	if _, ok := sdkerror.Read(rpc(0, "")); ok {
		t.Error("OK is no failure")
	}
}

// What grpc-go says itself it says by the codes that servers use.
func TestWhatGRPCGoSaysItself(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]read{
		`connection error: desc = "transport: Error while dialing: dial tcp: connection refused"`: {Otherwise: policy.KindConnect, Unsent: true},
		"no healthy upstream": {Otherwise: policy.KindTransient},
	} {
		r := got(t, rpc(14, message))
		if r.Otherwise != want.Otherwise || r.Unsent != want.Unsent {
			t.Errorf("%s: %+v", message, r)
		}
	}
	for message, want := range map[string]policy.Kind{
		"grpc: received message larger than max (9 vs. 4)":                     policy.KindPermanent,
		"grpc: received message after decompression larger than max (9 vs. 4)": policy.KindPermanent,
		"trying to send message larger than max (9 vs. 4)":                     policy.KindCaller,
		"quota": policy.KindThrottle,
	} {
		if r := got(t, rpc(8, message)); r.Otherwise != want || want != policy.KindThrottle && r.Status == 429 {
			t.Errorf("%s: %+v", message, r)
		}
	}
}

func TestDetailsOfGRPC(t *testing.T) {
	t.Parallel()
	// RetryInfo{retry_delay: {seconds: 46, nanos: 5}}; ErrorInfo{reason: "R", domain: "d"}; QuotaFailure{violations: {quota_id: "PerDay"}}
	r := got(t, detailed(8, detail("RetryInfo", 10, 4, 8, 46, 16, 5), detail("ErrorInfo", 10, 1, 'R', 18, 1, 'd'),
		detail("QuotaFailure", append([]byte{10, 8, 42, 6}, "PerDay"...)...), detail("DebugInfo", 1, 2, 3)))
	want := read{
		Status: 429, StandIn: true, Otherwise: policy.KindThrottle, Wait: 46*time.Second + 5,
		Body: `{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"46.000000005s"},` +
			`{"@type":"type.googleapis.com/google.rpc.ErrorInfo","domain":"d","reason":"R"},` +
			`{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"PerDay"}]}],"status":"RESOURCE_EXHAUSTED"}}`,
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	for name, value := range map[string][]byte{
		"cut":      {10, 4, 8},
		"negative": {10, 11, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1},
		"huge":     {10, 10, 8, 255, 255, 255, 255, 255, 255, 255, 127, 0},
		"no text":  {8, 46},
		"groups":   {11, 12},
		"fixed":    {9, 1, 2, 3, 4, 5, 6, 7, 8, 13, 1, 2, 3, 4},
	} {
		if r := got(t, detailed(8, detail("RetryInfo", value...))); r.Wait != 0 {
			t.Errorf("%s: a wait of %v", name, r.Wait)
		}
	}
}

func TestErrorsOfNoAnswerAreNotRead(t *testing.T) {
	t.Parallel()
	var none *openAIError
	for _, err := range []error{
		nil, errPlain, none,
		sqlite{522},
		&mail{550, "no such mailbox"},
		process{429},
		&sql{"FATAL", "53300", "too many connections"},
		&weaviate{StatusCode: -1}, &openAIError{StatusCode: 200}, &requestError{Err: errPlain},
	} {
		if a, ok := sdkerror.Read(err); ok {
			t.Errorf("%#v is read: %+v", err, a)
		}
	}
}

func TestHiddenCause(t *testing.T) {
	t.Parallel()
	a, ok := sdkerror.Read(&weaviate{StatusCode: -1, DerivedFromError: errPlain})
	if !ok || a.Cause != errPlain || a.Is() { //nolint:errorlint // the very error
		t.Errorf("%v: %+v", ok, a)
	}
	if a, _ = sdkerror.Read(&weaviate{StatusCode: -1, DerivedFromError: &openAIError{StatusCode: 503}}); a.Status != 503 {
		t.Errorf("%+v", a)
	}
}

// Whatever a type does, reading it ends, and does not panic.
func TestHostileTypes(t *testing.T) {
	t.Parallel()
	visits := 0
	self := new(circular)
	self.DerivedFromError = self
	deep := errPlain
	for range 10_000 {
		deep = fmt.Errorf("%w", deep)
	}
	cycle := map[string]any{}
	cycle["self"] = cycle
	for _, err := range []error{
		&bomb{503}, (*bomb)(nil), &loop{"503"}, &endless{&visits}, &hidden{},
		hidden{nil},
		liar{},
		self, deep,
		custom{503, cycle},
		custom{503, map[string]any{"x": explosive{}}},
		custom{503, map[string]any{"x": func() {}}},
		&grpcError{}, (*grpcError)(nil), &openAIError{raw: `{"error":`, StatusCode: 500, Param: "p"}, &openAIError{raw: "{", StatusCode: 500},
		&anthropicError{raw: strings.Repeat("{", 1<<20), StatusCode: 500},
	} {
		if a, _ := sdkerror.Read(err); len(a.Body) > 130<<10 {
			t.Errorf("%T: a body of %d bytes", err, len(a.Body))
		}
	}
	if visits > 100 {
		t.Errorf("%d errors were looked at", visits)
	}
}

func FuzzDetails(f *testing.F) {
	f.Add("RetryInfo", []byte{10, 4, 8, 46, 16, 5})
	f.Add("QuotaFailure", append([]byte{10, 8, 42, 6}, "PerDay"...))
	f.Add("ErrorInfo", []byte{10, 1, 'R'})
	f.Fuzz(func(t *testing.T, name string, value []byte) {
		a, ok := sdkerror.Read(detailed(8, detail(name, value...)))
		if !ok || a.Status != 429 || a.Wait < 0 {
			t.Errorf("%v: %+v", ok, a)
		}
	})
}
