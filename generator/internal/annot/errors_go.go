package annot

import (
	"regexp"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// GoSort says how an error is asked if it is of a kind. The zero value is GoName.
type GoSort uint8

// The sorts.
const (
	// GoName leaves it to what the name stands for: a variable is GoIs, a type GoAs, a function GoFunc.
	GoName GoSort = iota
	// GoIs asks if the error is a variable, by errors.Is.
	GoIs
	// GoAs asks if it holds a type, by errors.As.
	GoAs
	// GoFunc asks a function.
	GoFunc
)

// goSortKeys are the sorts as annotations spell them.
var goSortKeys = map[GoSort]string{GoIs: "is", GoAs: "as", GoFunc: "func"}

// GoRule says of which kind an error of a Go method is.
type GoRule struct {
	// Kind is what a match means. KindNone leaves it to a function: one that returns a bool means transient, one that returns a kind that.
	Kind policy.Kind
	Sort GoSort
	// Name is the Go name as written: "ErrBusy", "*net.OpError", "github.com/acme/store.IsBusy".
	Name string
	Pos  source.Pos
}

// errorFacts are what `errors` says.
type errorFacts struct {
	policy.Errors

	// underKind are the rules on answers under the names of kinds: they come after those that name their kind, in the order of the names.
	underKind []policy.AnswerRule
	goRules   []GoRule
}

// goPattern is a Go name: perhaps a pointer, perhaps in a package that is named or given by its path.
var goPattern = regexp.MustCompile(`^\*?([A-Za-z0-9_~./-]+\.)?[\pL_][\pL\p{Nd}_]*$`)

func isGoName(text string) bool {
	const longest = 256
	return len(text) <= longest && goPattern.MatchString(text)
}

func goNameShape(form, example string) scalar {
	return scalar{
		form: form, example: example, kind: source.String, schema: &schema{Type: "string", Pattern: goPattern.String()},
		test: func(text string) string {
			if isGoName(text) {
				return ""
			}
			return "is no Go name: " + quote(text)
		},
	}
}

// oneOrMore is a list, or one of its items in place of a list of one.
type oneOrMore struct {
	listOf

	single source.Kind
}

func (s oneOrMore) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == s.single {
		return s.listOf.check(c, &source.Value{Pos: v.Pos, Kind: source.List, List: []source.Value{*v}})
	}
	return s.listOf.check(c, v)
}

func (s oneOrMore) describe() description {
	d := s.listOf.describe()
	d.schema = &schema{AnyOf: []*schema{s.item.describe().schema, d.schema}}
	return d
}

func goNames(form, example string) oneOrMore {
	return oneOrMore{listOf: listOf{item: goNameShape("a Go name", example), form: form, example: "[" + example + "]"}, single: source.String}
}

// byKind is a list of Go names of the kind transient, or an object of such lists by kind.
type byKind struct {
	names oneOrMore
	kinds record[[]GoRule]
}

// makeByKind has the keys of errors that name Go sentinels and types.
func makeByKind(sort GoSort, form, example string) byKind {
	s := byKind{names: goNames(form, example)}
	for _, k := range failureKinds() {
		s.kinds = append(s.kinds, field[[]GoRule]{
			key: k.String(), doc: "Those of the kind `" + k.String() + "`.", shape: s.names,
			put: func(rules *[]GoRule, v *source.Value) {
				for i := range v.List {
					*rules = append(*rules, GoRule{Kind: k, Sort: sort, Name: v.List[i].Text, Pos: v.List[i].Pos})
				}
			},
		})
	}
	return s
}

func (s byKind) check(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.Map {
		return s.kinds.check(c, v)
	}
	list, ok := s.names.check(c, v)
	if !ok {
		return list, false
	}
	return source.Value{Pos: v.Pos, Kind: source.Map, Map: []source.Field{{Key: policy.KindTransient.String(), KeyPos: v.Pos, Value: list}}}, true
}

func (s byKind) describe() description {
	d, names := s.kinds.describe(), s.names.describe()
	return description{form: names.form + ", or an object of such lists by kind", schema: &schema{AnyOf: []*schema{names.schema, d.schema}}}
}

// goErrors is a key of errors that names Go sentinels or types.
func goErrors(sort GoSort, doc, form, example string) field[errorFacts] {
	shape := makeByKind(sort, form, example)
	return field[errorFacts]{
		key: goSortKeys[sort], doc: "For methods of Go interfaces: " + doc + "; a list is of the kind `transient`.", shape: shape,
		put: func(e *errorFacts, v *source.Value) { shape.kinds.decode(&e.goRules, v) },
	}
}

// goFunc is the key of errors that names a function for all errors.
func goFunc() field[errorFacts] {
	return field[errorFacts]{
		key: goSortKeys[GoFunc],
		doc: "For methods of Go interfaces: a function that says of which kind an error is: `func(error) bool`, true for `transient`, or " +
			"`func(error) runtime.Kind`, which leaves what it does not know to the other rules by `policy.KindNone`.",
		shape: goNameShape("the name of a Go function", "isTransient"),
		put: func(e *errorFacts, v *source.Value) {
			e.goRules = append(e.goRules, GoRule{Sort: GoFunc, Name: v.Text, Pos: v.Pos})
		},
		take: func(e *errorFacts) (source.Value, bool) {
			for _, r := range e.goRules {
				if r.Kind == policy.KindNone {
					return text(r.Name), true
				}
			}
			return source.Value{}, false
		},
	}
}

// goRuleKeys are the keys of a rule about the errors of Go methods.
var goRuleKeys = record[GoRule]{
	goRuleKey(GoIs, "For methods of Go interfaces: a variable that the error is, by `errors.Is`.", "ErrBusy"),
	goRuleKey(GoAs, "For methods of Go interfaces: a type that the error holds, by `errors.As`.", "*net.OpError"),
	goRuleKey(GoFunc, "For methods of Go interfaces: a `func(error) bool` that knows.", "isBusy"),
}

func goRuleKey(sort GoSort, doc, example string) field[GoRule] {
	key := goSortKeys[sort]
	return field[GoRule]{
		key: key, doc: doc, shape: goNameShape("a Go name", example),
		put:  func(r *GoRule, v *source.Value) { r.Sort, r.Name, r.Pos = sort, v.Text, v.Pos },
		take: func(r *GoRule) (source.Value, bool) { return text(r.Name), r.Sort == sort },
	}
}

// isGoRule reports whether an item of a kind's list is about the errors of Go methods: a name, or an object with one of the keys.
func isGoRule(v *source.Value) bool {
	if v.Kind == source.String {
		return true
	}
	for _, f := range goRuleKeys {
		if v.Get(f.key) != nil {
			return true
		}
	}
	return false
}

// checkGoRule checks such an item.
func checkGoRule(c checker, v *source.Value) (source.Value, bool) {
	if v.Kind == source.String {
		if isGoName(v.Text) {
			return *v, true
		}
		c.wrongType(v, "a status code, an object or a Go name", "503")
		return source.Value{}, false
	}
	out, ok := goRuleKeys.check(c, v)
	if !ok || len(out.Map) < len(v.Map) {
		return out, false
	}
	if len(out.Map) > 1 {
		second := &out.Map[1]
		c.add(diag.Diagnostic{
			Code: diag.ConflictingKeys, Span: keySpan(second), What: quote(out.Map[0].Key) + " and " + quote(second.Key) + " stand in one rule",
			Why: "an error is asked one thing by each rule", Fix: "make two rules of it",
		})
		return out, false
	}
	return out, true
}

// decodeGoRule reads a checked item.
func decodeGoRule(k policy.Kind, v *source.Value) GoRule {
	rule := GoRule{Kind: k, Name: v.Text, Pos: v.Pos}
	if v.Kind == source.Map {
		goRuleKeys.decode(&rule, v)
	}
	return rule
}

// encode prints the rule.
func (r *GoRule) encode() source.Value {
	if r.Sort == GoName {
		return text(r.Name)
	}
	return goRuleKeys.encode(r)
}
