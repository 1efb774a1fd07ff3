package generator_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/resgen-go/resgen/generator"
)

// hostileNames are lists of names, a line each, that something in Go or in what is generated has, that have no capital, that begin with what
// no identifier begins with, or that are alike.
func hostileNames() []string {
	return []string{
		"break\ncase\nchan\nconst\ncontinue\ndefault\ndefer\nelse\nfallthrough\nfor\nfunc\ngo\ngoto\nif\nimport",
		"interface\nmap\npackage\nrange\nreturn\nselect\nstruct\nswitch\ntype\nvar\n_\n__\n___",
		"any\nbool\nbyte\ncomparable\ncomplex64\nerror\nfloat64\nint\nint64\nrune\nstring\nuint\nuintptr",
		"append\ncap\nclear\nclose\ncopy\ndelete\nlen\nmake\nmax\nmin\nnew\npanic\nprint\nrecover\nnil\ntrue\nfalse\niota\ninit\nmain",
		"wire\nruntime\npolicy\njson\ncontext\ntime\niter\nhttp\nerrors\nfmt\nio\nslices\nstrings\nurl\nreflect\nsync",
		"c\nctx\nreq\nres\nr\nat\ncall\nerr\npatched\nnested\nstreamed\nu\nv\nyield\nitem\npage\nnext\nout\nopt\nopts\nx\nok\ni",
		"Client\nAPI\nNew\nOption\nclientSpec\nWithBearer\nWithBaseURL\nWithGroup\nWith2\nWithx\nwith_token\nBody\nbody\nExtra\nextra",
		"CloseIdleConnections\nMarshalJSON\nUnmarshalJSON\nString\nGoString\nIsZero\nIsNull\nKind\nRaw\nTag\nUnion\nAsString\nError\nUnwrap",
		"newX\nreadX\nXPolicy\nX\nxPolicy\nnew_x\nX2\nx_2\nX_2\nXRequest\nXResponse\nXParams\nXStream\nXItems\nXAll\nXOK\nXRequestBody",
		"日本\n取得\nμ\nß\nﬀ\nǆ\nﷺ\nשלום\nمرحبا\nनमस्ते\n한국어\nИмя\ne\u0301\n\u0301\n\u0301a\nİ\nı\nſ",
		"1\n2fast\n1st\n+1\n-1\n<=\n>=\n<\n>\n=\n#\n$ref\n@type\n.\n..\n...\n-\n--\n \n\t",
		"foo\nFoo\nFOO\nfoo_\n_foo\nfoo-\nf_oo\nfoo_windows\nfoo_test\nfoo_linux_amd64\ndoc_test\nfoo.go",
		"\u202e\n\u200b\n\ufeffa\n😀\n👩‍👩‍👧\n\u0085\n\u2028\n`\n\"\n'\n\\\n*/\n//go:build x\n${x}\n%s\n\x7f",
		"a/b\na~b\na~1b\na%2Fb\na?b\na#b\na{b}\n{a}\na b\na,b\na,omitempty\na:b\n[]a\ninterface{}\nmap[string]a",
		"UserId\nuserID\nuser_ids\nURLs\nurl_s\nHTTPServer\nhttpServer\nAPIKey\napi-key\nIDs\nId\nID\niD\nTSs",
	}
}

// named is a document in which everything that has a name has each of these.
func named(names []string) string {
	var paths, schemas, props, params, schemes, variants, answers []any
	ref := func(name string) string {
		return object("$ref", text("#/components/schemas/"+strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "#", "%23").Replace(name)))
	}
	content := func(schema string) string { return object("application/json", object("schema", schema)) }
	enum := object("type", text("string"), "enum", text(names))
	for i, name := range names {
		inline := object("type", text("object"), "properties", object(name, enum), "additionalProperties", "true")
		schemas = append(schemas, name, object("type", text("object"), "required", text([]string{name}), "properties", object(name, enum, "in "+name, inline)))
		props = append(props, name, ref(name))
		variants = append(variants, ref(name))
		schemes = append(schemes, name, object("type", text([]string{"http", "apiKey"}[i%2]), "scheme", text("bearer"), "in", text("header"), "name", text("X-Key")))
		params = append(params,
			object("name", text(name), "in", text("query"), "schema", ref(name)),
			object("name", text(name), "in", text("cookie"), "schema", object("type", text("string"))))
		answers = append(answers, fmt.Sprint(200+i), object("description", text(name), "content", content(ref(name))))
	}
	for i, name := range names {
		operation := []any{
			"operationId", text(name), "tags", text([]string{name}), "security", "[" + object(name, "[]") + "]", "parameters", "[" + join(params) + "]",
			"x-resilience", object("idempotency", text("safe"), "fallback", "["+object("name", text(fmt.Sprint("rung", i)), "func", text(fmt.Sprint("fallBack", i)))+"]"),
		}
		body := func(schema string) any { return object("content", content(schema)) }
		paths = append(paths, fmt.Sprint("/one/", i), object(
			"get", object(slices.Concat(operation, []any{"responses", object(answers...)})...),
			"post", object("operationId", text(name+" all"), "requestBody", body(object("oneOf", "["+join(variants)+"]")), "responses", object("200", object(
				"description", text(name), "content", object(
					"application/json", object("schema", object("type", text("object"), "properties", object(props...))),
					"text/event-stream", object("schema", ref(name)),
				)))),
			"put", object("operationId", text(name+"_put"), "requestBody", body(object("type", text("object"), "properties", object(name, enum))),
				"responses", object("200", object("description", text(name), "content", content(enum)))),
		))
	}
	return object(
		"openapi", text("3.1.0"), "info", object("title", text(names[0]), "version", text("1")),
		"servers", "["+object("url", text("https://api.example.com"))+"]", "paths", object(paths...),
		"components", object("schemas", object(schemas...), "securitySchemes", object(schemes...)),
	)
}

func join(parts []any) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = fmt.Sprint(p)
	}
	return strings.Join(texts, ", ")
}

// FuzzDocumentNames generates whole packages out of documents in which hostile names name everything. What is made compiles, since it is
// type-checked; no operation is lost; and with its lock the same document is fresh.
func FuzzDocumentNames(f *testing.F) {
	for _, lines := range hostileNames() {
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		const longest, most = 300, 12 // each name stands in a hundred places
		names := strings.Split(strings.ToValidUTF8(lines, "?"), "\n")
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" || utf8.RuneCountInString(name) > longest })
		if names = names[:min(most, len(names))]; len(names) == 0 {
			return
		}
		dir := t.TempDir()
		spec := filepath.Join(dir, "api.json")
		writeFile(t, spec, named(names))
		cfg := generator.Config{Client: generator.Client{Spec: spec, Out: filepath.Join(dir, "api"), Package: "api"}}
		result, err := generator.Run(t.Context(), cfg)
		if err != nil || result.HasErrors() {
			t.Fatalf("%v\n%s", err, printed(t, result, ""))
		}
		methods := 0
		for _, e := range result.Explain("") {
			if !strings.Contains(e.Method, "Stream") && e.Method != "" {
				methods++
			}
		}
		if methods < 2*len(names) {
			t.Errorf("%d methods of %d operations", methods, 3*len(names))
		}
		cfg.Mode = generator.Check
		if again, err := generator.Run(t.Context(), cfg); err != nil || again.Stale() {
			t.Errorf("what was just made is stale: %v", err)
		}
	})
}
