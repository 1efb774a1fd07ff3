package swagger

import (
	"fmt"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

func inputOf(t *testing.T, text string) Input {
	t.Helper()
	tree, err := source.Read("doc.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Input{Tree: tree, List: &diag.List{}, Find: func(file, ref string) (Target, bool) {
		v, err := tree.LookupFragment(ref)
		return Target{Value: v, File: file}, err == nil
	}}
}

// TestCopiesEnd converts a document that has repeated as much as it may: the rest is empty, which is said once, and nothing is lost.
func TestCopiesEnd(t *testing.T) {
	t.Parallel()
	in := inputOf(t, `{swagger: '2.0', responses: {R: {description: R., headers: {H: {type: string}}, schema: {type: object}}},
		definitions: {A: {discriminator: kind}, B: {allOf: [{$ref: '#/definitions/A'}]}},
		paths: {/a: {get: {responses: {200: {$ref: '#/responses/R'}}}, post: {parameters: [{name: f, in: formData, type: string}]}}}}`)
	c := newConverter(in)
	c.ledger.spent = maxCopies
	out := c.document30()
	if all := in.List.Sorted(); len(all) != 1 || all[0].Code != diag.LimitExceeded {
		t.Errorf("reported %+v, want %s once", all, diag.LimitExceeded)
	}
	for _, method := range []string{"get", "post"} {
		if out.At("paths", "/a", method) == nil {
			t.Errorf("%s is lost", method)
		}
	}
}

// TestMediaTypesEnd reads so many media types and no more, and says so once.
func TestMediaTypesEnd(t *testing.T) {
	t.Parallel()
	var types strings.Builder
	for i := range maxTypes + 1 {
		fmt.Fprintf(&types, "a/%d,", i)
	}
	in := inputOf(t, `{swagger: '2.0', produces: [`+types.String()+`], paths: {/a: {get: {responses: {200: {schema: {}}}},
		put: {responses: {200: {schema: {}}}}}}}`)
	out := Convert(in)
	if got := len(out.At("paths", "/a", "put", "responses", "200", "content").Map); got != maxTypes {
		t.Errorf("%d media types, want %d", got, maxTypes)
	}
	if all := in.List.Sorted(); len(all) != 1 || all[0].Code != diag.Unconverted {
		t.Errorf("reported %+v, want %s once", all, diag.Unconverted)
	}
}
