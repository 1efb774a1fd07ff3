package plan

import (
	"math"
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// enumBase is the Go type under an enum.
func enumBase(k model.PrimitiveKind) GoType {
	switch k {
	case model.String, model.Bool, model.Int, model.Int32, model.Int64, model.Uint32, model.Uint64, model.Float32, model.Float64:
		return primitive(k)
	default:
		return stringType
	}
}

// declareEnum makes the defined type of an enum with a constant for each known value. Values that are no literal of the base,
// and repeated ones, have no constant; they still are values.
func declareEnum(d *declared, e model.Enum) TypeDecl {
	base, isBasic := enumBase(e.Base).(Basic)
	if !isBasic {
		base = stringType
	}
	out := &EnumDecl{Decl: d.decl(), Base: base}
	seen := map[string]bool{}
	for i := range e.Values {
		literal, ok := enumLiteral(base.Name, e.Values[i].Text)
		if !ok || seen[literal] {
			continue
		}
		seen[literal] = true
		out.Values = append(out.Values, EnumValue{Name: d.constants[i], Literal: literal, Doc: comment(e.Values[i].Doc)})
	}
	if len(out.Values) == 0 {
		return &DefinedDecl{Decl: d.decl(), Type: base, Alias: true}
	}
	out.Const = len(out.Values) == 1 && !isZeroLiteral(out.Values[0].Literal)
	return out
}

// enumLiteral spells a value as a Go literal of the base.
func enumLiteral(base, text string) (string, bool) {
	switch base {
	case "string":
		return strconv.Quote(text), true
	case "bool":
		return text, text == "true" || text == "false"
	case "float32", "float64":
		f, err := strconv.ParseFloat(text, bitsOf(base))
		return strconv.FormatFloat(f, 'g', -1, bitsOf(base)), err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	case "uint32", "uint64":
		n, err := strconv.ParseUint(text, 10, bitsOf(base))
		return strconv.FormatUint(n, 10), err == nil
	default:
		n, err := strconv.ParseInt(text, 10, bitsOf(base))
		return strconv.FormatInt(n, 10), err == nil
	}
}

func bitsOf(base string) int {
	switch base {
	case "int32", "uint32", "float32":
		return 32
	default:
		return 64
	}
}

func isZeroLiteral(literal string) bool {
	return literal == `""` || literal == "0" || literal == "false"
}
