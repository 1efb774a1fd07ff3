package sample_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/sample"
)

// TestCorpus makes the samples of real documents, which are no part of the repository.
func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("RESGEN_CORPUS")
	if dir == "" {
		t.Skip("RESGEN_CORPUS is not set: `make corpus` runs this, or RESGEN_CORPUS=folder of OpenAPI documents")
	}
	names, _ := filepath.Glob(filepath.Join(dir, "visible", "*.*"))
	if len(names) == 0 {
		t.Fatalf("RESGEN_CORPUS: no documents in %s", filepath.Join(dir, "visible"))
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".tsv") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			pkg := planOf(t, name, data, "")
			if pkg == nil {
				t.Skip("not an OpenAPI 3 document")
			}
			checkSamples(t, pkg, newOracle(data))
		})
	}
}

// excused are how many samples of a document are not valid by its own schemas: these contradict themselves, forbid in one part of allOf what
// another has, list objects as an enum, or require one of several members that are all optional; a Go type says none of that.
var excused = map[string]int{
	"assemblyai.yaml": 1, "atlassian-com-jira.json": 2, "britbox-co-uk.json": 2, "edge-kin-origin-any-fields.yaml": 1,
	"edge-ogen-positive-oneOf-single.json": 1, "edge-progenitor-buildomat.json": 1, "github.json": 3, "openai.yaml": 3, "vercel-com.json": 3,
}

// unmade are how many samples of a document cannot be made: the media type of a body is */*, and only the caller knows which it is.
var unmade = map[string]int{"edge-pyclient-baseline-openapi-3-0.json": 1, "edge-pyclient-baseline-openapi-3-1.yaml": 1}

// checkSamples makes the samples of all operations, and has the oracle judge them.
func checkSamples(t *testing.T, pkg *plan.Package, o *oracle) {
	t.Helper()
	m := sample.New(pkg)
	all, none, wrong := 2*len(pkg.Client.Operations), 0, 0
	for i := range pkg.Client.Operations {
		op := &pkg.Client.Operations[i]
		literal, err := m.Request(op)
		if err == nil && o != nil {
			if bad := o.request(op, literal.JSON); bad != nil {
				wrong++
				t.Logf("request of %s: %s is not valid: %.300v", op.GoName, literal.JSON, bad)
			}
		}
		answer, err2 := m.Answer(op)
		if err2 == nil && o != nil {
			if bad := o.answer(op, answer); bad != nil {
				wrong++
				t.Logf("answer of %s: %s is not valid: %.300v", op.GoName, answer.Body, bad)
			}
		}
		for _, err := range []error{err, err2} {
			if err != nil {
				none++
				t.Log(err)
			}
		}
	}
	if none > unmade[path.Base(t.Name())] || wrong > excused[path.Base(t.Name())] {
		t.Errorf("of %d samples %d could not be made, and %d are not valid", all, none, wrong)
	}
}
