package declare

const (
	modulePath  = "github.com/resgen-go/resgen"
	runtimePath = modulePath + "/runtime"
	policyPath  = modulePath + "/runtime/policy"
	wirePath    = modulePath + "/runtime/wire"
	oauthPath   = modulePath + "/runtime/oauth"

	runtimetestPath = modulePath + "/runtime/runtimetest"
)

// roots are the names that generated code holds, methods as Type.Method. What they refer to is found by following them: types with
// their fields, interfaces with their methods, and the constants of enums.
func roots() map[string][]string {
	return map[string][]string{
		policyPath:  {"Plan", "Usage", "Counting"},
		runtimePath: runtimeRoots(),
		wirePath:    wireRoots(),
		oauthPath:   {"Config", "WithClientCredentials"},
		runtimetestPath: {
			"Verify", "Suite", "Case", "Answer", "Outcome", "Done", "Value", "Result", "Stream", "StreamResult",
			"Func", "FuncDone", "ErrUnwired", "Store", "SemanticStore", "Embedder", "LimitStore",
			"Server", "Server.HTTPClient", "Server.Requests", "Server.URL", "NewServer", "NewMemoryServer", "Made", "Request",
			"ServerAPI", "ServerOperation", "ServerBody", "JSONBody", "EncodeJSON", "ErrNoAnswer", "Served", "Serve",
		},

		"cmp":           {"Or"},
		"context":       {"Context"},
		"errors":        {"As", "AsType", "Is", "New"},
		"io":            {"ErrNoProgress", "ErrUnexpectedEOF", "ReadCloser"},
		"slices":        {"Clone"},
		"iter":          {"Seq", "Seq2"},
		"encoding/json": {"Marshal", "Number", "RawMessage"},
		"net/http":      {"Client", "Request"},
		"testing":       {"T", "T.Parallel", "TB"},
		"time": {
			"Date", "Duration", "FixedZone", "Hour", "Microsecond", "Millisecond", "Minute", "Nanosecond", "Second", "Time", "UTC",
			"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
		},
	}
}

func runtimeRoots() []string {
	return []string{
		"AtLeastV0_1",
		"HTTP", "HTTP.CloseIdleConnections", "HTTP.Err", "HTTP.Operation", "HTTPSpec", "NewHTTP", "Wired", "Operation.Refuse",
		"Operation", "Attempt", "Result", "Stream", "Stream.Close", "Capture", "Report", "Meta",
		"Page", "Page.First", "Page.Header", "Page.HeaderNumber", "Page.Link", "Pages", "PagesResult", "Paging",
		"Input", "Call", "Do", "DoResult", "Open", "OpenResult", "Send", "SendStream", "StreamOf", "StreamOfExample",
		"ClientOption", "TargetOption", "Option", "Group", "Observer",
		"WithBaseURL", "WithBasicCredential", "WithCredential", "WithCredentialFunc", "WithGroup", "WithHTTPClient", "WithObserver",
		"WithRequestEditor", "WithStore", "Embedder", "SemanticStore", "LimitStore", "WithLimitStore", "WithEmbedder", "WithSemanticStore", "WithTarget", "WithWired",
		"Store",
		"Wrapper", "Wrapper.Apply", "Wrapper.Err", "Wrapper.Operation", "Wrapper.Wire", "Wrapper.WireTarget", "WrapperOption", "WrapperSpec",
		"NewWrapper", "WiredTarget", "Args", "DoInline", "Remember", "WithIdempotencyKey",
		"Keep", "KeepResult", "OpenChan", "OpenChanResult", "OpenReader", "OpenReaderResult", "OpenSeq", "OpenSeqResult",
		"OpenSeq2", "OpenSeq2Result", "Range",
	}
}

func wireRoots() []string {
	return []string{
		"Copy", "CopyOrNew",
		"Opt", "Opt.Get", "Opt.Or", "Some", "Null", "Null.Get", "Null.Or", "NotNull", "NullOf", "OptNull", "OptNull.Get", "OptNull.Or", "SomeNotNull", "SomeNull",
		"Date", "JSONText", "Content", "Content.IsZero", "FromBytes", "Marshal", "Unmarshal",
		"Union", "Union.MarshalJSON", "Union.Raw", "Union.UnmarshalJSON", "UnmarshalTagged", "TagOf",
		"UnionOf", "As", "Except", "Kinds", "Required", "Tag",
		"Scheme", "Bearer", "Basic", "APIKey", "InHeader", "InQuery", "InCookie",
		"Request", "NewRequest", "ErrNilRequest", "Request.Accept", "Request.Content", "Request.CacheKey", "Request.Cookie", "Request.Err", "Request.Fail",
		"Request.Form", "Request.Header", "Request.JSON", "Request.JSONAs", "Request.JSONLines", "Request.Multipart",
		"Request.MultipartAs", "Request.Number", "Request.Path", "Request.Query", "Request.Security",
		"Request.Server", "Request.Size", "Request.Text", "Encoding",
		"Style", "Simple", "Label", "Matrix", "Form", "SpaceDelimited", "PipeDelimited", "DeepObject", "JSONStyle", "TabDelimited", "Explode", "AllowReserved",
		"Response", "Response.Unexpected", "Failure", "JSON", "JSONValue", "NoBody", "JSONOn", "JSONValueOn", "NoBodyOn", "Text", "Bytes", "Download", "Download.Close",
		"NewDownload", "Items", "JSONItems", "TextItems", "Example", "ExampleValue", "PageToken",
	}
}
