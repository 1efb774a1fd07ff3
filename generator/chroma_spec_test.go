package generator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestChromaSpecSaysWhatChromaDoes compares the document of examples/vectordb with Chroma's own: every path, parameter, status, field and type that
// it names is there, is of the same type, and is required where it is.
func TestChromaSpecSaysWhatChromaDoes(t *testing.T) {
	t.Parallel()
	var ours, theirs map[string]any
	text, err := os.ReadFile(filepath.Join(specsDir, "chroma", "spec.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &ours); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(corpusFile(t, "components/chroma-1.0.5.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &theirs); err != nil {
		t.Fatal(err)
	}
	c := &factsCheck{t: t, ours: ours, theirs: theirs}
	paths := c.ours["paths"].(map[string]any)
	for path, item := range paths {
		other, ok := theirs["paths"].(map[string]any)[path].(map[string]any)
		if !ok {
			t.Errorf("%s is no path of Chroma", path)
			continue
		}
		c.item(path, item.(map[string]any), other)
	}
	const fewest = 40 // fields and types that were compared: fewer would mean that nothing is
	if c.compared < fewest {
		t.Errorf("%d facts compared, want at least %d", c.compared, fewest)
	}
}

// notDocumented are answers that the server gives, as TestLiveVectorDB sees, and that its document does not know: a collection that exists, and
// a version in JSON.
var notDocumented = map[string]bool{
	"POST /api/v2/tenants/{tenant}/databases/{database}/collections 409": true,
	"GET /api/v2/version 200": true,
}

// factsCheck compares two documents.
type factsCheck struct {
	t            *testing.T
	ours, theirs map[string]any
	compared     int
}

var verbs = []string{"get", "put", "post", "delete", "patch"}

func (c *factsCheck) item(path string, ours, theirs map[string]any) {
	for _, verb := range verbs {
		op, ok := ours[verb].(map[string]any)
		if !ok {
			continue
		}
		at := strings.ToUpper(verb) + " " + path
		other, ok := theirs[verb].(map[string]any)
		if !ok {
			c.t.Errorf("%s is no operation of Chroma", at)
			continue
		}
		c.params(at, append(anyList(ours["parameters"]), anyList(op["parameters"])...), append(anyList(theirs["parameters"]), anyList(other["parameters"])...))
		c.schema(at+" request", jsonSchema(op["requestBody"]), jsonSchema(other["requestBody"]))
		responses, _ := other["responses"].(map[string]any)
		for status, r := range op["responses"].(map[string]any) {
			their, ok := responses[status]
			if notDocumented[at+" "+status] {
				continue
			}
			if !ok {
				c.t.Errorf("%s: Chroma documents no status %s", at, status)
				continue
			}
			c.schema(at+" "+status, jsonSchema(c.follow(c.ours, r)), jsonSchema(c.follow(c.theirs, their)))
		}
	}
}

func (c *factsCheck) params(at string, ours, theirs []any) {
	known := map[string]map[string]any{}
	for _, p := range theirs {
		m := c.follow(c.theirs, p)
		known[fmt.Sprint(m["in"], " ", m["name"])] = m
	}
	for _, p := range ours {
		m := c.follow(c.ours, p)
		name := fmt.Sprint(m["in"], " ", m["name"])
		other, ok := known[name]
		if !ok {
			c.t.Errorf("%s: Chroma has no parameter %s", at, name)
			continue
		}
		a, b := c.follow(c.ours, m["schema"]), c.follow(c.theirs, other["schema"])
		if typesOf(a) != typesOf(b) {
			c.t.Errorf("%s: %s is %s, want %s", at, name, typesOf(a), typesOf(b))
		}
		c.compared++
	}
}

// schema compares what ours names with theirs.
func (c *factsCheck) schema(at string, ours, theirs any) {
	if ours == nil {
		return
	}
	a, b := c.flat(c.ours, ours), c.flat(c.theirs, theirs)
	c.compared++
	if typesOf(a) != typesOf(b) {
		c.t.Errorf("%s is %s, want %s", at, typesOf(a), typesOf(b))
	}
	fields, _ := a["properties"].(map[string]any)
	known, _ := b["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		their, ok := known[name]
		if !ok {
			c.t.Errorf("%s has no field %q in Chroma", at, name)
			continue
		}
		if slices.Contains(anyList(a["required"]), any(name)) != slices.Contains(anyList(b["required"]), any(name)) {
			c.t.Errorf("%s: of %q one document says that it is required, the other that it is not", at, name)
		}
		c.schema(at+"/"+name, fields[name], their)
	}
	for _, name := range anyList(b["required"]) {
		if _, ok := fields[name.(string)]; !ok && len(fields) > 0 {
			c.t.Errorf("%s: Chroma requires %q, which is not there", at, name)
		}
	}
	if items, ok := a["items"]; ok {
		c.schema(at+"[]", items, b["items"])
	}
	if enum := anyList(a["enum"]); len(enum) > 0 && fmt.Sprint(enum) != fmt.Sprint(anyList(b["enum"])) {
		c.t.Errorf("%s is one of %v, want %v", at, enum, b["enum"])
	}
}

// flat resolves a schema: references, allOf, and one type or null.
func (c *factsCheck) flat(doc map[string]any, schema any) map[string]any {
	m := c.follow(doc, schema)
	for _, alternative := range anyList(m["oneOf"]) {
		if a := c.follow(doc, alternative); typesOf(a) != "null" && len(anyList(m["oneOf"])) == 2 {
			return c.flat(doc, a)
		}
	}
	all := anyList(m["allOf"])
	if len(all) == 0 {
		return m
	}
	whole := map[string]any{"type": "object"}
	properties, required := map[string]any{}, []any{}
	for _, part := range all {
		p := c.flat(doc, part)
		fields, _ := p["properties"].(map[string]any)
		maps.Copy(properties, fields)
		required = append(required, anyList(p["required"])...)
	}
	whole["properties"], whole["required"] = properties, required
	return whole
}

// follow follows references.
func (c *factsCheck) follow(doc map[string]any, v any) map[string]any {
	m, _ := v.(map[string]any)
	ref, ok := m["$ref"].(string)
	if !ok {
		return m
	}
	var at any = doc
	for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		inner, _ := at.(map[string]any)
		at = inner[step]
	}
	return c.follow(doc, at)
}

// jsonSchema is the schema of a body of JSON; nil where there is none.
func jsonSchema(body any) any {
	m, _ := body.(map[string]any)
	content, _ := m["content"].(map[string]any)
	media, _ := content["application/json"].(map[string]any)
	return media["schema"]
}

// types are the types of a schema, as text.
func typesOf(schema map[string]any) string {
	format, _ := schema["format"].(string)
	all := []string{}
	for _, t := range anyList(schema["type"]) {
		all = append(all, fmt.Sprint(t))
	}
	if t, ok := schema["type"].(string); ok {
		all = append(all, t)
	}
	slices.Sort(all)
	if format == "uuid" { // theirs says so at some places only
		format = ""
	}
	return strings.TrimSpace(strings.Join(all, "|") + " " + format)
}

func anyList(v any) []any {
	l, _ := v.([]any)
	return l
}
