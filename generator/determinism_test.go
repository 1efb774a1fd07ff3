package generator_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/resgen-go/resgen/generator"
)

// contents are the files of a run's first output.
func contents(result *generator.Result) map[string]string {
	all := map[string]string{}
	for _, f := range result.Outputs[0].Files {
		all[f.Name] = string(f.Data)
	}
	return all
}

// checkout copies the cases into a folder of their own, in a module of this one's path, and returns where they lie. Texts go through
// change, which gets the name of the file.
func checkout(t *testing.T, change func(name string, data []byte) []byte) string {
	t.Helper()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "go.mod"), "module "+modulePath+"\n")
	specs := filepath.Join(root, "testdata", "specs")
	err := filepath.WalkDir(specsDir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "want" || entry.Name() == "bad") {
			return fs.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".yaml" && filepath.Ext(path) != ".lock" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(specsDir, path)
		writeFile(t, filepath.Join(specs, rel), string(change(entry.Name(), data)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return specs
}

// TestSameBytesInEveryCheckout generates each case twice where it lies, and in another checkout from another working directory.
func TestSameBytesInEveryCheckout(t *testing.T) {
	specs := checkout(t, func(_ string, data []byte) []byte { return data })
	root, err := filepath.Abs(specsDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range goldenCases(t) {
		here := filepath.Join(root, name, "options.yaml")
		want := contents(generateCase(t, here, generator.Check))
		again := contents(generateCase(t, here, generator.Check))
		if diff := cmp.Diff(want, again); diff != "" {
			t.Errorf("%s, generated again:\n%s", name, diff)
		}
		t.Chdir(filepath.Join(specs, name))
		there := contents(generateCase(t, "options.yaml", generator.Check))
		if diff := cmp.Diff(want, there); diff != "" {
			t.Errorf("%s, generated in another checkout:\n%s", name, diff)
		}
	}
}

// TestOrderOfKeysDoesNotMatter generates each case with the keys of its maps in other orders, save of those maps whose order is
// that of what is made: in two orders under the race detector, with which it takes ten times as long, and else in four.
func TestOrderOfKeysDoesNotMatter(t *testing.T) {
	t.Parallel()
	orders := 4
	if raced {
		orders = 2
	}
	specs := make([]string, orders)
	for seed := range specs {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		specs[seed] = checkout(t, func(name string, data []byte) []byte {
			if name == "options.yaml" || filepath.Ext(name) == ".lock" {
				return data
			}
			return shuffled(t, random, data)
		})
	}
	for _, name := range goldenCases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := contents(generateCase(t, filepath.Join(specsDir, name, "options.yaml"), generator.Check))
			for seed, dir := range specs {
				got := contents(generateCase(t, filepath.Join(dir, name, "options.yaml"), generator.Check))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("shuffled by seed %d (-document +shuffled):\n%s", seed, diff)
				}
			}
		})
	}
}

// ordered are the keys of maps whose order is kept: methods, types, fields, options and targets come in the order of the document,
// and values stay as they are written.
var ordered = []string{
	"paths", "schemas", "properties", "securitySchemes", "security", "content", "mapping", "targets", "headers", "scopes", "links", "callbacks", "webhooks",
	"definitions", "securityDefinitions",
}

// shuffled is a document with its keys in another order.
func shuffled(t *testing.T, random *rand.Rand, data []byte) []byte {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	shuffle(random, &doc, "")
	out, err := yaml.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// shuffle changes the order of the keys in and below a node, which stands under a key.
func shuffle(random *rand.Rand, n *yaml.Node, key string) {
	if key == "value" {
		return
	}
	if n.Kind != yaml.MappingNode {
		for _, item := range n.Content {
			shuffle(random, item, key)
		}
		return
	}
	for i := 0; i < len(n.Content); i += 2 {
		shuffle(random, n.Content[i+1], n.Content[i].Value)
	}
	if slices.Contains(ordered, key) || strings.HasPrefix(key, "/") || bringsTypes(n) {
		return
	}
	random.Shuffle(len(n.Content)/2, func(i, j int) {
		n.Content[2*i], n.Content[2*j] = n.Content[2*j], n.Content[2*i]
		n.Content[2*i+1], n.Content[2*j+1] = n.Content[2*j+1], n.Content[2*i+1]
	})
}

// bringsTypes reports whether a node is a document or an operation: types without a name come in the order of its keys.
func bringsTypes(n *yaml.Node) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i].Value; key == "openapi" || key == "swagger" || key == "responses" || key == "requestBody" {
			return true
		}
	}
	return false
}
