package sdks_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	cohere "github.com/cohere-ai/cohere-go/v2"
	cohereclient "github.com/cohere-ai/cohere-go/v2/client"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/pinecone-io/go-pinecone/v5/pinecone"
	"github.com/qdrant/go-client/qdrant"
	goopenai "github.com/sashabaranov/go-openai"
	"github.com/weaviate/weaviate-go-client/v5/weaviate"
	"google.golang.org/genai"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/providers"
)

// answer is what a server answers.
type answer struct {
	status int
	header string // one field: "Name: value"
	body   string
}

// answering returns a client whose every request is answered so.
func answering(t *testing.T, a answer) *http.Client {
	t.Helper()
	c, stop := providers.Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if name, value, ok := strings.Cut(a.header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(a.status)
		_, _ = w.Write([]byte(a.body))
	}))
	t.Cleanup(stop)
	return c
}

// The calls of each SDK, with its own retries off.
var sdkCalls = map[string]func(ctx context.Context, c *http.Client) error{
	"openai-go": func(ctx context.Context, c *http.Client) error {
		client := openai.NewClient(option.WithAPIKey("key"), option.WithBaseURL("http://provider.example/v1"),
			option.WithHTTPClient(c), option.WithMaxRetries(0))
		_, err := client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
			Model: "m-1", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hello")},
		})
		return err
	},
	"anthropic-sdk-go": func(ctx context.Context, c *http.Client) error {
		client := anthropic.NewClient(anthropicoption.WithAPIKey("key"), anthropicoption.WithBaseURL("http://provider.example"),
			anthropicoption.WithHTTPClient(c), anthropicoption.WithMaxRetries(0))
		_, err := client.Messages.New(ctx, anthropic.MessageNewParams{
			Model: "m-1", MaxTokens: 100, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hello"))},
		})
		return err
	},
	"go-openai": func(ctx context.Context, c *http.Client) error {
		cfg := goopenai.DefaultConfig("key")
		cfg.BaseURL, cfg.HTTPClient = "http://provider.example/v1", c
		_, err := goopenai.NewClientWithConfig(cfg).CreateChatCompletion(ctx, goopenai.ChatCompletionRequest{
			Model: "m-1", Messages: []goopenai.ChatCompletionMessage{{Role: "user", Content: "hello"}},
		})
		return err
	},
	"genai": func(ctx context.Context, c *http.Client) error {
		client, err := genai.NewClient(ctx, &genai.ClientConfig{
			APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPClient: c, HTTPOptions: genai.HTTPOptions{BaseURL: "http://provider.example"},
		})
		if err != nil {
			return err
		}
		_, err = client.Models.GenerateContent(ctx, "m-1", genai.Text("hello"), nil)
		return err
	},
	"aws-sdk-go-v2": func(ctx context.Context, c *http.Client) error {
		_, err := bedrock(c, aws.NopRetryer{}).InvokeModel(ctx, &bedrockruntime.InvokeModelInput{ModelId: aws.String("m-1"), Body: []byte("{}")})
		return err
	},
	"cohere-go": func(ctx context.Context, c *http.Client) error {
		client := cohereclient.NewClient(cohereclient.WithBaseURL("http://provider.example"), cohereclient.WithToken("key"),
			cohereclient.WithHTTPClient(c), cohereclient.WithMaxAttempts(1))
		_, err := client.Chat(ctx, &cohere.ChatRequest{Message: "hello"})
		return err
	},
	"weaviate-go-client": func(ctx context.Context, c *http.Client) error {
		client, err := weaviate.NewClient(weaviate.Config{Host: "provider.example", Scheme: "http", ConnectionClient: c})
		if err != nil {
			return err
		}
		_, err = client.Schema().Getter().Do(ctx)
		return err
	},
	"go-pinecone": func(ctx context.Context, c *http.Client) error {
		client, err := pinecone.NewClient(pinecone.NewClientParams{ApiKey: "key", Host: "http://provider.example", RestClient: c})
		if err != nil {
			return err
		}
		_, err = client.DescribeIndex(ctx, "i")
		return err
	},
}

func bedrock(c *http.Client, r aws.Retryer) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{
		Region: "eu-central-1", BaseEndpoint: aws.String("http://provider.example"), HTTPClient: c, Retryer: r,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	})
}

// decided is what a call comes to that fails with an error: its error, without retries.
func decided(t *testing.T, preset string, call func(ctx context.Context) error) *runtime.Error {
	t.Helper()
	op, err := runtime.NewOperation(nil, "sdk", policy.Plan{
		Operation: "call", Idempotency: policy.Safe, Errors: policy.Errors{Preset: preset},
		Retry: policy.Retry{Attempts: 1, On: policy.RetryOn(policy.Safe), RetryAfterMax: time.Second},
	}, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = runtime.Do(t.Context(), op, func(ctx context.Context, _ runtime.Attempt) (int, error) { return 0, call(ctx) })
	var e *runtime.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
	return e
}

func TestErrorsOfSDKs(t *testing.T) {
	t.Parallel()
	const (
		openaiQuota    = `{"error":{"message":"You exceeded your quota.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`
		openaiContext  = `{"error":{"message":"Too many tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`
		anthropicMoney = `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to do that."}}`
		geminiKey      = `{"error":{"code":400,"message":"Bad key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}`
		geminiWait     = `{"error":{"code":429,"message":"Slow down.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"46s"}]}}`
	)
	for _, c := range []struct {
		sdk, preset string
		answer      answer
		kind        policy.Kind
		wait        time.Duration
	}{
		{"openai-go", "openai", answer{429, "Retry-After: 30", openaiQuota}, policy.KindUnusable, 30 * time.Second},
		{"openai-go", "generic", answer{429, "Retry-After: 30", openaiQuota}, policy.KindThrottle, 30 * time.Second},
		{"openai-go", "openai", answer{429, "Retry-After-Ms: 1500", ""}, policy.KindThrottle, 1500 * time.Millisecond},
		{"openai-go", "openai", answer{400, "", openaiContext}, policy.KindContextTooLong, 0},
		{"openai-go", "openai", answer{503, "", "<html>"}, policy.KindTransient, 0},
		{"openai-go", "openai", answer{401, "", "{}"}, policy.KindUnusable, 0},
		{"anthropic-sdk-go", "anthropic", answer{400, "", anthropicMoney}, policy.KindUnusable, 0},
		{"anthropic-sdk-go", "anthropic", answer{429, "Retry-After: 7", `{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}`}, policy.KindThrottle, 7 * time.Second},
		{"anthropic-sdk-go", "anthropic", answer{529, "", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`}, policy.KindThrottle, 0},
		{"go-openai", "openai", answer{429, "", openaiQuota}, policy.KindUnusable, 0},
		{"go-openai", "openai", answer{400, "", openaiContext}, policy.KindContextTooLong, 0},
		{"go-openai", "azure", answer{400, "", `{"error":{"message":"m","type":null,"param":"prompt","code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`}, policy.KindRefused, 0},
		{"go-openai", "openai", answer{502, "", "<html>"}, policy.KindTransient, 0},
		{"genai", "gemini", answer{400, "", geminiKey}, policy.KindUnusable, 0},
		{"genai", "gemini", answer{429, "", geminiWait}, policy.KindThrottle, 46 * time.Second},
		{"genai", "gemini", answer{503, "", "<html>"}, policy.KindTransient, 0},
		{"aws-sdk-go-v2", "bedrock", answer{429, "X-Amzn-Errortype: ThrottlingException", `{"message":"Too many requests."}`}, policy.KindThrottle, 0},
		{"aws-sdk-go-v2", "bedrock", answer{400, "X-Amzn-Errortype: ValidationException", `{"message":"Input is too long for requested model."}`}, policy.KindContextTooLong, 0},
		{"aws-sdk-go-v2", "bedrock", answer{404, "X-Amzn-Errortype: ResourceNotFoundException", `{"message":"No such model."}`}, policy.KindUnusable, 0},
		{"aws-sdk-go-v2", "generic", answer{400, "X-Amzn-Errortype: ThrottlingException", `{"message":"Too many requests."}`}, policy.KindThrottle, 0},
		{"aws-sdk-go-v2", "generic", answer{503, "", `{}`}, policy.KindTransient, 0},
		{"cohere-go", "cohere", answer{429, "", `{"message":"You are past the per-minute limit."}`}, policy.KindThrottle, 0},
		{"cohere-go", "cohere", answer{400, "", `{"message":"too many tokens: the limit is 4096"}`}, policy.KindContextTooLong, 0},
		{"cohere-go", "cohere", answer{503, "", `{"message":"x"}`}, policy.KindTransient, 0},
		{"weaviate-go-client", "weaviate", answer{429, "", `{"error":[{"message":"too many requests"}]}`}, policy.KindThrottle, 0},
		{"weaviate-go-client", "weaviate", answer{503, "", `{"error":[{"message":"starting"}]}`}, policy.KindTransient, 0},
		{"weaviate-go-client", "weaviate", answer{401, "", `{"error":[{"message":"no"}]}`}, policy.KindUnusable, 0},
		{"go-pinecone", "pinecone", answer{429, "", `{"error":{"code":"RESOURCE_EXHAUSTED","message":"m"},"status":429}`}, policy.KindThrottle, 0},
		{"go-pinecone", "pinecone", answer{403, "", `{"error":{"code":"FORBIDDEN","message":"m"},"status":403}`}, policy.KindUnusable, 0},
		{"go-pinecone", "pinecone", answer{503, "", `x`}, policy.KindTransient, 0},
	} {
		t.Run(fmt.Sprintf("%s/%s/%d %s", c.sdk, c.preset, c.answer.status, c.kind), func(t *testing.T) {
			t.Parallel()
			h := answering(t, c.answer)
			now := time.Now()
			e := decided(t, c.preset, func(ctx context.Context) error { return sdkCalls[c.sdk](ctx, h) })
			if e.Kind != c.kind || e.Status != c.answer.status {
				t.Errorf("got %s, status %d; want %s, %d: %T %v", e.Kind, e.Status, c.kind, c.answer.status, e.Cause, e.Cause)
			}
			if waits := e.NotBefore.Sub(now); c.wait == 0 && !e.NotBefore.IsZero() || c.wait > 0 && waits < c.wait {
				t.Errorf("not before %v, want %v", waits, c.wait)
			}
		})
	}
}

// A server that is not there, and one that goes away, are what they are to each SDK: Weaviate's hides it in a field.
func TestConnectionsOfSDKs(t *testing.T) {
	t.Parallel()
	refusing := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}}}
	for name, call := range sdkCalls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if e := decided(t, "", func(ctx context.Context) error { return call(ctx, refusing) }); e.Kind != policy.KindConnect || e.MayHaveActed {
				t.Errorf("refused: %s, acted %v; want connect, false: %v", e.Kind, e.MayHaveActed, e.Cause)
			}
		})
	}
}

// points is a server of Qdrant's gRPC that fails.
type points struct {
	qdrant.UnimplementedCollectionsServer

	fail func(ctx context.Context) error
}

func (p points) List(ctx context.Context, _ *qdrant.ListCollectionsRequest) (*qdrant.ListCollectionsResponse, error) {
	return nil, p.fail(ctx)
}

func TestErrorsOfGRPC(t *testing.T) {
	t.Parallel()
	detailed := func() error {
		s, err := status.New(codes.ResourceExhausted, "quota").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(46 * time.Second)})
		if err != nil {
			return err
		}
		return s.Err()
	}
	for name, c := range map[string]struct {
		fail  func(ctx context.Context) error
		kind  policy.Kind
		acted bool
		wait  time.Duration
	}{
		"unavailable": {func(context.Context) error { return status.Error(codes.Unavailable, "no") }, policy.KindTransient, true, 0},
		"exhausted":   {func(context.Context) error { return status.Error(codes.ResourceExhausted, "no") }, policy.KindThrottle, false, 0},
		"exhausted, with details": {
			func(context.Context) error { return detailed() }, policy.KindThrottle, false, 46 * time.Second,
		},
		"exhausted, with a trailer": {func(ctx context.Context) error {
			_ = grpc.SetTrailer(ctx, metadata.Pairs("retry-after", "7"))
			return status.Error(codes.ResourceExhausted, "no")
		}, policy.KindThrottle, false, 7 * time.Second},
		"deadline":        {func(context.Context) error { return status.Error(codes.DeadlineExceeded, "no") }, policy.KindTimeout, true, 0},
		"unauthenticated": {func(context.Context) error { return status.Error(codes.Unauthenticated, "no") }, policy.KindUnusable, false, 0},
		"wrong":           {func(context.Context) error { return status.Error(codes.InvalidArgument, "no") }, policy.KindCaller, false, 0},
		"not there":       {func(context.Context) error { return status.Error(codes.NotFound, "no") }, policy.KindCaller, false, 0},
		"panicked":        {func(context.Context) error { return errors.New("handler") }, policy.KindPermanent, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a test's
			if err != nil {
				t.Fatal(err)
			}
			s := grpc.NewServer()
			qdrant.RegisterCollectionsServer(s, points{fail: c.fail})
			go func() { _ = s.Serve(l) }()
			t.Cleanup(s.Stop)
			addr, _ := l.Addr().(*net.TCPAddr)
			now := time.Now()
			e := decided(t, "qdrant", func(ctx context.Context) error { return list(ctx, addr.Port) })
			if e.Kind != c.kind || e.MayHaveActed != c.acted || e.Status != 0 {
				t.Errorf("%s, acted %v, status %d; want %s, %v, 0: %v", e.Kind, e.MayHaveActed, e.Status, c.kind, c.acted, e.Cause)
			}
			if c.wait > 0 && e.NotBefore.Sub(now) < c.wait || c.wait == 0 && !e.NotBefore.IsZero() {
				t.Errorf("not before %v, want %v", e.NotBefore.Sub(now), c.wait)
			}
		})
	}
}

func list(ctx context.Context, port int) error {
	c, err := qdrant.NewClient(&qdrant.Config{Host: "127.0.0.1", Port: port, SkipCompatibilityCheck: true, PoolSize: 1})
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	_, err = c.ListCollections(ctx)
	return err
}

// Where nobody listens the request was not sent; what is too large to be received is no limit of requests.
func TestWhatGRPCSaysItself(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a test's
	if err != nil {
		t.Fatal(err)
	}
	addr, _ := l.Addr().(*net.TCPAddr)
	_ = l.Close()
	if e := decided(t, "qdrant", func(ctx context.Context) error { return list(ctx, addr.Port) }); e.Kind != policy.KindConnect || e.MayHaveActed {
		t.Errorf("nobody listens: %s, acted %v; want connect, false: %v", e.Kind, e.MayHaveActed, e.Cause)
	}
	cc, err := grpc.NewClient(addr.String(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(1)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cc.Close() }()
	s := grpc.NewServer()
	qdrant.RegisterCollectionsServer(s, points{fail: func(context.Context) error { return nil }})
	l, err = net.Listen("tcp", addr.String()) //nolint:noctx // as above
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	e := decided(t, "", func(ctx context.Context) error {
		_, err := qdrant.NewCollectionsClient(cc).Get(ctx, &qdrant.GetCollectionInfoRequest{CollectionName: "c"})
		return err
	})
	if e.Kind != policy.KindCaller {
		t.Errorf("too large: %s, want caller: %v", e.Kind, e.Cause)
	}
}
