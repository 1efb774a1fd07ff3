package plan

import (
	"github.com/resgen-go/resgen/generator/internal/annot"
	"github.com/resgen-go/resgen/generator/internal/model"
)

const (
	sizePath = "page.request.size"
	sizeFix  = "name the parameter that says how many items a page may have"
)

// fitEnd finds what says that a page is the last, and how pages are counted.
func (f *pageFitter) fitEnd() bool {
	if f.facts.Style == annot.PageNumber {
		f.out.Step, f.out.First = 1, 1
		if f.facts.FirstSet {
			f.out.First = f.facts.First
		}
	}
	if f.facts.Size != "" && f.facts.More.Pointer != annot.ShortPage {
		if _, _, problem := f.inAsk(f.m.ask, f.facts.Size); problem != "" {
			return f.refuse(sizePath, problem, sizeFix)
		}
	}
	return f.fitMore() && f.fitTotal()
}

func (f *pageFitter) fitMore() bool {
	const path = "page.response.more"
	switch more := f.facts.More.Pointer; more {
	case "":
		return true
	case annot.ShortPage:
		return f.fitSize(path)
	default:
		access, elem, problem := f.inAnswer(more)
		if problem != "" {
			return f.refuse(path, problem, "name a boolean of the answer, or write `more: short-page`")
		}
		if p, ok := f.types.follow(elem.Type).typ.(model.Primitive); !ok || p.Kind != model.Bool {
			return f.refuse(path, quoted(more)+" is no boolean", "name a boolean of the answer, or write `more: short-page`")
		}
		f.out.More = access
		return true
	}
}

// fitSize finds how many items a page may have: one that has fewer is the last.
func (f *pageFitter) fitSize(path string) bool {
	switch {
	case f.facts.Size == "":
		return f.refuse(path, "a page is short where it has fewer items than were asked for, and it does not say where that is asked",
			"add `size` to `request`, as in `request: {size: limit}`")
	case f.facts.Style.IsURL():
		return f.refuse(path, "the URL of a page says how long it is", "remove `more`")
	case f.out.Then != nil:
		return f.refuse(path, "the pages after the first are asked for by another operation", "remove `more`")
	}
	access, elem, problem := f.inAsk(f.m.ask, f.facts.Size)
	if problem == "" && f.types.tokenSort(elem) != wholeToken {
		problem = quoted(f.facts.Size) + " is no whole number"
	}
	if problem != "" {
		return f.refuse(sizePath, problem, sizeFix)
	}
	f.out.Size = access
	return true
}

func (f *pageFitter) fitTotal() bool {
	const path = "page.response.total"
	total := &f.facts.Total
	if total.Pointer == "" && total.Header == "" {
		return true
	}
	if !f.facts.Style.Counts() {
		return f.refuse(path, "only pages that are counted end at a total", "remove `total`")
	}
	if total.Header != "" {
		f.out.Total.Header = total.Header
		return true
	}
	access, elem, problem := f.inAnswer(total.Pointer)
	if problem == "" && f.types.tokenSort(elem) != wholeToken {
		problem = quoted(total.Pointer) + " is no whole number"
	}
	if problem != "" {
		return f.refuse(path, problem, "name the number of all items")
	}
	f.out.Total.Body = access
	return true
}
