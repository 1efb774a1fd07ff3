package plan

import (
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/runtime/policy"
)

// answer is how one method of an operation is answered, before Go names are given.
type answer struct {
	// cases are by status, as ResponseCase has them.
	cases []answerCase
	// bodies are the different bodies of successes, NoCodec for none; the method has one result for each.
	bodies []choice
	// download says that successes are bytes of any length.
	download bool
	// mixed says that a download stands beside a typed body, which then comes as bytes too.
	mixed bool
	// format is that of the items; NoStream for a whole answer. item is their type.
	format policy.StreamFormat
	item   model.Elem
}

// streams reports whether the method answers item by item.
func (a *answer) streams() bool { return a.format.Streams() }

// answerCase is what one status means.
type answerCase struct {
	response *model.Response
	lo, hi   int
	failure  bool
	choice   choice
	// body is the index in answer.bodies of a success.
	body int
}

// statuses are the codes that a response stands for; 0 for the default.
func statuses(code string) (lo, hi int) {
	if code == "default" {
		return 0, 0
	}
	if len(code) == 3 && code[1:] == "XX" {
		first := int(code[0]-'0') * 100
		return first, first + 99
	}
	n, err := strconv.Atoi(code)
	if err != nil {
		return 0, 0
	}
	return n, n
}

// wholeAnswer is the answer of a method that returns one value, for which choose picks the media type.
func (t *typer) wholeAnswer(bind *model.HTTPBinding, choose func([]model.Content) (choice, bool)) answer {
	var a answer
	for i := range bind.Responses {
		r := &bind.Responses[i]
		switch {
		case isSuccess(bind.Responses, r.Code):
			if c, ok := success(bind.Method, r, choose); ok {
				a.cases = append(a.cases, c)
			}
		default:
			a.cases = t.addFailure(a.cases, r)
		}
	}
	a.cases = withSuccess(bind.Responses, a.cases)
	a.settle()
	return a
}

// success is the case of a 2xx response, or of a default that is one. A response that only streams is none for a whole answer.
func success(method string, r *model.Response, choose func([]model.Content) (choice, bool)) (answerCase, bool) {
	c := answerCase{response: r, choice: choice{codec: NoCodec}}
	c.lo, c.hi = statuses(r.Code)
	if c.lo == 0 {
		c.lo, c.hi = 200, 299
	}
	if hasNoBody(method, r.Code) || len(r.Contents) == 0 {
		return c, true
	}
	best, ok := choose(r.Contents)
	c.choice = best
	return c, ok
}

// addFailure adds the case of an error. Only JSON bodies are typed; for the others the StatusError says everything.
func (t *typer) addFailure(cases []answerCase, r *model.Response) []answerCase {
	c := answerCase{response: r, failure: true, choice: choice{codec: NoCodec}}
	c.lo, c.hi = statuses(r.Code)
	if c.lo != 0 && c.lo < 400 {
		return cases // 1xx and 3xx end in net/http, or are no answer that a caller asked for
	}
	if best, ok := t.answerContent(r.Contents); ok && best.codec == JSONCodec {
		c.choice = best
	}
	return append(cases, c)
}

// withSuccess gives an operation of which no success is listed one without a body, and drops untyped failures that no later case
// would catch.
func withSuccess(all []model.Response, cases []answerCase) []answerCase {
	var out []answerCase
	listed := false
	for i, c := range cases {
		listed = listed || !c.failure
		if c.failure && c.choice.codec == NoCodec && !caughtLater(cases[i+1:], c.lo) {
			continue
		}
		out = append(out, c)
	}
	if listed {
		return out
	}
	implied := []answerCase{{lo: 200, hi: 299, choice: choice{codec: NoCodec}}}
	for i := range all {
		if lo, hi := statuses(all[i].Code); lo >= 300 && lo < 400 {
			implied = append(implied, answerCase{response: &all[i], lo: lo, hi: hi, choice: choice{codec: NoCodec}})
		}
	}
	return append(implied, out...)
}

// caughtLater reports whether a later failure with a type would match the status too.
func caughtLater(later []answerCase, status int) bool {
	for _, c := range later {
		if c.failure && c.choice.codec != NoCodec && (c.lo == 0 || c.lo <= status && status <= c.hi) {
			return true
		}
	}
	return false
}

// settle finds the different bodies of the successes. Where one is bytes, all are: a method returns a Download or a value.
func (a *answer) settle() {
	for i := range a.cases {
		a.download = a.download || !a.cases[i].failure && a.cases[i].choice.codec == BinaryCodec
	}
	for i := range a.cases {
		c := &a.cases[i]
		if c.failure {
			continue
		}
		if a.download {
			a.mixed = a.mixed || c.choice.codec == JSONCodec || c.choice.codec == TextCodec
			c.choice.codec = BinaryCodec
		}
		c.body = a.bodyOf(c.choice)
	}
}

// bodyOf returns the index of a body among those that differ.
func (a *answer) bodyOf(c choice) int {
	for i, b := range a.bodies {
		if b.codec == c.codec && (c.codec != JSONCodec || sameElem(b.elem, c.elem)) {
			return i
		}
	}
	a.bodies = append(a.bodies, c)
	return len(a.bodies) - 1
}

// streamAnswer is the answer of a method that returns items. Its successes are the responses that offer the format, or all of
// them where only the annotation says that the operation streams.
func (t *typer) streamAnswer(bind *model.HTTPBinding, format policy.StreamFormat) answer {
	a := answer{format: format, item: model.Elem{Type: model.Any{}}}
	found := false
	for i := range bind.Responses {
		r := &bind.Responses[i]
		if !isSuccess(bind.Responses, r.Code) {
			a.cases = t.addFailure(a.cases, r)
			continue
		}
		for j := range r.Contents {
			if content := &r.Contents[j]; streamFormat(content.MediaType).Streams() {
				a.addStream(r, content.MediaType)
				if !found {
					found, a.item = true, t.itemOf(content)
				}
				break
			}
		}
	}
	if !found {
		for i := range bind.Responses {
			if r := &bind.Responses[i]; isSuccess(bind.Responses, r.Code) {
				a.addStream(r, streamMedia(format))
			}
		}
	}
	a.cases = withSuccess(bind.Responses, successesFirst(a.cases))
	return a
}

func (a *answer) addStream(r *model.Response, media string) {
	c := answerCase{response: r, choice: choice{codec: JSONCodec, media: media}}
	if c.lo, c.hi = statuses(r.Code); c.lo == 0 {
		c.lo, c.hi = 200, 299
	}
	a.cases = append(a.cases, c)
}

// successesFirst keeps the order of the cases within each sort; no status is in both.
func successesFirst(cases []answerCase) []answerCase {
	var out []answerCase
	for _, failure := range []bool{false, true} {
		for _, c := range cases {
			if c.failure == failure {
				out = append(out, c)
			}
		}
	}
	return out
}

// itemOf is the type of one item: what the document says of items, else what it says of the body, whose schema OpenAPI 3.2 takes
// for that of a list of all items and older documents for that of one.
func (t *typer) itemOf(c *model.Content) model.Elem {
	if c.Item != nil {
		return *c.Item
	}
	if list, isList := t.follow(c.Elem.Type).typ.(model.Array); isList {
		return list.Elem
	}
	if t.isBytes(c.Elem) {
		return model.Elem{Type: model.Any{}}
	}
	return c.Elem
}
