package plan

import (
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// Pages is the method that iterates over the items of all pages of an operation.
type Pages struct {
	// GoName is the method; Doc says how the pages follow each other.
	GoName string
	Doc    Comment
	// Item is the type of one item, Token that of what asks for a page: int64 where Counts is set, string for URLs.
	Item, Token GoType
	MaxPages    int
	// Links and Counts are as in runtime.Paging.
	Links, Counts bool
	// JSON says that tokens are of several types, or of any: they are held as JSON text, and sent as they came.
	JSON bool
	// Ask is where the request has the token; its Path is empty for URLs, which the runtime sends. Optional as in Request.
	Ask Access
	// Then is the operation that is asked for the pages after the first; nil for the operation itself.
	Then *NextCall
	// Items is where the answer has its items.
	Items Access
	// Next says where the token of the next page is; it is the zero value where Counts is set.
	Next Source
	// First is the number of the first page; Step is 1 for pages, 0 for offsets, which the items count.
	First, Step int
	// More is a boolean of the answer, Size what the request says of the most items of a page, and Total where the number of all
	// items is. Those that say nothing have no place.
	More, Size Access
	Total      Source
}

// Access is the way from a value to a part of it: Go field names, and LastItem for the last item of a list.
type Access struct {
	Path []string
	// Types are the types of what Path leads to, by the same index, as in Assignment.
	Types []GoType
}

// IsSet reports whether there is a way. The items of an answer may be the answer itself: then there is none.
func (a *Access) IsSet() bool { return len(a.Path) > 0 }

// Type is the type of what the way leads to.
func (a *Access) Type() GoType { return a.Types[len(a.Types)-1] }

// LastItem is the step of an Access that leads to the last item of a list.
const LastItem = "[last]"

// Source is where an answer says something: in its body, in a header, or in the Link header.
type Source struct {
	Body   Access
	Header string
	Link   bool
}

// NextCall is the call of another operation for the pages after the first.
type NextCall struct {
	// GoName is its method, Request the struct that it takes, Token the field that holds the token, of the type TokenType.
	GoName, Request, Token string
	TokenType              GoType
	// Same are the fields that have the value of a field of the first request.
	Same []SameField
}

// SameField is a field of one request that has the value of a field of another.
type SameField struct{ Field, From string }

// pages makes the iterator of a method whose operation has pages; nil where it has none, or where what was written does not fit.
func (r *resolver) pages(m *method, op *Operation) *Pages {
	facts := r.facts(m.ask.index).Page
	if m.pages == "" {
		return nil
	}
	f := pageFitter{resolver: r, m: m, facts: &facts, out: &Pages{
		GoName: m.pages, MaxPages: facts.MaxPages, Links: facts.Style.IsURL(), Counts: facts.Style.Counts(),
	}}
	if !f.fitStyle(op) || !f.fitItems() {
		return nil
	}
	if !f.fitNext() || !f.fitToken() || !f.fitEnd() {
		return nil
	}
	f.out.Doc = f.doc()
	return f.out
}

// doc says how the pages follow each other.
func (f *pageFitter) doc() Comment {
	facts := f.facts
	request := f.m.ask.bind.Request() + "."
	text := request + " A call of " + f.m.goName
	if f.out.Then != nil {
		text += ", later of " + f.out.Then.GoName + ","
	}
	text += " when the loop comes to a page"
	switch {
	case facts.Next.Header != "":
		text += "; the header " + facts.Next.Header + " has the next " + oneLine(facts.Token)
	case facts.Style.Counts():
		text += "; " + oneLine(facts.Token) + " is counted"
	case f.out.Next.Link:
		text += "; the Link header has the URL of the next"
	case f.out.Links:
		text += "; " + oneLine(facts.Next.Pointer) + " is the URL of the next"
	default:
		text += "; " + oneLine(facts.Next.Pointer) + " is the next " + oneLine(facts.Token)
	}
	text += "."
	if facts.MaxPages > 0 {
		text += " It ends with runtime.ErrMaxPages where there are more than " + strconv.Itoa(facts.MaxPages) + "."
	}
	return join(comment(f.out.GoName+" iterates over the items of all pages."), requestComment(request, text))
}

// hasPages reports whether a method gets an iterator: the plain one of an operation with pages does.
func (r *resolver) hasPages(m *method) bool {
	return r.facts(m.ask.index).Page != zeroPages && !m.twin && m.media == nil
}

// itemsOf is the list that a type is; false where it is none.
func (t *typer) itemsOf(e model.Elem) (model.Array, bool) {
	list, ok := t.follow(e.Type).typ.(model.Array)
	return list, ok
}

// answerBody is the one typed body that a method answers with; what is wrong where there is none.
func (m *method) answerBody() (choice, string) {
	switch a := &m.answer; {
	case a.streams():
		return choice{}, "it answers with a stream"
	case a.download:
		return choice{}, "it answers with a file"
	case a.isSeveral():
		return choice{}, "it answers with one of several types"
	case len(a.bodies) == 0 || a.bodies[0].codec != JSONCodec:
		return choice{}, "it answers with no JSON"
	default:
		return a.bodies[0], ""
	}
}
