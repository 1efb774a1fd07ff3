package plan

import (
	"net/http"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// mediaType is a media type in lower case and without parameters.
func mediaType(text string) string {
	base, _, _ := strings.Cut(text, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

// streamFormat returns the format of the items of a media type, NoStream for one whose body is a single value.
func streamFormat(media string) policy.StreamFormat {
	base := mediaType(media)
	_, sub, _ := strings.Cut(base, "/")
	switch {
	case base == "text/event-stream":
		return policy.SSE
	case strings.HasSuffix(sub, "ndjson"), strings.HasSuffix(sub, "jsonl"), strings.HasSuffix(sub, "jsonlines"),
		sub == "json-lines", sub == "stream+json":
		return policy.JSONL
	case sub == "json-seq", strings.HasSuffix(sub, "+json-seq"):
		return policy.JSONSeq
	default:
		return policy.NoStream
	}
}

// streamMedia is the media type to ask for where the document names none.
func streamMedia(f policy.StreamFormat) string {
	switch f {
	case policy.JSONL:
		return "application/jsonl"
	case policy.JSONSeq:
		return "application/json-seq"
	case policy.SSE, policy.NoStream:
		return "text/event-stream"
	default:
		return "text/event-stream"
	}
}

func isJSON(base string) bool {
	_, sub, _ := strings.Cut(base, "/")
	return sub == "json" || sub == "x-json" || strings.HasSuffix(sub, "+json")
}

// isWildcard reports a range that JSON is in.
func isWildcard(base string) bool { return base == "*/*" || base == "application/*" }

// offers says how an operation can be answered: by a stream of items in a format, by a whole answer, or by both. facts win over
// the document: an operation that is annotated as streaming streams though no response says so.
func offers(op *model.Operation, facts policy.Stream) (format policy.StreamFormat, whole bool) {
	bind, ok := op.Bind.(*model.HTTPBinding)
	if !ok || bind.Method == http.MethodHead {
		return policy.NoStream, true
	}
	for _, r := range bind.Responses {
		if !isSuccess(bind.Responses, r.Code) {
			continue
		}
		for _, c := range r.Contents {
			switch f := streamFormat(c.MediaType); {
			case !f.Streams():
				whole = true
			case !format.Streams():
				format = f
			}
		}
	}
	if facts.Format.Streams() {
		if !format.Streams() {
			whole = true
		}
		format = facts.Format
	}
	return format, whole || !format.Streams()
}

// isSuccess reports whether a response is a success: any 2xx, and the default where no 2xx is listed.
func isSuccess(all []model.Response, code string) bool {
	if strings.HasPrefix(code, "2") {
		return true
	}
	if code != "default" {
		return false
	}
	for _, r := range all {
		if strings.HasPrefix(r.Code, "2") {
			return false
		}
	}
	return true
}
