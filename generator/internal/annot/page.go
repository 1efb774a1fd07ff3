package annot

import (
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/source"
)

// PageStyle says how the page after a page is asked for. The zero value is NoPages.
type PageStyle uint8

// The styles.
const (
	// NoPages is an operation that nobody iterates.
	NoPages PageStyle = iota
	// PageCursor: each page gives the token of the next.
	PageCursor
	// PageOffset: the token is the number of items before the page.
	PageOffset
	// PageNumber: the token is the number of the page.
	PageNumber
	// PageLink: the URL of the next page is in the Link header (RFC 8288).
	PageLink
	// PageNextURL: the URL of the next page is in the answer.
	PageNextURL
)

// String returns the style as annotations spell it.
func (s PageStyle) String() string {
	return [...]string{"none", "cursor", "offset", "page", "link", "next-url"}[s]
}

// Counts reports whether the client makes the tokens by counting.
func (s PageStyle) Counts() bool { return s == PageOffset || s == PageNumber }

// IsURL reports whether the token of a page is its URL.
func (s PageStyle) IsURL() bool { return s == PageLink || s == PageNextURL }

// PageFacts say how the pages of a list follow each other.
type PageFacts struct {
	Style PageStyle
	// Operation is the operation (by its operationId) that is asked for the pages after the first; empty for the operation itself.
	Operation string
	// MaxPages bounds an iteration; 0 is no bound.
	MaxPages int
	// Token and Size are where the request has the token of the page and the most items of one: the name of a parameter, or a JSON
	// pointer into the body.
	Token, Size string
	// First is the number of the first page; 1 where FirstSet is false.
	First    int
	FirstSet bool
	// Items, Next, More and Total are where the answer has its items (empty: it is the list itself), the next token, whether there are
	// more pages, and how many items there are in all.
	Items, Next, More, Total PagePlace
}

// PagePlace is a place in an answer: a JSON pointer into the body, or a header. More is ShortPage where a page that has fewer items than
// were asked for is the last.
type PagePlace struct{ Pointer, Header string }

// ShortPage says that a page with fewer items than were asked for is the last.
const ShortPage = "short-page"

// LastItem is the step of a pointer that leads to the last item of a list.
const LastItem = "-1"

var pageEntry = Entry{
	Sort:  Fact,
	Title: "Pages",
	Text: "Says how the pages of a list follow each other. The operation gets a second method, `<Operation>All`, which iterates over the items of " +
		"all pages: it makes a call for each page, with the policy of the operation, when the loop comes to it. With `cursor` each answer has the " +
		"token of the next page (`next`); `offset` and `page` are counted by the client, until a page is empty or the answer says that it was the " +
		"last; with `link` the URL of the next page is in the Link header (RFC 8288), with `next-url` at `next` in the answer: it is asked for " +
		"by GET, and only of the target's own origin. An iteration ends with an error where a target names a page again that was read, and after " +
		"`max-pages` where there are more. Everything is checked against the types of the document.",
	Example: "page: {style: cursor, request: {token: after, size: limit}, response: {items: /data, next: /last_id, more: /has_more}}",
	Since:   "0.2",
	field:   object("page", "", pageKeys, func(s *Settings) *PageFacts { return &s.Facts.Page }),
}

var pageKeys = record[PageFacts]{
	oneOf("style", "How the next page is asked for.", []PageStyle{PageCursor, PageOffset, PageNumber, PageLink, PageNextURL},
		func(p *PageFacts) *PageStyle { return &p.Style }),
	object("request", "Where the request says which page it asks for.", record[PageFacts]{
		textField("token", "The cursor, the offset or the number of the page: the name of a parameter, or a JSON pointer into the body. "+
			"A cursor is a text, a whole number, or of several types: then it is sent as it came.",
			textShape("after"), func(p *PageFacts) *string { return &p.Token }),
		textField("size", "How many items a page may have: the name of a parameter, or a JSON pointer into the body. `more: short-page` needs it.",
			textShape("limit"), func(p *PageFacts) *string { return &p.Size }),
		{
			key: "first", doc: "The number of the first page, with `style: page`; without it, 1.",
			shape: countTo("first", "", 0, mostFirst, func(p *PageFacts) *int { return &p.First }).shape,
			put: func(p *PageFacts, v *source.Value) {
				p.First, _ = strconv.Atoi(v.Text)
				p.FirstSet = true
			},
			take: func(p *PageFacts) (source.Value, bool) { return integer(p.First), p.FirstSet },
		},
	}, func(p *PageFacts) *PageFacts { return p }),
	object("response", "Where the answer has what, by JSON pointers into the body; `{header: NAME}` is a header.", record[PageFacts]{
		pagePlace("items", "The items; without it, the answer itself is the list.", placeShape{pointer: "/data"},
			func(p *PageFacts) *PagePlace { return &p.Items }),
		pagePlace("next", "The token or the URL of the next page. The step `-1` is the last item of a list: `/data/-1/id`.",
			placeShape{pointer: "/next_cursor", header: "X-Next-Cursor"}, func(p *PageFacts) *PagePlace { return &p.Next }),
		pagePlace("more", "A boolean that says whether there are more pages; or `short-page`: a page with fewer items than were asked for is the last.",
			placeShape{pointer: "/has_more", word: ShortPage}, func(p *PageFacts) *PagePlace { return &p.More }),
		pagePlace("total", "The number of items on all pages, with `offset` and `page`.",
			placeShape{pointer: "/total", header: "X-Total-Count"}, func(p *PageFacts) *PagePlace { return &p.Total }),
	}, func(p *PageFacts) *PageFacts { return p }),
	count("max-pages", "The most pages of an iteration; without it, no bound.", 1, func(p *PageFacts) *int { return &p.MaxPages }),
	textOf("operation", "The operationId of the operation that is asked for the pages after the first; without it, the operation itself.", "listNext",
		func(p *PageFacts) *string { return &p.Operation }),
}

// mostFirst is the largest number that a first page may have.
const mostFirst = 1

func pagePlace(key, doc string, s placeShape, at func(*PageFacts) *PagePlace) field[PageFacts] {
	return field[PageFacts]{
		key: key, doc: doc, shape: s,
		put: func(p *PageFacts, v *source.Value) {
			if v.Kind == source.Map {
				at(p).Header = v.Get("header").Text
				return
			}
			at(p).Pointer = v.Text
		},
		take: func(p *PageFacts) (source.Value, bool) {
			switch place := at(p); {
			case place.Header != "":
				return source.Value{Kind: source.Map, Map: []source.Field{{Key: "header", Value: text(place.Header)}}}, true
			default:
				return text(place.Pointer), place.Pointer != ""
			}
		},
	}
}

// placeShape is a place in an answer: a JSON pointer, a word in place of one, or a header.
type placeShape struct {
	// pointer and header are examples of these; without header there can be none. word may stand for a pointer, if it is not empty.
	pointer, header, word string
}

func (s placeShape) check(c checker, v *source.Value) (source.Value, bool) {
	switch {
	case v.Kind == source.String && s.word != "" && v.Text == s.word:
		return *v, true
	case v.Kind == source.Map && s.header != "":
		out, ok := s.headerKeys().check(c, v)
		if name := out.Get("header"); !ok || name == nil || name.Kind == source.Null {
			if len(out.Map) >= len(v.Map) { // what was refused is reported already
				c.missing(v, "header", c.key+": {header: "+s.header+"}")
			}
			return out, false
		}
		return out, len(out.Map) == len(v.Map)
	}
	shape := pointerShape()
	shape.example = s.pointer
	return shape.check(c, v)
}

func (s placeShape) headerKeys() record[PagePlace] {
	return record[PagePlace]{
		textField("header", "The name of the header.", nameShape("a name of a header", s.header, tokenPattern),
			func(p *PagePlace) *string { return &p.Header }),
	}
}

func (s placeShape) describe() description {
	pointer := pointerShape().describe()
	d := description{form: pointer.form, schema: &schema{AnyOf: []*schema{pointer.schema}}}
	if s.word != "" {
		d.form += ", or `" + s.word + "`"
		d.schema.AnyOf = append(d.schema.AnyOf, &schema{Enum: []string{s.word}})
	}
	if s.header != "" {
		d.form += ", or `{header: NAME}`"
		d.schema.AnyOf = append(d.schema.AnyOf, s.headerKeys().describe().schema)
	}
	return d
}
