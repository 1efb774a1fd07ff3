package generator_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/resgen-go/resgen/generator"
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/config"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// schemaOf compiles a schema, which must be one of draft 2020-12.
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, ok, err := generator.Schema(name)
	if err != nil || !ok {
		t.Fatalf("%s: %v, %v", name, ok, err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if dialect := doc.(map[string]any)["$schema"]; dialect != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("%s is of %v", name, dialect)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return compiled
}

// jsonOf is a tree as a validator takes it.
func jsonOf(t *testing.T, v *source.Value) any {
	t.Helper()
	data, _ := source.JSON(v)
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// schemaFiles are all files of YAML that are ours: name and text; those of documentation are its blocks.
func schemaFiles(t *testing.T) map[string][]byte {
	t.Helper()
	block := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")
	out := map[string][]byte{}
	for _, root := range []string{"../testdata", "../examples", "../docs", "../bench", "../generator", "../README.md"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				if err == nil && (entry.Name() == "bad" || entry.Name() == "node_modules") {
					return fs.SkipDir
				}
				return err
			}
			data, err := os.ReadFile(path)
			switch filepath.Ext(path) {
			case ".yaml", ".yml":
				out[path] = data
			case ".md":
				for i, m := range block.FindAllSubmatch(data, -1) {
					out[path+" block "+string(rune('A'+i%26))+strings.Repeat("'", i/26)] = m[1]
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// extensions are the values of x-resilience anywhere in a tree.
func extensions(v *source.Value, found func(*source.Value)) {
	for i := range v.Map {
		if v.Map[i].Key == "x-resilience" {
			found(&v.Map[i].Value)
		}
		extensions(&v.Map[i].Value, found)
	}
	for i := range v.List {
		extensions(&v.List[i], found)
	}
}

// TestSchemasTakeWhatIsRight validates every policy file, configuration and x-resilience of the project that its reader takes, its examples
// in the documentation among them.
func TestSchemasTakeWhatIsRight(t *testing.T) {
	t.Parallel()
	schemas := map[string]*jsonschema.Schema{}
	for _, name := range generator.SchemaNames() {
		schemas[name] = schemaOf(t, name)
	}
	seen := map[string]int{}
	validate := func(name, file string, v *source.Value) {
		seen[name]++
		if err := schemas[name].Validate(jsonOf(t, v)); err != nil {
			t.Errorf("%s is refused by the schema %q: %v", file, name, err)
		}
	}
	for file, data := range schemaFiles(t) {
		tree, err := source.Read(file, data)
		if err != nil || tree.Kind != source.Map {
			continue
		}
		var list, policies diag.List
		config.Read(file, data, &list)
		if tree.Get("clients") != nil && !list.HasErrors() && tree.Get("names") == nil {
			validate("config", file, tree)
		}
		if _, ok := annot.CheckPolicyFile(tree, &policies); ok && len(tree.Map) > 0 {
			validate("policy", file, tree)
		}
		extensions(tree, func(v *source.Value) {
			var atDocument, atOperation diag.List
			_, isDocument := annot.CheckDocument(v, &atDocument)
			_, isOperation := annot.CheckOperation(v, &atOperation)
			if v.Kind == source.Map && (isDocument || isOperation) {
				validate("x-resilience", file, v)
			}
		})
	}
	for name, least := range map[string]int{"config": 15, "policy": 8, "x-resilience": 60} {
		if seen[name] < least {
			t.Errorf("%d documents were validated as %q, want at least %d", seen[name], name, least)
		}
	}
}

// TestSchemasTakeExamples validates the example of each annotation, and the starter files.
func TestSchemasTakeExamples(t *testing.T) {
	t.Parallel()
	policy, extension := schemaOf(t, "policy"), schemaOf(t, "x-resilience")
	for _, e := range annot.Entries() {
		if !e.Supported() {
			continue
		}
		v, err := source.Read(e.Key(), []byte(e.Example))
		if err != nil {
			t.Fatal(err)
		}
		schema := extension
		if e.Sort == annot.Shared {
			schema = policy
		}
		if err := schema.Validate(jsonOf(t, v)); err != nil {
			t.Errorf("the example of %q: %v", e.Key(), err)
		}
	}
	_, file := starter(t, generator.Client{Spec: filepath.Join(specsDir, "servers", "spec.yaml")})
	for _, text := range []string{string(file), accept(file, func(int) bool { return true })} {
		v, err := source.Read("starter", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := policy.Validate(jsonOf(t, v)); err != nil {
			t.Errorf("the starter: %v\n%s", err, text)
		}
	}
}

// wrapped are the ways in which a key may stand in the value above it: in an object, in the objects of a list, in objects by name.
var wrapped = []func(key string, v any) any{
	func(key string, v any) any { return map[string]any{key: v} },
	func(key string, v any) any { return []any{map[string]any{key: v}} },
	func(key string, v any) any { return map[string]any{"name": map[string]any{key: v}} },
}

// places are all documents in which a key stands at a path with a value: most of them are wrong already.
func places(path []string, v any) []any {
	docs := []any{v}
	for i, key := range slices.Backward(path) {
		var next []any
		for _, doc := range docs {
			for _, wrap := range wrapped {
				next = append(next, wrap(key, doc))
			}
			if i == 0 { // the annotation itself
				next = next[:len(next)-len(wrapped)+1]
			}
		}
		docs = next
	}
	return docs
}

// TestSchemasRefuseWhatIsWrong gives every key of the registry a value that it cannot have, where null is taken; and no key takes what is
// beside its own.
func TestSchemasRefuseWhatIsWrong(t *testing.T) {
	t.Parallel()
	policy, extension := schemaOf(t, "policy"), schemaOf(t, "x-resilience")
	keys := 0
	for _, e := range annot.Entries() {
		if !e.Supported() {
			continue
		}
		schema := extension
		if e.Sort == annot.Shared {
			schema = policy
		}
		paths := [][]string{{e.Key()}}
		anything := map[string]bool{}
		for _, k := range e.Keys() {
			paths = append(paths, append([]string{e.Key()}, strings.Split(strings.ReplaceAll(k.Path, "KIND", "transient"), ".")...))
			anything[e.Key()+"."+k.Path] = k.Form == "any JSON"
		}
		for _, path := range paths {
			name := strings.Join(path, ".")
			if anything[name] {
				continue
			}
			keys++
			i := slices.IndexFunc(places(path, nil), func(doc any) bool { return schema.Validate(doc) == nil })
			if i < 0 {
				t.Errorf("%s: null is taken nowhere", name)
				continue
			}
			for _, wrong := range []any{map[string]any{"no-such-key": 1}, []any{[]any{}}} {
				if schema.Validate(places(path, wrong)[i]) == nil {
					t.Errorf("%s takes %v", name, wrong)
				}
			}
		}
	}
	if keys < 200 {
		t.Errorf("%d keys were tried, want at least 200", keys)
	}
	for _, name := range generator.SchemaNames() {
		if schemaOf(t, name).Validate(map[string]any{"no-such-key": 1}) == nil {
			t.Errorf("%s takes an unknown key", name)
		}
	}
}

// TestSchemasAndReadersAgree gives values of every form to keys of every form: where the reader of annotations takes one, so does the
// schema; and of scalars the schema refuses what the reader does.
func TestSchemasAndReadersAgree(t *testing.T) {
	t.Parallel()
	extension := schemaOf(t, "x-resilience")
	for _, text := range []string{
		"idempotency: safe", "idempotency: saf", "idempotency: 1", "idempotent: true", "idempotent: yes", "hedgeable: maybe",
		"retry: {attempts: 0}", "retry: {attempts: 3}", "retry: {attempts: 3.5}", "retry: {attempts: '3'}", "retry: {on: throttle}", "retry: {on: [thro]}",
		"retry: {backoff: {base: 100ms}}", "retry: {backoff: {base: 100}}", "retry: {backoff: {base: 1 s}}", "retry: {backoff: {base: -1s}}",
		"retry: {backoff: {base: 1h30m}}", "retry: {backoff: {base: .5s}}", "retry: {backoff: {base: 1.5h}}", "retry: {respect-retry-after: {max: 0s}}",
		"retry: {backoff: {multiplier: 0.5}}", "retry: {backoff: {jitter: full}}", "retry: {backoff: {jitter: much}}",
		"breaker: {failure-rate: 50%}", "breaker: {failure-rate: 0.5}", "breaker: {failure-rate: 150%}", "breaker: {failure-rate: half}",
		"limit: {requests: 500/1m}", "limit: {requests: 60/s}", "limit: {requests: 500}", "limit: {requests: fast}",
		"timeout: fast", "timeout: 30s 1", "timeout: [fast]", "errors: openai", "errors: {transient: [503]}", "errors: {transient: [42]}",
		"cache: {ttl: 10m}", "cache: {ttl: ten}", "data: [customer-text]", "data: customer-text", "tokens: {max: /max_tokens}", "tokens: {max: max_tokens}",
		"ids: /points/*/id", "ids: [/points/*/id]", "fallback: []", "fallback: [{name: a, static: x}]", "fallback: {refuse: no}",
		"criticality: sheddable", "criticality: low", "exercise: {share: 1%}", "exercise: {mode: shadow}", "retry: null", "retry: {}", "retry: []", "retry: 3",
	} {
		v, err := source.Read("x", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var list diag.List
		_, reads := annot.CheckOperation(v, &list)
		if takes := extension.Validate(jsonOf(t, v)) == nil; takes != reads {
			t.Errorf("%s: the reader takes it: %v; the schema does: %v", text, reads, takes)
		}
	}
}

// TestConfigSchemaAndReaderAgree gives every key of resgen.yaml values of every form.
func TestConfigSchemaAndReaderAgree(t *testing.T) {
	t.Parallel()
	schema := schemaOf(t, "config")
	clients := map[string]string{
		"document":  "{name: a, spec: a.yaml, out: a, package: a, KEY: VALUE}",
		"interface": "{iface: ./a.A, out: a.go, KEY: VALUE}",
	}
	keys := []string{
		"name", "spec", "iface", "overlays", "policy", "out", "package", "import-path", "include", "exclude", "tags", "tests", "twins", "artefacts", "nam",
	}
	values := []string{"a", "a.go", "1", "true", "false", "null", "[a]", "[1]", "[]", "{}", "''", "['']", "./a.A"}
	tried := 0
	check := func(text string) {
		t.Helper()
		v, err := source.Read("resgen.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var list diag.List
		config.Read("resgen.yaml", []byte(text), &list)
		formal := slices.ContainsFunc(list.Sorted(), func(d diag.Diagnostic) bool { return d.Severity == diag.Error && !beyondForm(&d) })
		if takes := schema.Validate(jsonOf(t, v)) == nil; takes == formal {
			t.Errorf("%s: the schema takes it: %v; the reader says %v", text, takes, list.Sorted())
		}
		tried++
	}
	for _, client := range clients {
		for _, key := range keys {
			for _, value := range values {
				text := client
				own := regexp.MustCompile(`\b` + key + `: [^,}]+, `)
				text = own.ReplaceAllString(text, "")
				check("{version: 1, clients: [" + strings.NewReplacer("KEY", key, "VALUE", value).Replace(text) + "]}")
			}
		}
		whole := strings.ReplaceAll(client, ", KEY: VALUE", "")
		for _, text := range []string{"version: 2", "version: '1'", "version: 1, root: .", "version: 1, root: 1", "version: 1, rot: .", "root: ."} {
			check("{" + text + ", clients: [" + whole + "]}")
		}
	}
	for _, text := range []string{"{version: 1}", "{version: 1, clients: []}", "{version: 1, clients: {}}", "{version: 1, clients: [1]}", "[]", "{version: 1, clients: [{name: a}]}"} {
		check(text)
	}
	if tried < 300 {
		t.Errorf("%d configurations were tried", tried)
	}
}

// beyondForm reports what a schema does not say: what names and paths may be made of.
func beyondForm(d *diag.Diagnostic) bool {
	return d.Code == diag.InvalidPackageName || d.Code == diag.BadValue && !strings.HasSuffix(d.What, "is empty")
}

func TestSchemaNames(t *testing.T) {
	t.Parallel()
	if _, ok, err := generator.Schema("polcy"); ok || err != nil {
		t.Error("there is no such schema", errors.Join(err))
	}
	if got := generator.NearestSchema("polcy"); got != "policy" {
		t.Errorf("got %q", got)
	}
}
