package artefact

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/runtime/policy"
)

// Inferred is what is known of an operation, whoever said it: its author, its method, or its shape. All texts may be a document's.
type Inferred struct {
	// Operation is its stable name, Request "METHOD /path", empty for a method of a Go interface.
	Operation, Request string
	// Idempotency is a value of the annotation, By the rule that it follows from ("POST", "a Go method", "ids") or the layer that says so,
	// and At where that is written.
	Idempotency, By, At string
	Hedgeable           bool
	// MostlySafe says that the operation has most likely no effect but its price, though its method does not say so.
	MostlySafe bool
	// Streams is the format of its items ("sse", "items" of a Go method), with " or whole" where it also answers at once; empty for none.
	Streams string
	// Pages is how its pages follow each other, by the annotation; PageHint the parameter that looks as if there were some.
	Pages, PageHint string
	// Errors is the preset of `errors` that holds, Suggested the one that its servers suggest where none does, and Host the server.
	Errors, Suggested, Host string

	op *plan.Operation
	// generates says that it is most likely a language model's, and moves that it takes or answers with files.
	generates, moves bool
}

// Infer says what is known of each operation of a package, in the order of the document.
func Infer(api *model.API, pkg *plan.Package) []Inferred {
	var out []Inferred
	at := map[*model.Operation]int{}
	for i := range pkg.Client.Operations {
		op := &pkg.Client.Operations[i]
		k, known := at[op.Model]
		if !known {
			k = len(out)
			at[op.Model] = k
			out = append(out, infer(api, op))
		}
		out[k].method(op)
	}
	return out
}

func infer(api *model.API, op *plan.Operation) Inferred {
	p := &op.Policy
	o := Inferred{Operation: op.Model.ID, Idempotency: p.Idempotency.String(), Hedgeable: p.Hedgeable, Errors: p.Errors.Preset, op: op}
	o.By, o.At = idempotencyBy(op)
	servers := api.Servers
	if bind, ok := op.Model.Bind.(*model.HTTPBinding); ok {
		o.Request = bind.Request()
		o.MostlySafe = p.Idempotency == policy.None && bind.Method == http.MethodPost && bind.Body != nil && asksOnly(bind.Path)
		if len(bind.Servers) > 0 {
			servers = bind.Servers
		}
		if i := slices.IndexFunc(op.Why, func(w plan.Provenance) bool { return w.Path == "page.style" }); i >= 0 {
			o.Pages = op.Why[i].Value
		} else {
			o.PageHint = pageParam(bind)
		}
	}
	for i := 0; i < len(servers) && o.Errors == "" && o.Suggested == ""; i++ {
		o.Suggested, o.Host = annot.PresetOf(servers[i].URL)
	}
	o.generates = o.MostlySafe && completes(o.Request) || op.Policy.Tokens != policy.Tokens{}
	return o
}

// method notes what one of the operation's methods shows: a stream, a whole answer, a file.
func (o *Inferred) method(op *plan.Operation) {
	streams := ""
	if f, ok := op.Model.Bind.(*model.FuncBinding); ok && f.Answer.Streams() {
		streams = "items"
	}
	if format := op.Policy.Stream.Format; format != policy.NoStream {
		streams = format.String()
	}
	const whole = " or whole"
	switch {
	case streams != "" && o.op != op && o.Streams == "":
		o.Streams = streams + whole
	case streams == "" && o.Streams != "" && !strings.HasSuffix(o.Streams, whole):
		o.Streams += whole
	case o.Streams == "":
		o.Streams = streams
	}
	o.generates = o.generates || streams != ""
	o.moves = o.moves || op.Response.Download || takesFiles(op)
}

func takesFiles(op *plan.Operation) bool {
	bind, ok := op.Model.Bind.(*model.HTTPBinding)
	return ok && bind.Body != nil && slices.ContainsFunc(bind.Body.Contents, func(c model.Content) bool {
		return strings.HasPrefix(c.MediaType, "multipart/") || strings.HasPrefix(c.MediaType, "application/octet-stream")
	})
}

// idempotencyBy says who decided the idempotency, and where.
func idempotencyBy(op *plan.Operation) (by, at string) {
	for i := range op.Why {
		if w := &op.Why[i]; w.Path == "idempotency" && !w.BuiltIn() {
			return w.Layer, w.Pos.String()
		}
	}
	if bind, ok := op.Model.Bind.(*model.HTTPBinding); ok {
		return bind.Method, ""
	}
	return "a Go method", ""
}

// written reports whether somebody wrote an annotation for the operation, or one of its keys.
func (o *Inferred) written(key string) bool {
	return slices.ContainsFunc(o.op.Why, func(w plan.Provenance) bool {
		return !w.BuiltIn() && (w.Path == key || strings.HasPrefix(w.Path, key+".") && !strings.HasPrefix(w.Layer, "class "))
	})
}

// asking are the ends of paths of POSTs that only ask: their last word.
var asking = map[string]bool{
	"classify": true, "completion": true, "completions": true, "embed": true, "embedding": true, "embeddings": true, "moderation": true,
	"moderations": true, "query": true, "rerank": true, "search": true, "tokenize": true, "detokenize": true,
}

// asksOnly reports whether the path of a POST ends like that of a completion, an embedding or a search.
func asksOnly(path string) bool { return asking[lastWord(path)] }

// completes reports whether a path ends like that of a completion, which takes long.
func completes(path string) bool { return strings.HasPrefix(lastWord(path), "completion") }

// lastWord is the last word of a path, in lower case; empty where it ends with a parameter.
func lastWord(path string) string {
	path, _, _ = strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	last := path[strings.LastIndexByte(path, '/')+1:]
	words := strings.FieldsFunc(last, func(r rune) bool { return !unicode.IsLetter(r) && r != '}' })
	if len(words) == 0 {
		return ""
	}
	return strings.ToLower(words[len(words)-1])
}

// pageWords are parameters by which lists are usually read in parts.
var pageWords = []string{
	"cursor", "page_token", "pageToken", "page", "after", "starting_after", "offset", "next_token", "nextToken", "continuation_token", "marker",
}

// pageParam is the query parameter of a GET that looks as if it chose a page.
func pageParam(bind *model.HTTPBinding) string {
	if bind.Method != http.MethodGet {
		return ""
	}
	for _, word := range pageWords {
		if slices.ContainsFunc(bind.Params, func(p model.Param) bool { return p.In == model.InQuery && p.Name == word }) {
			return word
		}
	}
	return ""
}
