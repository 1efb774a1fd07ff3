package plan

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// declared returns the text of the declarations but that of the object that holds them.
func declaredText(p *Package) string {
	var b strings.Builder
	for _, d := range p.Types {
		if text := declText(d); !strings.HasPrefix(text, "Everything ") {
			b.WriteString(text)
		}
	}
	return b.String()
}

func TestMembers(t *testing.T) {
	t.Parallel()
	point := schema("Point", object(required("x", prim(model.Float64))))
	color := schema("Color", model.Enum{Base: model.String, Values: []model.EnumValue{{Text: "red"}, {Text: "blue"}}})
	either := schema("Either", model.Union{Variants: []model.Variant{
		{Hint: "string", Type: prim(model.String)}, {Hint: "Point", Type: ref("Point")},
	}})
	maybe := schema("Maybe", object(required("x", prim(model.Int))))
	maybe.Nullable = true
	tests := map[string]struct {
		field model.Field
		want  string
	}{
		"text":                      {required("a", prim(model.String)), `A string "a"`},
		"optional text":             {optional("a", prim(model.String)), `A wire.Opt[string] "a" omitzero`},
		"nullable text":             {model.Field{Name: "a", Elem: nullOf(prim(model.String)), Required: true}, `A wire.Null[string] "a"`},
		"optional nullable text":    {model.Field{Name: "a", Elem: nullOf(prim(model.String))}, `A wire.OptNull[string] "a" omitzero`},
		"integer without a format":  {required("a", prim(model.Int)), `A int64 "a"`},
		"decimal":                   {required("a", prim(model.Number)), `A json.Number "a"`},
		"time":                      {optional("a", prim(model.Time)), `A wire.Opt[time.Time] "a" omitzero`},
		"date":                      {required("a", prim(model.Date)), `A wire.Date "a"`},
		"bytes":                     {optional("a", prim(model.Bytes)), `A []byte "a" omitzero`},
		"nullable bytes":            {model.Field{Name: "a", Elem: nullOf(prim(model.Bytes))}, `A wire.OptNull[[]byte] "a" omitzero`},
		"null alone":                {required("a", prim(model.Null)), `A json.RawMessage "a"`},
		"any":                       {required("a", model.Any{}), `A json.RawMessage "a"`},
		"optional any":              {optional("a", model.Any{}), `A json.RawMessage "a" omitzero`},
		"optional nullable any":     {model.Field{Name: "a", Elem: nullOf(model.Any{})}, `A json.RawMessage "a" omitzero`},
		"enum":                      {optional("a", ref("Color")), `A wire.Opt[Color] "a" omitzero`},
		"union":                     {optional("a", ref("Either")), `A Either "a" omitzero`},
		"object":                    {required("a", ref("Point")), `A Point "a"`},
		"optional object":           {optional("a", ref("Point")), `A *Point "a" omitzero`},
		"nullable object":           {model.Field{Name: "a", Elem: nullOf(ref("Point")), Required: true}, `A *Point "a"`},
		"optional nullable object":  {model.Field{Name: "a", Elem: nullOf(ref("Point"))}, `A wire.OptNull[*Point] "a" omitzero`},
		"reference to a nullable":   {required("a", ref("Maybe")), `A *Maybe "a"`},
		"list":                      {required("a", model.Array{Elem: of(ref("Point"))}), `A []Point "a"`},
		"optional list":             {optional("a", model.Array{Elem: of(prim(model.String))}), `A []string "a" omitzero`},
		"nullable list":             {model.Field{Name: "a", Elem: nullOf(model.Array{Elem: of(prim(model.Bool))}), Required: true}, `A wire.Null[[]bool] "a"`},
		"list of nullables":         {required("a", model.Array{Elem: nullOf(prim(model.Int32))}), `A []wire.Null[int32] "a"`},
		"list of lists":             {required("a", model.Array{Elem: of(model.Array{Elem: of(prim(model.Float64))})}), `A [][]float64 "a"`},
		"map":                       {optional("a", model.Map{Elem: nullOf(prim(model.String))}), `A map[string]wire.Null[string] "a" omitzero`},
		"list of references to one": {required("a", model.Array{Elem: of(ref("Maybe"))}), `A []*Maybe "a"`},
		"free object":               {optional("a", model.Object{}), `A map[string]json.RawMessage "a" omitzero`},
		"server's own":              {model.Field{Name: "a", Elem: of(prim(model.String)), Required: true, ReadOnly: true}, `A string "a" omitzero`},
		"dangling reference":        {required("a", ref("Nowhere")), `A json.RawMessage "a"`},
		"comma in the key":          {required("a,b", prim(model.String)), `AB string "a,b" exact`},
		"dash":                      {required("-", prim(model.String)), `Dash string "-"`},
		"empty key":                 {required("", prim(model.String)), `Empty string "" exact`},
		"quotes":                    {required(`say "hi"`, prim(model.String)), `SayHi string "say \"hi\"" exact`},
		"backquote":                 {required("back`tick", prim(model.String)), `BackTick string "back` + "`" + `tick" exact`},
		"letters of all scripts":    {required("größe", prim(model.String)), `Größe string "größe"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := holding(point, color, either, maybe, schema("Holder", object(test.field)))
			pkg, list := resolveTest(t, api)
			wantDiags(t, list)
			for _, d := range pkg.Types {
				if text := declText(d); strings.HasPrefix(text, "Holder ") {
					wantText(t, text, "Holder struct\n  "+test.want)
					return
				}
			}
			t.Error("Holder is not declared")
		})
	}
}

func TestDeclarations(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		types []model.TypeDecl
		want  string
	}{
		"named scalars are aliases": {
			[]model.TypeDecl{schema("ID", prim(model.String)), schema("When", prim(model.Time)), schema("Meta", model.Any{})},
			"ID = string\nWhen = time.Time\nMeta = json.RawMessage\n",
		},
		"named references are aliases": {
			[]model.TypeDecl{schema("A", ref("B")), schema("B", object(required("x", prim(model.Int))))},
			"A = B\nB struct\n  X int64 \"x\"\n",
		},
		"named lists and maps are types, which may hold themselves": {
			[]model.TypeDecl{
				schema("Tree", model.Array{Elem: of(ref("Tree"))}), schema("Trie", model.Map{Elem: of(ref("Trie"))}), schema("Free", model.Object{}),
			},
			"Tree []Tree\nTrie map[string]Trie\nFree map[string]json.RawMessage\n",
		},
		"references that lead to themselves are any value": {
			[]model.TypeDecl{schema("A", ref("B")), schema("B", ref("A"))},
			"",
		},
		"a struct that would hold itself holds a pointer": {
			[]model.TypeDecl{schema("Node", object(required("next", ref("Node")), optional("other", ref("Node")),
				model.Field{Name: "null", Elem: nullOf(ref("Node"))}, required("list", model.Array{Elem: of(ref("Node"))})))},
			`
Node struct
  Next *Node "next"
  Other *Node "other" omitzero
  Null wire.OptNull[*Node] "null" omitzero
  List []Node "list"
`,
		},
		"a ring over several structs and an alias": {
			[]model.TypeDecl{
				schema("A", object(required("b", ref("AliasOfB")), required("leaf", ref("Leaf")))), schema("AliasOfB", ref("B")),
				schema("B", object(required("a", ref("A")))), schema("Leaf", object(required("x", prim(model.Int)))),
			},

			`
A struct
  B *AliasOfB "b"
  Leaf Leaf "leaf"
AliasOfB = B
B struct
  A *A "a"
Leaf struct
  X int64 "x"
`,
		},
		"a union ends a ring": {
			[]model.TypeDecl{
				schema("Expr", object(required("left", ref("Operand")))),
				schema("Operand", model.Union{Variants: []model.Variant{{Hint: "Expr", Type: ref("Expr")}, {Hint: "number", Type: prim(model.Float64)}}}),
			},
			`
Expr struct
  Left Operand "left"
Operand union
  Expr OperandOfExpr Expr tags=[] kinds=["object"] required=[]
  Float OperandOfFloat float64 tags=[] kinds=["number"] required=[]
`,
		},
		"additional properties": {
			[]model.TypeDecl{
				schema("Open", model.Object{Fields: []model.Field{optional("extra", prim(model.String))}, Additional: &model.Elem{Type: prim(model.Int)}}),
				schema("OnlyOpen", model.Object{Additional: &model.Elem{Type: prim(model.Int), Nullable: true}}),
			},
			`
Open struct
  Extra wire.Opt[string] "extra" omitzero
  ExtraFields map[string]int64
OnlyOpen map[string]wire.Null[int64]
`,
		},
		"names that become one, and the names of methods": {
			[]model.TypeDecl{schema("Host", object(
				required("host-fqdn", prim(model.Int)), required("host_fqdn", prim(model.Int)), required("hostFqdn", prim(model.Int)),
				required("HostFqdn", prim(model.Int)), required("name", prim(model.Int)), required("Name", prim(model.Int)), required("NAME", prim(model.Int)),
				required("a", prim(model.Int)), required("A", prim(model.Int)), required("@type", prim(model.Int)), required("type", prim(model.Int)),
				required("_type", prim(model.Int)), required("$type", prim(model.Int)), required("1st", prim(model.Int)),
				required("+1", prim(model.Int)), required("-1", prim(model.Int)), required("String", prim(model.Int)), required("MarshalJSON", prim(model.Int)),
				required("ʘ", prim(model.Int)), required("👍", prim(model.Int)),
			))},
			`
Host struct
  HostDashFqdn int64 "host-fqdn"
  HostUnderscoreFqdn int64 "host_fqdn"
  HostFqdnLower int64 "hostFqdn"
  HostFqdn int64 "HostFqdn"
  NameLower int64 "name"
  Name int64 "Name"
  NAME int64 "NAME"
  ALower int64 "a"
  A int64 "A"
  AtType int64 "@type"
  Type int64 "type"
  UnderscoreType int64 "_type"
  DollarType int64 "$type"
  Field1st int64 "1st"
  Plus1 int64 "+1"
  Minus1 int64 "-1"
  String int64 "String"
  MarshalJSONField int64 "MarshalJSON"
  Fieldʘ int64 "ʘ"
  U1F44D int64 "👍" exact
`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, holding(test.types...))
			wantDiags(t, list)
			wantText(t, declaredText(pkg), test.want)
		})
	}
}

func TestEnums(t *testing.T) {
	t.Parallel()
	enum := func(base model.PrimitiveKind, values ...string) model.Enum {
		e := model.Enum{Base: base}
		for _, v := range values {
			e.Values = append(e.Values, model.EnumValue{Text: v})
		}
		return e
	}
	tests := map[string]struct {
		enum model.Enum
		want string
	}{
		"words": {enum(model.String, "in_progress", "IN_REVIEW", "gpt-4o", "USD", "32bit"), `
E enum string
  EInProgress = "in_progress"
  EInReview = "IN_REVIEW"
  EGpt4o = "gpt-4o"
  EUSD = "USD"
  E32bit = "32bit"
`},
		"punctuation": {enum(model.String, "*", "<", "<=", "=", "==", "!=", "+", "-", "/", ".", "", " ", "_", "__", "$op", "op"), `
E enum string
  EStar = "*"
  ELess = "<"
  ELessEqual = "<="
  EEqual = "="
  EEqualEqual = "=="
  EBangEqual = "!="
  EPlus = "+"
  EDash = "-"
  ESlash = "/"
  EDot = "."
  EEmpty = ""
  ESpace = " "
  EUnderscore = "_"
  EUnderscoreUnderscore = "__"
  EDollarOp = "$op"
  EOp = "op"
`},
		"twins": {enum(model.String, "Open", "open", "OPEN", "Etc/GMT0", "Etc/GMT+0", "Etc/GMT-0", "GPL-3.0", "GPL-3.0+", "@value", "-value", "value"), `
E enum string
  EOpen = "Open"
  EOpenLower = "open"
  EOPEN = "OPEN"
  EEtcGMT0 = "Etc/GMT0"
  EEtcGMTPlus0 = "Etc/GMT+0"
  EEtcSlashGMTDash0 = "Etc/GMT-0"
  EGPL30 = "GPL-3.0"
  EGPL30Plus = "GPL-3.0+"
  EAtValue = "@value"
  EDashValue = "-value"
  EValue = "value"
`},
		"integers": {enum(model.Int32, "1", "-1", "0", "07", "99999999999", "1"), `
E enum int32
  E1 = 1
  EMinus1 = -1
  E0 = 0
  E07 = 7
`},
		"numbers": {enum(model.Float64, "1.5", "15", "-0.25", "1e3", "NaN"), `
E enum float64
  E1Point5 = 1.5
  E15 = 15
  EMinus0Point25 = -0.25
  E1e3 = 1000
`},
		"a constant":       {enum(model.String, "task"), "E enum string const\n  ETask = \"task\"\n"},
		"a constant zero":  {enum(model.Int, "0"), "E enum int64\n  E0 = 0\n"},
		"no known value":   {enum(model.String), "E = string\n"},
		"hostile text":     {enum(model.String, "\"; import \"os\"\n//", "\u202e", "\xff"), "E enum string\n  EImportOs = \"\\\"; import \\\"os\\\"\\n//\"\n  EU202E = \"\\u202e\"\n  EUFFFD = \"\\xff\"\n"},
		"author's own":     {model.Enum{Base: model.Int, Values: []model.EnumValue{{Text: "1", Name: "low"}, {Text: "2", Name: "high_level"}}}, "E enum int64\n  ELow = 1\n  EHighLevel = 2\n"},
		"keywords are not": {enum(model.String, "type", "len", "nil"), "E enum string\n  EType = \"type\"\n  ELen = \"len\"\n  ENil = \"nil\"\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, holding(schema("E", test.enum)))
			wantDiags(t, list)
			wantText(t, declaredText(pkg), test.want)
		})
	}
}

func TestUnions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		types []model.TypeDecl
		want  string
	}{
		"by kind": {
			[]model.TypeDecl{
				schema("Part", object(required("x", prim(model.Int)))),
				schema("Content", model.Union{Variants: []model.Variant{
					{Hint: "string", Type: prim(model.String)},
					{Hint: "list of Part", Type: model.Array{Elem: of(ref("Part"))}},
					{Hint: "list of list of integer", Type: model.Array{Elem: of(model.Array{Elem: of(prim(model.Int))})}},
					{Hint: "any", Type: model.Any{}},
				}}),
			},
			`
Part struct
  X int64 "x"
Content union
  String ContentOfString string tags=[] kinds=["string"] required=[]
  PartList ContentOfPartList []Part tags=[] kinds=["array"] required=[]
  IntListList ContentOfIntListList [][]int64 tags=[] kinds=["array"] required=[]
  Any ContentOfAny json.RawMessage tags=[] kinds=[] required=[]
`,
		},
		"by required fields": {
			[]model.TypeDecl{
				schema("Narrow", object(required("id", prim(model.Int)), required("a", prim(model.Int)))),
				schema("Wide", object(required("id", prim(model.Int)), required("a", prim(model.Int)), required("b", prim(model.Int)))),
				schema("Loose", object(required("id", prim(model.Int)), optional("c", prim(model.Int)))),
				schema("One", model.Union{Variants: []model.Variant{
					{Hint: "Narrow", Type: ref("Narrow")}, {Hint: "Wide", Type: ref("Wide")}, {Hint: "Loose", Type: ref("Loose")},
				}}),
			},
			`
Narrow struct
  ID int64 "id"
  A int64 "a"
Wide struct
  ID int64 "id"
  A int64 "a"
  B int64 "b"
Loose struct
  ID int64 "id"
  C wire.Opt[int64] "c" omitzero
One union
  Narrow OneOfNarrow Narrow tags=[] kinds=["object"] required=["a"]
  Wide OneOfWide Wide tags=[] kinds=["object"] required=["a" "b"]
  Loose OneOfLoose Loose tags=[] kinds=["object"] required=[]
`,
		},
		"by discriminator, one variant told by its kind": {
			[]model.TypeDecl{
				schema("Card", object(required("kind", prim(model.String)))),
				schema("Method", model.Union{
					Discriminator: &model.Discriminator{Field: "kind"},
					Variants:      []model.Variant{{Hint: "Card", Type: ref("Card"), Tags: []string{"Card", "card"}}, {Hint: "string", Type: prim(model.String)}},
				}),
			},
			`
Card struct
  Kind string "kind"
Method union by "kind" KindTag()
  Card MethodOfCard Card tags=["Card" "card"] kinds=[] required=[]
  String MethodOfString string tags=[] kinds=["string"] required=[]
`,
		},
		"twins among the variants": {
			[]model.TypeDecl{schema("U", model.Union{Variants: []model.Variant{
				{Hint: "first text", Type: prim(model.String)}, {Hint: "second text", Type: prim(model.String)}, {Hint: "second text", Type: prim(model.String)},
			}})},
			`
U union
  String UOfString string tags=[] kinds=["string"] required=[]
  SecondText UOfSecondText string tags=[] kinds=["string"] required=[]
  String2 UOfString2 string tags=[] kinds=["string"] required=[]
`,
		},
		"lists that hold themselves": {
			[]model.TypeDecl{
				inlineType("#/loop", []string{"loop"}, model.Array{Elem: of(model.Ref{ID: "#/loop"})}),
				schema("U", model.Union{Variants: []model.Variant{{Hint: "list", Type: model.Ref{ID: "#/loop"}}, {Hint: "map", Type: model.Map{Elem: of(model.Any{})}}}}),
			},
			`
Loop []Loop
U union
  ListListList UOfListListList Loop tags=[] kinds=["array"] required=[]
  Map UOfMap map[string]json.RawMessage tags=[] kinds=["object"] required=[]
`,
		},
		"a union of itself": {
			[]model.TypeDecl{schema("U", model.Union{Variants: []model.Variant{{Hint: "U", Type: ref("U")}, {Hint: "bool", Type: prim(model.Bool)}}})},
			`
U union
  U UOfU U tags=[] kinds=["boolean"] required=[]
  Bool UOfBool bool tags=[] kinds=["boolean"] required=[]
`,
		},
		"discriminators that are names of the union": {
			[]model.TypeDecl{
				schema("A", object(required("x", prim(model.String)))),
				schema("U", model.Union{Discriminator: &model.Discriminator{Field: "as_a"}, Variants: []model.Variant{{Hint: "A", Type: ref("A"), Tags: []string{"a"}}}}),
				schema("V", model.Union{Discriminator: &model.Discriminator{Field: "union"}, Variants: []model.Variant{{Hint: "A", Type: ref("A"), Tags: []string{"a"}}}}),
				schema("W", model.Union{}),
				schema("X", model.Union{Discriminator: &model.Discriminator{Field: "gob_encode"}, Variants: []model.Variant{{Hint: "A", Type: ref("A"), Tags: []string{"a"}}}}),
			},
			`
A struct
  X string "x"
U union by "as_a" AsATag()
  A UOfA A tags=["a"] kinds=[] required=[]
V union by "union" UnionTag()
  A VOfA A tags=["a"] kinds=[] required=[]
W = json.RawMessage
X union by "gob_encode" GobEncodeTag()
  A XOfA A tags=["a"] kinds=[] required=[]
`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg, list := resolveTest(t, holding(test.types...))
			wantDiags(t, list)
			wantText(t, declaredText(pkg), test.want)
		})
	}
}
