package annot

import (
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// checker reports what is wrong with a value, under the path of keys that leads to it. It is passed by value: each level has its
// own path, and all levels report to one list.
type checker struct {
	report *report
	// path is the value's place in the annotation, such as "retry.backoff.base"; key is its last step and keyPos where that stands.
	path   string
	key    string
	keyPos source.Pos
	// whole is an example of the whole value of an annotation; empty below it, and where that takes several lines.
	whole string
}

// report is where all levels of a check report to.
type report struct {
	list   *diag.List
	failed bool
}

func newChecker(list *diag.List) checker { return checker{report: &report{list: list}} }

// in descends into the value of a key.
func (c checker) in(f *source.Field) checker {
	path := f.Key
	if c.path != "" {
		path = c.path + "." + f.Key
	}
	return checker{report: c.report, path: path, key: f.Key, keyPos: f.KeyPos}
}

// item descends into an item of a list.
func (c checker) item(i int, v *source.Value) checker {
	return checker{report: c.report, path: c.path + "[" + strconv.Itoa(i) + "]", key: c.key, keyPos: v.Pos}
}

// ok reports whether nothing was wrong so far.
func (c checker) ok() bool { return !c.report.failed }

func (c checker) quoted() string { return quote(c.path) }

func (c checker) add(d diag.Diagnostic) {
	if d.Severity == diag.Error {
		c.report.failed = true
	}
	c.report.list.Add(d)
}

// bad reports a value that its key cannot have.
func (c checker) bad(code diag.Code, v *source.Value, what, why, fix string) {
	c.add(diag.Diagnostic{Code: code, Span: span(v), What: what, Why: why, Fix: fix})
}

// put spells a value as it is written in this place: after its key, unless it is an item of a list.
func (c checker) put(value string) string {
	if c.key == "" || strings.HasSuffix(c.path, "]") {
		return "`" + value + "`"
	}
	return "`" + c.key + ": " + value + "`"
}

func (c checker) wrongType(v *source.Value, want, example string) {
	fix := "write " + c.put(example)
	what := "an annotation must be " + want + ", not " + aKind(v.Kind)
	if c.path != "" {
		what = c.quoted() + " must be " + want + ", not " + aKind(v.Kind)
	}
	c.bad(diag.WrongType, v, what, "each key takes one form of value, and nothing is converted silently", fix)
}

func (c checker) unknownKey(f *source.Field, known []string) {
	where := ""
	if c.path != "" {
		where = " in " + c.quoted()
	}
	fix := diag.DidYouMean(f.Key, known)
	if fix == "" {
		fix = "remove it; the keys here are " + strings.Join(known, ", ")
	}
	c.add(diag.Diagnostic{
		Code: diag.UnknownKey, Span: keySpan(f), What: "unknown key " + quote(f.Key) + where,
		Why: "nothing reads it, so what it asks for would silently not happen", Fix: fix,
	})
}

// misplaced reports a key that stands in the wrong part of a policy file or document.
func (c checker) misplaced(f *source.Field, where, why, fix string) {
	c.add(diag.Diagnostic{
		Code: diag.MisplacedKey, Span: keySpan(f), What: quote(f.Key) + " cannot stand in " + where, Why: why, Fix: fix,
	})
}

// unknownName reports a scalar that names nothing.
func (c checker) unknownName(v *source.Value, what string, known []string) {
	fix := diag.DidYouMean(v.Text, known)
	if fix == "" {
		fix = "write one of " + strings.Join(known, ", ")
		if len(known) == 1 {
			fix = "write " + c.put(known[0])
		}
	}
	c.bad(diag.UnknownName, v, "unknown "+what+" "+quote(v.Text), "what it names would be guessed", fix)
}

func span(v *source.Value) source.Span { return source.Span{Pos: v.Pos, Len: len(v.Text)} }

func keySpan(f *source.Field) source.Span { return source.Span{Pos: f.KeyPos, Len: len(f.Key)} }

// quote puts hostile text into a diagnostic: what cannot be printed is escaped, and it is cut where it is long.
func quote(s string) string {
	const longest = 80
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "..."
	}
	return strconv.Quote(s)
}

func aKind(k source.Kind) string {
	if k == source.Null {
		return "null"
	}
	if k == source.Map {
		return "an object"
	}
	return "a " + k.String()
}
