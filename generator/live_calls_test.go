package generator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// playCall is a call as testdata/live/play takes it: see Call there.
type playCall struct {
	Operation, Name string
	Values          map[string]json.RawMessage
	Body            *playContent
}

type playContent struct {
	ContentType string         `json:"contentType"`
	Data        []byte         `json:"data"`
	Parts       map[string]any `json:"parts"`
	Files       []playFile     `json:"files"`
}

type playFile struct {
	Field string `json:"field"`
	Name  string `json:"name"`
	Type  string `json:"type"`
	Data  []byte `json:"data"`
}

// callsOf makes two calls of each operation: with as little as the document allows, and with all that it names.
func callsOf(t *testing.T, spec string, table *playTable) []playCall {
	t.Helper()
	root, err := readDocument(spec)
	if err != nil {
		t.Fatal(err)
	}
	var calls []playCall
	for i := range table.Operations {
		op := &table.Operations[i]
		item := root.Get("paths").Get(op.Path)
		operation := item.Get(strings.ToLower(op.Method))
		if operation == nil {
			continue // of a file beside this one
		}
		for _, full := range []bool{false, true} {
			s := &sampler{root: root, full: full}
			call := playCall{Operation: op.GoName, Name: op.GoName + " smallest", Values: map[string]json.RawMessage{}}
			if full {
				call.Name = op.GoName + " full"
			}
			for _, p := range op.Params { // those of the path that the document forgot; the others are sampled below
				if p.In == "path" {
					call.Values["path "+p.Name] = json.RawMessage(`"text"`)
				}
			}
			for _, params := range []*source.Value{item.Get("parameters"), operation.Get("parameters")} {
				s.params(t, params, call.Values)
			}
			if op.Body != nil && (op.Body.Required || full) {
				call.Body = s.body(t, s.deref(operation.Get("requestBody")), op.Body)
			}
			calls = append(calls, call)
		}
	}
	return calls
}

// params samples the parameters that are wanted.
func (s *sampler) params(t *testing.T, params *source.Value, into map[string]json.RawMessage) {
	t.Helper()
	for i := range list(params) {
		p := s.deref(&params.List[i])
		in, name := p.Get("in"), p.Get("name")
		if in == nil || name == nil || !s.full && in.Text != "path" && !isTrue(p.Get("required")) {
			continue
		}
		schema := p.Get("schema")
		for _, f := range fields(p.Get("content")) {
			schema = f.Value.Get("schema")
		}
		one := *s
		one.full = s.full || in.Text == "path" || isTrue(p.Get("required")) // a list that is empty is not there
		into[in.Text+" "+name.Text] = asJSON(t, one.value(schema))
	}
}

// body samples a body in the media type that the client sends.
func (s *sampler) body(t *testing.T, body *source.Value, as *playBody) *playContent {
	t.Helper()
	content := body.Get("content").Get(as.MediaType)
	if all := fields(body.Get("content")); content == nil && len(all) > 0 {
		content = &all[0].Value
	}
	schema := content.Get("schema")
	out := &playContent{ContentType: as.MediaType}
	switch as.Codec {
	case "json":
		out.Data = asJSON(t, s.value(schema))
	case "lines":
		item := content.Get("itemSchema")
		if item == nil {
			if item = s.deref(schema).Get("items"); item == nil {
				item = schema
			}
		}
		out.Data = asJSON(t, s.value(item))
	case "multipart", "form":
		s.parts(schema, out)
	case "text":
		out.Data = []byte(fmt.Sprint(s.value(schema)))
	default:
		out.Data = []byte("text")
	}
	return out
}

// parts samples the members of a form.
func (s *sampler) parts(schema *source.Value, out *playContent) {
	members, _ := s.value(schema).(map[string]any)
	out.Parts = map[string]any{}
	properties := s.properties(schema)
	for name, value := range members {
		p := properties[name]
		if items := s.deref(p.Get("items")); items != nil {
			p = items
		}
		if format := p.Get("format"); format != nil && format.Text == "binary" || p.Get("contentMediaType") != nil && p.Get("contentEncoding") == nil {
			out.Files = append(out.Files, playFile{Field: name, Name: "a.txt", Type: "application/octet-stream", Data: []byte("text")})
			continue
		}
		out.Parts[name] = value
	}
}

// properties are those of a schema and of what it is composed of.
func (s *sampler) properties(schema *source.Value) map[string]*source.Value {
	all := map[string]*source.Value{}
	v := s.deref(schema)
	for _, f := range fields(v.Get("properties")) {
		all[f.Key] = s.deref(v.Get("properties").Get(f.Key))
	}
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		for i := range list(v.Get(key)) {
			maps.Copy(all, s.properties(&v.Get(key).List[i]))
		}
	}
	return all
}

func asJSON(t *testing.T, v any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// prefixes gives credentials that are a whole header the name of their scheme, as in "Digest ...".
func prefixes(t *testing.T, spec string, schemes []playScheme) {
	t.Helper()
	root, err := readDocument(spec)
	if err != nil {
		t.Fatal(err)
	}
	for i := range schemes {
		scheme := root.Get("components").Get("securitySchemes").Get(schemes[i].Name)
		if name := scheme.Get("scheme"); name != nil && !strings.EqualFold(name.Text, "bearer") && !schemes[i].Basic {
			schemes[i].Prefix = name.Text + " "
		}
	}
}
