package emit

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dave/jennifer/jen"
	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/policy"
)

// fill sets every field of a policy value to something that is not its zero value, and tells fields and rounds apart.
type fill struct{ n, round int }

func (f *fill) set(t *testing.T, v reflect.Value) {
	t.Helper()
	f.n++
	switch {
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			f.set(t, field)
		}
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.set(t, v.Index(0))
		f.set(t, v.Index(1))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.Kind() == reflect.String:
		v.SetString(strings.Repeat("x", f.n) + "\"\\\n`*/\u202e\x00é" + string(rune('a'+f.round)))
	case v.Type() == durationType:
		units := []time.Duration{time.Nanosecond, time.Microsecond, time.Millisecond, time.Second, time.Minute, time.Hour}
		v.SetInt(int64(time.Duration(f.n%7+1) * units[(f.n+f.round)%len(units)]))
	case v.CanInt():
		v.SetInt(int64(f.n))
	case v.CanUint():
		v.SetUint(uint64((f.n+f.round)%5 + 1)) // some constants have names, some have none
	case v.CanFloat():
		v.SetFloat(float64(f.n) / 7)
	default:
		t.Fatalf("the test cannot fill a %s: can the printer print it?", v.Type())
	}
}

// TestLiteralsCompileToEqualValues prints plans in which every field is set, compiles them and compares the values.
func TestLiteralsCompileToEqualValues(t *testing.T) {
	t.Parallel()
	plans := make([]policy.Plan, 6)
	literals := make([]jen.Code, len(plans))
	for i := range plans {
		f := fill{round: i}
		f.set(t, reflect.ValueOf(&plans[i]).Elem())
		n, err := literalOf(reflect.ValueOf(plans[i]))
		if err != nil {
			t.Fatal(err)
		}
		literals[i] = n.broken()
	}
	got := runProgram(t, jen.Index().Qual(policyPath, "Plan").Values(literals...))
	want, err := json.Marshal(plans)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the printed plans differ from the values (-want +got):\n%s", diff)
	}
}

// TestEveryEnumValueHasItsConstant walks the table of constants, and the values of each enum that a plan can hold.
func TestEveryEnumValueHasItsConstant(t *testing.T) {
	t.Parallel()
	enums := map[reflect.Type]bool{}
	collectEnums(reflect.TypeFor[policy.Plan](), enums)
	var names []jen.Code
	var want []uint64
	for typ := range enums {
		values := policyConstants[typ.Name()]
		if len(values) < 2 {
			t.Errorf("%s has %d constants in the table", typ, len(values))
		}
		for value, name := range values {
			v := reflect.New(typ).Elem()
			v.SetUint(value)
			n, err := literalOf(v)
			if err != nil {
				t.Fatal(err)
			}
			if wantText := "policy." + name; n.text != wantText {
				t.Errorf("%s %d is printed as %s, want %s", typ, value, n.text, wantText)
			}
			names = append(names, jen.Uint64().Call(n.expr(0)))
			want = append(want, value)
		}
		unknown := reflect.New(typ).Elem()
		unknown.SetUint(250)
		if n, err := literalOf(unknown); err != nil || n.text != typ.String()+"(250)" {
			t.Errorf("an unknown %s is printed as %v (%v)", typ, n, err)
		}
	}
	wantText, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(wantText), runProgram(t, jen.Index().Uint64().Values(names...))); diff != "" {
		t.Errorf("the constants have other values than the table says (-table +package):\n%s", diff)
	}
}

func collectEnums(t reflect.Type, found map[reflect.Type]bool) {
	switch {
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			collectEnums(f.Type, found)
		}
	case t.Kind() == reflect.Slice:
		collectEnums(t.Elem(), found)
	case t.Kind() == reflect.Uint8 && t.PkgPath() == policyPath:
		found[t] = true
	}
}

// runProgram compiles and runs a program that prints a value as JSON.
func runProgram(t *testing.T, value jen.Code) string {
	t.Helper()
	f := jen.NewFile("main")
	f.ImportName(policyPath, "policy")
	f.Func().Id("main").Params().Block(
		jen.List(jen.Id("data"), jen.Err()).Op(":=").Qual("encoding/json", "Marshal").Call(value),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Panic(jen.Err())),
		jen.Qual("os", "Stdout").Dot("Write").Call(jen.Id("data")),
	)
	var source bytes.Buffer
	if err := f.Render(&source); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(path, source.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", path) // in this folder: the program sees this module
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go run: %v\n%s\n%s", err, stderr.String(), source.String())
	}
	return string(out)
}

func TestScalarLiterals(t *testing.T) {
	t.Parallel()
	type named string
	for _, c := range []struct {
		value any
		want  string
	}{
		{30 * time.Second, "30 * time.Second"},
		{1500 * time.Millisecond, "1500 * time.Millisecond"},
		{time.Minute, "time.Minute"},
		{90 * time.Second, "90 * time.Second"},
		{24 * time.Hour, "24 * time.Hour"},
		{time.Duration(1001), "1001 * time.Nanosecond"},
		{-time.Second, "-1 * time.Second"},
		{0.2, "0.2"},
		{2.0, "2"},
		{1e-9, "1e-09"},
		{1e21, "1e+21"},
		{-3, "-3"},
		{true, "true"},
		{"a\"b\n\u202e", `"a\"b\n\u202e"`},
		{named("x"), `emit.named("x")`},
		{policy.KindThrottle, "policy.KindThrottle"},
		{policy.KindSet(6), "policy.KindSet(6)"},
		{[]string{"a", "b"}, `[]string{"a", "b"}`},
		{[]policy.Kind{policy.KindThrottle, 200}, "[]policy.Kind{policy.KindThrottle, policy.Kind(200)}"},
		{[]policy.Rung{{Name: "a"}, {}}, `[]policy.Rung{{Name: "a"}, {}}`},
		{policy.Retry{}, "policy.Retry{}"},
	} {
		n, err := literalOf(reflect.ValueOf(c.value))
		if err != nil {
			t.Errorf("%v: %v", c.value, err)
			continue
		}
		if n.text != c.want {
			t.Errorf("%v is printed as %s, want %s", c.value, n.text, c.want)
		}
	}
}

func TestLiteralsRefuseWhatHasNoSpelling(t *testing.T) {
	t.Parallel()
	zero := 0.0
	for _, v := range []any{
		struct{ unexported int }{1},
		map[string]int{"a": 1},
		&zero,
		[1]int{1},
		func() {}, 1 / zero, complex(1, 1),
		[]any{1},
		struct{ A struct{ B map[string]int } }{struct{ B map[string]int }{map[string]int{"a": 1}}},
	} {
		if n, err := literalOf(reflect.ValueOf(v)); err == nil {
			t.Errorf("%#v is printed as %s, want an error", v, n.text)
		}
	}
}
