package generator_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/resgen-go/resgen/generator"
)

// made is what resgen makes of the text of a document, in memory.
func made(t *testing.T, text string) *generator.Result {
	t.Helper()
	dir := t.TempDir()
	spec := filepath.Join(dir, "spec.yaml")
	writeFile(t, spec, text)
	return runCase(t, generator.Config{Mode: generator.Check, Client: generator.Client{
		Spec: spec, Out: filepath.Join(dir, "out"), Package: "out", ImportPath: "cases.test/out",
	}})
}

// accepted is made, of a document that must not be refused.
func accepted(t *testing.T, text string) map[string]string {
	t.Helper()
	result := made(t, text)
	if result.HasErrors() {
		t.Fatalf("refused:\n%s", printed(t, result, ""))
	}
	return contents(result)
}

// reordered is a document of the cases with the items of its enums, and its paths, the other way round.
func reordered(t *testing.T, doc string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(caseDocs, doc+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	reverse(&root, "")
	out, err := yaml.Marshal(&root)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func reverse(n *yaml.Node, key string) {
	if n.Kind != yaml.MappingNode {
		for _, item := range n.Content {
			reverse(item, "")
		}
		if key == "enum" {
			slices.Reverse(n.Content)
		}
		return
	}
	for i := 0; i < len(n.Content); i += 2 {
		reverse(n.Content[i+1], n.Content[i].Value)
	}
	if key == "paths" || strings.HasPrefix(key, "/") {
		slices.Reverse(n.Content) // of values and keys,
		for i := 0; i < len(n.Content); i += 2 {
			n.Content[i], n.Content[i+1] = n.Content[i+1], n.Content[i] // each pair the right way round again
		}
	}
}

var constantLine = regexp.MustCompile(`(?m)^(?:const )?\s*(\S+)\s+\S+ = (\S.*)$`)

// constants are the constants of a client by their names.
func constants(files map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range constantLine.FindAllStringSubmatch(files["types.gen.go"], -1) {
		all[m[1]] = m[2]
	}
	return all
}

func readCase(t *testing.T, doc string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(caseDocs, doc+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestC073_NamesDoNotDependOnTheOrderOfValues(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{"C073_punctuation", "C074_kinds_of_enums"} {
		want, got := constants(accepted(t, readCase(t, doc))), constants(accepted(t, reordered(t, doc)))
		if diff := cmp.Diff(want, got); len(want) < 20 || diff != "" {
			t.Errorf("%s has %d constants (-in order +reversed):\n%s", doc, len(want), diff)
		}
	}
}

func TestC079_ASchemaThatIsItselfIsRefused(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	began := time.Now()
	result := runCase(t, caseClient("C079_itself", out))
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it takes %v", took)
	}
	if !result.HasErrors() {
		t.Error("no error: the exit code would be 0")
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("something is written: %v", err)
	}
	text := printed(t, result, "")
	for _, want := range []string{
		"components/schemas/Snake", "components/schemas/Left → #/components/schemas/Middle → #/components/schemas/Right",
		"components/schemas/Cat", "components/schemas/Tiger", "cycle",
		"/wrong/{gone}", // the rest of the document is checked too
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	for _, d := range result.Diagnostics {
		if d.Span.File == "" || d.Span.Line == 0 {
			t.Errorf("%s has no place", d.What)
		}
	}
	if strings.Contains(text, "goroutine ") {
		t.Errorf("a stack is shown:\n%s", text)
	}
}

// TestC080_ARingOfFilesIsTheSameEachTime changes the working directory, so it is not parallel.
func TestC080_ARingOfFilesIsTheSameEachTime(t *testing.T) {
	c := caseClient("C080_files", filepath.Join(t.TempDir(), "out"))
	c.Mode = generator.Check
	want := contents(runCase(t, c))
	for n := range 19 {
		if diff := cmp.Diff(want, contents(runCase(t, c))); diff != "" {
			t.Fatalf("generation %d differs:\n%s", n+2, diff)
		}
	}
	spec, err := filepath.Abs(c.Client.Spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(filepath.Dir(spec), "C080_parts", "deep"))
	for _, path := range []string{spec, filepath.Join("..", "..", filepath.Base(spec))} {
		c.Client.Spec = path
		if diff := cmp.Diff(want, contents(runCase(t, c))); diff != "" {
			t.Errorf("from another working directory, as %s:\n%s", path, diff)
		}
	}
}

// catalogue is a document of n resources with three operations and two schemas each.
func catalogue(n int) string {
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: Catalogue, version: '1'}\npaths:\n")
	for i := range n {
		fmt.Fprintf(&b, `  /bins%[1]d/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
    get:
      operationId: get_bin_%[1]d
      tags: [t%[1]d]
      parameters: [{name: page, in: query, schema: {type: integer}}]
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Bin%[1]d'}}}}
        default: {description: bad, content: {application/json: {schema: {$ref: '#/components/schemas/Fault'}}}}
    put:
      operationId: put_bin_%[1]d
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Bin%[1]d'}}}}
      responses: {'200': {description: ok}}
    delete: {operationId: delete_bin_%[1]d, responses: {'204': {description: gone}}}
`, i)
	}
	b.WriteString("components:\n  schemas:\n    Fault: {type: object, properties: {text: {type: string}}}\n")
	for i := range n {
		fmt.Fprintf(&b, `    Bin%[1]d:
      type: object
      required: [id, kind]
      properties:
        id: {type: integer, format: int64}
        kind: {type: string, enum: [small, large, bin_%[1]d]}
        next: {$ref: '#/components/schemas/Bin%[2]d'}
        extra: {oneOf: [{type: string}, {$ref: '#/components/schemas/Label%[1]d'}]}
    Label%[1]d: {type: object, properties: {text: {type: string}, tags: {type: array, items: {type: string}}}}
`, i, (i+1)%n)
	}
	return b.String()
}

// TestC089_ALargeDocument counts what is allocated, so it is not parallel.
func TestC089_ALargeDocument(t *testing.T) {
	large, small := 400, 100
	if raced || testing.Short() {
		large, small = 120, 30 // as many times as much takes as many times as long
	}
	allocated := func(n int) (*generator.Result, uint64) {
		text := catalogue(n)
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		result := made(t, text)
		goruntime.ReadMemStats(&after)
		return result, after.TotalAlloc - before.TotalAlloc
	}
	_, least := allocated(small)
	result, most := allocated(large)
	if result.HasErrors() {
		t.Fatalf("refused:\n%s", printed(t, result, ""))
	}
	if ratio := float64(most) / float64(least); ratio > 6 {
		t.Errorf("a document 4 times as large takes %.1f times as much", ratio)
	}
	if limit := uint64(2 << 30); most > limit {
		t.Errorf("it allocates %d MiB", most>>20)
	}
	dir := t.TempDir()
	for name, text := range contents(result) {
		writeFile(t, filepath.Join(dir, name), text)
	}
	operations, err := clientOperations(dir) // each once, by the names of methods of an interface that has been type-checked
	if err != nil {
		t.Fatal(err)
	}
	if len(operations) != 3*large {
		t.Errorf("%d operations, want %d", len(operations), 3*large)
	}
}

// methods are the requests of a client by the names of its methods.
func methods(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	all, err := clientMethods(dir)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestC109_NamesDoNotDependOnTheOrderOfPaths(t *testing.T) {
	t.Parallel()
	const doc = "C109_operation_ids"
	text := printed(t, made(t, readCase(t, doc)), "")
	if !strings.Contains(text, "RG1110") || strings.Count(text, "spec.yaml:") < 2 {
		t.Errorf("it does not say where the operationId that is used twice stands, and where it stood before:\n%s", text)
	}
	once := func(text string) string { return strings.Replace(text, "operationId: all", "operationId: rest", 1) }
	want, got := methods(t, accepted(t, once(readCase(t, doc)))), methods(t, accepted(t, once(reordered(t, doc))))
	for _, all := range []map[string]string{want, got} { // the reversed document renames the other of the two
		all["All"], all["Rest"] = "", ""
	}
	if diff := cmp.Diff(want, got); len(want) < 15 || diff != "" {
		t.Errorf("%d methods (-in order +reversed):\n%s", len(want), diff)
	}
}

// TestC110_TagsAreInNoName holds a client to the one that the document has without its tags.
func TestC110_TagsAreInNoName(t *testing.T) {
	t.Parallel()
	text := readCase(t, "C110_tags")
	untagged := regexp.MustCompile(`, tags: \[.*?\](, responses)`).ReplaceAllString(text, "$1")
	if untagged == text {
		t.Fatal("the document has no tags")
	}
	want, got := accepted(t, untagged), accepted(t, text)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("files (-without tags +with):\n%s", diff)
	}
	if diff := cmp.Diff(methods(t, want), methods(t, got)); diff != "" {
		t.Errorf("methods (-without tags +with):\n%s", diff)
	}
}

// TestCaseArtefacts holds other people's documents of the cases to what all have in common, where they are at hand. The corpus test
// builds and vets them.
func TestCaseArtefacts(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("RESGEN_CASES")
	if dir == "" {
		dir = filepath.Join(repoRoot(t), "..", "shared", "cases", "specs")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Skipf("no documents in %s: set RESGEN_CASES to a folder of them", dir)
	}
	for _, spec := range files {
		t.Run(filepath.Base(spec), func(t *testing.T) {
			t.Parallel()
			if raced && filepath.Base(spec) == "large_catalog.yaml" {
				t.Skip("takes a minute under the race detector; the tests without it have it")
			}
			c := generator.Config{Mode: generator.Check, Client: generator.Client{
				Spec: spec, Out: filepath.Join(t.TempDir(), "out"), Package: "out", ImportPath: "cases.test/out",
			}}
			result := runCase(t, c)
			if filepath.Base(spec) == "allof_self_cycle.yaml" {
				text := printed(t, result, "")
				if !result.HasErrors() || !strings.Contains(text, "components/schemas/Second") || !strings.Contains(text, "cycle") {
					t.Errorf("it must be refused, and is not or not well:\n%s", text)
				}
				return
			}
			if result.HasErrors() {
				t.Fatalf("refused:\n%s", printed(t, result, ""))
			}
			if diff := cmp.Diff(contents(result), contents(runCase(t, c))); diff != "" {
				t.Errorf("generated again:\n%s", diff)
			}
		})
	}
}
