package plan

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// TestSizes declares a chain of objects, each of which requires the next one twice: held by value throughout, the first would be
// larger than any memory.
func TestSizes(t *testing.T) {
	t.Parallel()
	const length = 100
	name := func(i int) string { return "S" + strconv.Itoa(i) }
	var chain []model.TypeDecl
	for i := range length {
		chain = append(chain, schema(name(i), object(required("a", ref(name(i+1))), required("b", ref(name(i+1))))))
	}
	chain = append(chain, schema(name(length), object(required("x", prim(model.String)))))
	pkg, list := resolveTest(t, holding(chain...))
	wantDiags(t, list)
	size := map[string]int{}
	for _, decl := range slices.Backward(pkg.Types) { // each holds the next one
		d, isStruct := decl.(*StructDecl)
		if !isStruct || !strings.HasPrefix(d.Name, "S") {
			continue
		}
		for _, f := range d.Fields {
			size[d.Name]++
			held, isValue := f.Type.(Local)
			if isValue && size[held.Name] > maxSize {
				t.Errorf("%s holds a value of %d fields", d.Name, size[held.Name])
			}
			if isValue {
				size[d.Name] += size[held.Name]
			}
		}
	}
	if size["S99"] == 0 || size["S92"] < size["S99"]*100 {
		t.Errorf("S99 has %d fields and S92 %d: small structs are held by value", size["S99"], size["S92"])
	}
}
