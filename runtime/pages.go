package runtime

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/resgen-go/resgen/runtime/policy"
)

// What ends an iteration over pages that are not at their end. Both are the Cause of an *Error.
var (
	// ErrPageRepeats is a target that names a page as the next one which the iteration has had: it would never end.
	ErrPageRepeats = errors.New("the answer names a page as the next one that was read already")
	// ErrMaxPages is an iteration that has read as many pages as it may, of a list that goes on.
	ErrMaxPages = errors.New("there are more pages than max-pages allows")
)

// Paging is how the pages of an operation follow each other: what Pages knows beside the function that reads one. The zero value is a
// token that each page gives for the next, and any number of pages.
type Paging struct {
	// MaxPages is how many pages an iteration may read; 0 is any number. Where more would follow, ErrMaxPages is the last that it yields.
	MaxPages int
	// Links says that tokens are URLs of pages: absolute, or relative to the page before (RFC 3986, section 5). They are asked for by
	// GET, with the credentials and headers of the operation, and only of the target's own origin.
	Links bool
	// Counts says that the client makes the tokens by counting: a page without items is the last.
	Counts bool
}

// Page is one page of an iteration: what is asked, and what the answer says.
type Page[Item any, Token comparable] struct {
	// Number counts the pages of the iteration from 1.
	Number int
	// Token is the token of the page; the zero value for the first, which is asked for as the caller wrote it.
	Token Token
	// Before is how many items the pages before it had.
	Before int
	// Items are the items of the page.
	Items []Item
	// Next is the token of the next page; the zero value where there is none.
	Next Token
	// Last says that no page follows, whatever Next is.
	Last bool

	meta *Meta // of its call
}

// First reports whether it is the first page of the iteration.
func (p *Page[Item, Token]) First() bool { return p.Number == 1 }

// Header returns a header of the page's response; empty where it has none.
func (p *Page[Item, Token]) Header(name string) string { return p.header().Get(name) }

// HeaderNumber returns the whole number that a header of the page's response holds, and whether it holds one.
func (p *Page[Item, Token]) HeaderNumber(name string) (int64, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(p.Header(name)), 10, 64)
	return n, err == nil
}

// Link returns the URL of the next page that the page's Link header has (RFC 8288, rel="next"); empty where it has none.
func (p *Page[Item, Token]) Link() string { return nextLink(p.header().Values("Link")) }

// header is that of the answer: nothing where the last response was that of a failure, which a rung has made good.
func (p *Page[Item, Token]) header() http.Header {
	if p.meta == nil || p.meta.Status/100 != http.StatusOK/100 {
		return nil
	}
	return p.meta.Header
}

// following returns the token of the page after this one, and whether there is one.
func (p *Page[Item, Token]) following(how Paging) (next Token, more bool) {
	var none Token
	if p.Last || p.Next == none || how.Counts && len(p.Items) == 0 {
		return none, false
	}
	if link, isURL := any(p.Next).(string); isURL && how.Links {
		before, _ := any(p.Token).(string)
		next, more = any(relativeTo(before, link)).(Token)
		return next, more && next != none
	}
	return p.Next, true
}

// Pages iterates over the items of all pages of an operation. It reads a page when the loop asks for its first item: get makes the call,
// with the policy of the operation, and says what came. The iteration ends after the last page, with the first error, when the loop
// breaks, and when the context ends. Pages without items are no end, unless Paging.Counts. An error comes without an item. Each range
// begins with the first page.
//
// An idempotency key of the context is that of the first page alone. What Capture captures is of the page that was read last.
func Pages[Item any, Token comparable](
	ctx context.Context, op *Operation, how Paging, get func(context.Context, *Page[Item, Token]) error,
) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		turnPages(ctx, op, how, get, yield)
	}
}

// PagesResult is Pages for an operation with a fallback ladder: each item says by which rung, and how good, its page is.
func PagesResult[Item, Answer any, Token comparable](
	ctx context.Context, op *Operation, how Paging, get func(context.Context, *Page[Item, Token]) (Result[Answer], error),
) iter.Seq2[Result[Item], error] {
	return func(yield func(Result[Item], error) bool) {
		var of Result[Answer]
		turnPages(ctx, op, how, func(ctx context.Context, p *Page[Item, Token]) (err error) {
			of, err = get(ctx, p)
			return err
		}, func(item Item, err error) bool {
			if err != nil {
				return yield(Result[Item]{}, err)
			}
			return yield(resultAs(of, item), nil)
		})
	}
}

// turnPages reads the pages one after the other.
func turnPages[Item any, Token comparable](
	ctx context.Context, op *Operation, how Paging, get func(context.Context, *Page[Item, Token]) error, yield func(Item, error) bool,
) {
	var none Item
	p := Page[Item, Token]{Number: 1}
	asked := map[Token]bool{}
	for {
		if err := readPage(ctx, how, &p, get); err != nil {
			yield(none, err)
			return
		}
		for _, item := range p.Items {
			if !yield(item, nil) {
				return
			}
		}
		next, more := p.following(how)
		var err error
		switch {
		case !more:
			return
		case asked[next]:
			err = fmt.Errorf("%w: page %d", ErrPageRepeats, p.Number)
		case how.MaxPages > 0 && p.Number >= how.MaxPages:
			err = fmt.Errorf("%w: %d", ErrMaxPages, how.MaxPages)
		}
		if err != nil {
			yield(none, &Error{Operation: op.name, Kind: policy.KindPermanent, Cause: err})
			return
		}
		asked[next] = true
		p = Page[Item, Token]{Number: p.Number + 1, Token: next, Before: p.Before + len(p.Items)}
	}
}

// readPage makes the call of a page.
func readPage[Item any, Token comparable](
	ctx context.Context, how Paging, p *Page[Item, Token], get func(context.Context, *Page[Item, Token]) error,
) error {
	var meta Meta
	own := scopeOf(ctx).meta
	p.meta = &meta
	err := get(with(ctx, func(s *scope) {
		s.meta = &meta
		if !p.First() {
			s.key = ""
		}
		if url, isURL := any(p.Token).(string); isURL && how.Links {
			s.next = url
		}
	}), p)
	if own != nil {
		*own = meta
	}
	return err
}
