package plan

import (
	"fmt"
	"slices"

	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/diag"
	"github.com/resgen-go/resgen/generator/internal/model"
)

// sort of tokens: what can be turned into what.
type tokenSort uint8

const (
	otherToken tokenSort = iota
	textToken
	wholeToken
	jsonToken // one of several types, or of any: it is sent as it came
)

var int64Type = Basic{Name: "int64"}

// tokenSort says what a token of a type is like.
func (t *typer) tokenSort(e model.Elem) tokenSort {
	kind := model.Null
	switch typ := t.follow(e.Type).typ.(type) {
	case model.Primitive:
		kind = typ.Kind
	case model.Enum:
		kind = typ.Base
	case model.Union, model.Any:
		return jsonToken
	}
	switch kind {
	case model.String:
		return textToken
	case model.Int, model.Int32, model.Int64, model.Uint32, model.Uint64:
		return wholeToken
	default:
		return otherToken
	}
}

// fitNext finds the token of the next page in an answer.
func (f *pageFitter) fitNext() bool {
	const path = "page.response.next"
	facts, next := f.facts, &f.facts.Next
	has := next.Pointer != "" || next.Header != ""
	switch {
	case facts.Style.Counts() && has:
		return f.refuse(path, "the client counts", "remove `next`, or write `style: cursor`")
	case facts.Style.Counts():
		f.out.Token = int64Type
		return true
	case facts.Style == annot.PageLink:
		f.out.Next.Link = true
		f.out.Token = stringType
		return !has || f.refuse(path, "`style: link` reads the Link header", "remove `next`, or write `style: next-url`")
	case !has:
		return f.refuse("page", "it does not say where the next page is named", "add `response: {next: /next_cursor}`")
	case next.Header != "":
		f.out.Next.Header, f.out.Token = next.Header, stringType
		return true
	}
	access, elem, problem := f.inAnswer(next.Pointer)
	if problem != "" {
		return f.refuse(path, problem, "name a field of the answer")
	}
	f.out.Next.Body, f.next = access, elem
	switch f.types.tokenSort(elem) {
	case textToken:
		f.out.Token = stringType
	case wholeToken:
		f.out.Token = int64Type
	case jsonToken:
		f.out.Token, f.out.JSON = stringType, true
	default:
		return f.refuse(path, quoted(next.Pointer)+" is "+f.types.sortOf(elem.Type)+", and nothing to ask for a page with",
			"name what the next page is asked for with: a text, a whole number, or one of several types")
	}
	if facts.Style == annot.PageNextURL && (f.out.JSON || f.out.Token != GoType(stringType)) {
		return f.refuse(path, "a URL is a text", "write `style: cursor`")
	}
	return true
}

// fitToken finds where the request has the token.
func (f *pageFitter) fitToken() bool {
	const path = "page.request.token"
	facts := f.facts
	if facts.Style.IsURL() {
		return facts.Token == "" || f.refuse(path, "the URL of a page says all that is asked", "remove `token`")
	}
	if facts.Token == "" {
		return f.refuse("page", "it does not say where the request names the page", "add `request: {token: after}`")
	}
	a := f.m.ask
	if facts.Operation != "" {
		if a = f.otherAsk(); a == nil {
			return false
		}
	}
	access, elem, problem := f.inAsk(a, facts.Token)
	if problem != "" {
		return f.refuse(path, problem, "name a parameter of the operation, or a field of its body by a JSON pointer")
	}
	want := textToken
	switch {
	case f.out.JSON:
		want = jsonToken
	case f.out.Token == GoType(int64Type):
		want = wholeToken
	}
	if f.types.tokenSort(elem) != want {
		sorts := map[tokenSort]string{textToken: "a text", wholeToken: "a whole number", jsonToken: "one of several types", otherToken: "none of these"}
		return f.refuse(path, fmt.Sprintf("%q takes %s, and the next page is named by %s", facts.Token, sorts[f.types.tokenSort(elem)], sorts[want]),
			"name the parameter that takes what `next` gives, or change the type of one by an overlay")
	}
	f.out.Ask = access
	if a != f.m.ask {
		return f.fitOther(a, access)
	}
	if _, byPointer := a.param.(Pointer); !byPointer {
		return f.refuse(path, "the request is no object", "name a field of an object")
	}
	return true
}

// otherAsk is the operation that is asked for the pages after the first.
func (f *pageFitter) otherAsk() *ask {
	var known []string
	for _, other := range f.methods {
		if other.ask.op.ID == f.facts.Operation && !other.twin && other.media == nil {
			f.out.Then = &NextCall{GoName: other.goName}
			same := other.answer.format == f.m.answer.format && sameType(f.signatureResult(other), f.signatureResult(f.m))
			ladders := len(f.plan(other).Fallback.Rungs) > 0 == (len(f.plan(f.m).Fallback.Rungs) > 0)
			if !same || !ladders {
				f.refuse("page.operation", nameOf(other.ask.op)+" answers with another type", "name an operation with the same answer, and with a "+
					"ladder where this one has one")
				return nil
			}
			return other.ask
		}
		known = append(known, other.ask.op.ID)
	}
	problem := "the document has no operation " + quote(f.facts.Operation)
	if ask := diag.DidYouMean(f.facts.Operation, known); ask != "" {
		problem += ": " + ask
	}
	f.refuse("page.operation", problem, "name an operation by its operationId")
	return nil
}

// fitOther finds the other parameters of the operation for further pages in the request of the first.
func (f *pageFitter) fitOther(a *ask, token Access) bool {
	then := f.out.Then
	then.Request, then.Token, then.TokenType = a.request, token.Path[0], token.Type()
	if !a.record || a.body != nil || len(token.Path) != 1 {
		return f.refuse("page.operation", nameOf(a.op)+" takes a body", "name an operation that takes parameters alone")
	}
	own, fields := f.paramFields[f.m.ask], f.paramFields[a]
	for i := range a.bind.Params {
		p := &a.bind.Params[i]
		if fields[i].Field == then.Token {
			continue
		}
		j := slices.IndexFunc(f.m.ask.bind.Params, func(mine model.Param) bool {
			return mine.Name == p.Name && mine.In == p.In && sameElem(mine.Elem, p.Elem) && isRequired(&mine) == isRequired(p)
		})
		if j >= 0 {
			then.Same = append(then.Same, SameField{Field: fields[i].Field, From: own[j].Field})
			continue
		}
		if isRequired(p) {
			return f.refuse("page.operation", fmt.Sprintf("%s needs the parameter %q, which %s does not have", nameOf(a.op), p.Name, nameOf(f.m.ask.op)),
				"name an operation whose parameters this one has, of the same types, beside the token")
		}
	}
	return true
}
