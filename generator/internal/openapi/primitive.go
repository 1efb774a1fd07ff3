package openapi

import (
	"math/big"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// primitive makes the type of a scalar. The first leaf that names a format counts.
func primitive(leaves []part, kind string) model.Type {
	out := model.Primitive{}
	encoding := ""
	for _, leaf := range leaves {
		schema := leaf.kin()
		if out.Format == "" {
			out.Format = schema.Format
		}
		if encoding == "" {
			encoding = schema.ContentEncoding
		}
	}
	switch kind {
	case openapi3.TypeBoolean:
		out.Kind = model.Bool
	case openapi3.TypeInteger:
		out.Kind = integerKind(out.Format, leaves)
	case openapi3.TypeNumber:
		out.Kind = numberKind(out.Format)
	case openapi3.TypeNull:
		out.Kind = model.Null
	default:
		out.Kind = stringKind(out.Format, encoding)
	}
	return out
}

// stringKind tells a string by its format. Bytes are text in JSON; where they are not, raw says so.
func stringKind(format, encoding string) model.PrimitiveKind {
	switch {
	case format == "byte" || encoding == "base64":
		return model.Bytes
	case format == "date-time":
		return model.Time
	case format == "date":
		return model.Date
	default:
		return model.String
	}
}

// numberKind tells a number by its format.
func numberKind(format string) model.PrimitiveKind {
	switch format {
	case "float", "float32":
		return model.Float32
	case "decimal":
		return model.Number
	case "int32", "int64", "integer", "int", "uint64", "uint32":
		return integerKind(format, nil)
	default:
		return model.Float64
	}
}

// integerKind tells an integer by its format, in the spellings that are in use, else by its bounds.
func integerKind(format string, leaves []part) model.PrimitiveKind {
	switch format {
	case "int32", "int16", "int8":
		return model.Int32
	case "int64", "long":
		return model.Int64
	case "uint32", "uint16", "uint8", "u-int32", "u-int16", "u-int8":
		return model.Uint32
	case "uint64", "uint", "u-int64":
		return model.Uint64
	case "decimal", "bigint", "int128", "uint128":
		return model.Number
	default:
		return boundedKind(leaves)
	}
}

// boundedKind is the kind of an integer without a known format: one whose bounds say that it goes beyond 64 bits keeps its
// digits. Bounds that a floating-point number has rounded up to the next power of two are those of 64 bits.
func boundedKind(leaves []part) model.PrimitiveKind {
	const beyondInt64, beyondUint64 = 1 << 63, 1 << 64
	kind := model.Int
	for _, leaf := range leaves {
		lowest, highest := bound(leaf.node, "minimum"), bound(leaf.node, "maximum")
		switch {
		case highest > beyondUint64 || lowest < -beyondInt64 || highest > beyondInt64 && lowest < 0:
			return model.Number
		case highest > beyondInt64:
			kind = model.Uint64
		}
		for _, v := range leaf.values() {
			digits, ok := wholeNumber(v.Text)
			if _, err := strconv.ParseInt(digits, 10, 64); !ok || err == nil {
				continue
			}
			if _, err := strconv.ParseUint(digits, 10, 64); err != nil {
				return model.Number
			}
			kind = model.Uint64
		}
	}
	return kind
}

// bound returns a bound roughly, 0 where there is none.
func bound(node *source.Value, key string) float64 {
	f, err := strconv.ParseFloat(textOf(node.Get(key)), 64)
	if err != nil && f == 0 { // out of range is infinite, and means what it says
		return 0
	}
	return f
}

// kindOfFormat returns the type that a schema without one must mean by its format, empty where that is open.
func kindOfFormat(format string) string {
	switch format {
	case "date-time", "date", "byte", "binary", "uuid", "uri", "email", "password", "hostname", "ipv4", "ipv6", "duration", "time":
		return openapi3.TypeString
	case "int32", "int64", "uint32", "uint64":
		return openapi3.TypeInteger
	case "float", "double", "decimal":
		return openapi3.TypeNumber
	default:
		return ""
	}
}

// wholeNumber returns a number's digits as an integer, where it is one: 1.0 and 1e3 are.
func wholeNumber(text string) (string, bool) {
	const longest = 40 // digits; a longer text could be an exponent that fills the memory
	if len(text) > longest {
		return "", false
	}
	if f, err := strconv.ParseFloat(text, 64); err != nil || f > 1e40 || f < -1e40 || f != 0 && f > -1e-40 && f < 1e-40 {
		return "", false
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || !r.IsInt() {
		return "", false
	}
	return r.Num().String(), true
}
