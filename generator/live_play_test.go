package generator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator"
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/plan"
)

// playTable is what testdata/live/play knows of a client: see Table there.
type playTable struct {
	Package, Prefix string
	Operations      []playOperation
	// Spec, Key and Schemes are for the programs that play: whose document it is, the client's key in clients.go, and its credentials.
	Spec, Key string
	Schemes   []playScheme
}

type playOperation struct {
	GoName, Method, Path string
	Params               []playParam
	Body                 *playBody
	Accept               []string
	Pages                string
}

type playParam struct {
	Field, Name, In, Style string
	Explode, Required      bool
}

type playBody struct {
	Field, MediaType, Codec string
	Required                bool
}

// playScheme is a security scheme: the option that takes its credential, the header that carries it, and its name in the document.
type playScheme struct {
	Option, Header, Name string
	// Prefix is what a credential begins with that is the whole header.
	Prefix string
	Basic  bool
}

var codecNames = map[plan.Codec]string{
	plan.JSONCodec: "json", plan.FormCodec: "form", plan.MultipartCodec: "multipart", plan.TextCodec: "text", plan.BinaryCodec: "binary",
	plan.LinesCodec: "lines",
}

// tableOf tells the player what a client's plan says.
func tableOf(pkg *plan.Package) playTable {
	t := playTable{Package: pkg.Name}
	for i := range pkg.Client.Operations {
		op := &pkg.Client.Operations[i]
		out := playOperation{GoName: op.GoName, Method: op.Request.Method, Path: op.Request.Path, Accept: op.Request.Accept}
		if op.Pages != nil {
			out.Pages = op.Pages.GoName
		}
		for _, p := range op.Request.Params {
			out.Params = append(out.Params, playParam{
				Field: p.Field, Name: p.Name, In: p.In, Style: p.Style, Explode: p.Explode, Required: p.Required,
			})
		}
		if b := op.Request.Body; b != nil {
			out.Body = &playBody{Field: b.Field, MediaType: b.MediaType, Codec: codecNames[b.Codec], Required: b.Required}
		}
		t.Operations = append(t.Operations, out)
	}
	for _, s := range pkg.Client.Schemes {
		header := "authorization"
		if s.Model.Kind == model.APIKey {
			header = s.Model.Param
		}
		t.Schemes = append(t.Schemes, playScheme{Option: s.Option, Header: header, Name: s.Model.Name, Basic: s.Model.Kind == model.Basic})
	}
	return t
}

// serverPrefix is the path of a document's first server, with the defaults of its variables; version fills one that has none.
func serverPrefix(t *testing.T, spec, version string) string {
	t.Helper()
	data, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Servers []struct {
			URL       string
			Variables map[string]struct{ Default string }
		}
	}
	if json.Unmarshal(data, &doc) != nil || len(doc.Servers) == 0 {
		return ""
	}
	server := doc.Servers[0]
	address := server.URL
	for name, v := range server.Variables {
		switch value := v.Default; {
		case value != "":
			address = strings.ReplaceAll(address, "{"+name+"}", value)
		case strings.HasPrefix(address, "{"+name+"}"):
			address = strings.ReplaceAll(address, "{"+name+"}", "http://localhost")
		default:
			address = strings.ReplaceAll(address, "{"+name+"}", version)
		}
	}
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatalf("%s: server %q: %v", spec, server.URL, err)
	}
	return strings.TrimSuffix(parsed.Path, "/")
}

// playClient generates one client into the module and returns its table. ok is false where it cannot be generated, with the reason.
func playClient(t *testing.T, dir, spec, key string, overlays ...string) (table playTable, ok bool) {
	t.Helper()
	result, err := generator.Run(t.Context(), generator.Config{Client: generator.Client{
		Spec: spec, Overlays: overlays, Out: filepath.Join(dir, key), Package: "api", ImportPath: "live.test/" + key,
	}})
	if err != nil || result.HasErrors() {
		t.Errorf("%s: %v %v", spec, err, result.Diagnostics)
		return playTable{}, false
	}
	table = tableOf(result.Outputs[0].Plan())
	table.Key = key
	return table, true
}

// writeClients writes clients.go, through which a program makes every client.
func writeClients(t *testing.T, dir string, tables []playTable) {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("package main\n\nimport (\n\t\"net/http\"\n\n")
	for _, table := range tables {
		fmt.Fprintf(&out, "\t%s %q\n", table.Key, "live.test/"+table.Key)
	}
	out.WriteString(")\n\nvar clients = map[string]client{\n")
	for _, table := range tables {
		fmt.Fprintf(&out, "\t%q: {func(url string, hc *http.Client, given map[string]string) (any, error) {\n", table.Key)
		fmt.Fprintf(&out, "\t\topts := []%s.Option{%[1]s.WithBaseURL(url), %[1]s.WithHTTPClient(hc)}\n", table.Key)
		fmt.Fprintf(&out, "\t\tif accept := given[\"WithRequestEditor\"]; accept != \"\" {\n\t\t\topts = append(opts, %s.WithRequestEditor("+
			"func(req *http.Request) error {\n\t\t\t\treq.Header.Set(\"Accept\", accept)\n\t\t\t\treturn nil\n\t\t\t}))\n\t\t}\n", table.Key)
		for _, s := range table.Schemes {
			key := "key"
			if s.Basic {
				key = "key, key"
			}
			fmt.Fprintf(&out, "\t\tif key := given[%q]; key != \"\" {\n\t\t\topts = append(opts, %s.%s(%s))\n\t\t}\n", s.Option, table.Key, s.Option, key)
		}
		fmt.Fprintf(&out, "\t\treturn %s.New(opts...)\n\t}},\n", table.Key)
	}
	out.WriteString("}\n")
	writeFile(t, filepath.Join(dir, "clients.go"), out.String())
}

// copyProgram copies the Go files of a program of testdata/live, and the player, into the module.
func copyProgram(t *testing.T, dir, name string) {
	t.Helper()
	live := filepath.Join(repoRoot(t), "testdata", "live")
	for from, to := range map[string]string{name: "", "play": "play"} {
		files, err := filepath.Glob(filepath.Join(live, from, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", from, err)
		}
		for _, file := range files {
			copyFile(t, file, filepath.Join(dir, to, filepath.Base(file)))
		}
	}
}
