package main

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"

	"github.com/resgen-go/resgen/runtime/wire"

	"live.test/custom"
	"live.test/multi1"
	"live.test/multi3"
	"live.test/paging"
)

const apiVersion = "1.0.0"

// playPages iterates over the pages of every operation of paging.json that has any, and those of the other documents.
func playPages(ctx context.Context, url string, hc *http.Client, answers map[string]answer) error {
	c, err := paging.New(paging.WithBaseURL(url), paging.WithHTTPClient(hc), paging.WithRequestEditor(everyPage))
	if err != nil {
		return err
	}
	for name, all := range map[string]iter.Seq2[paging.Product, error]{
		"NoItemName":        c.PagingGetNoItemNamePagesAll(ctx),
		"EmptyNextLink":     c.PagingGetEmptyNextLinkNamePagesAll(ctx),
		"Single":            c.PagingGetSinglePagesAll(ctx),
		"BodyParams":        c.PagingGetSinglePagesWithBodyParamsAll(ctx, &paging.BodyParam{Name: wire.Some("body")}),
		"FirstEmpty":        c.PagingFirstResponseEmptyAll(ctx),
		"Multiple":          c.PagingGetMultiplePagesAll(ctx, nil),
		"Duplicate":         c.PagingDuplicateParamsAll(ctx, &paging.PagingDuplicateParamsRequest{Filter: wire.Some("foo")}),
		"MaxPageSize":       c.PagingPageWithMaxPageSizeAll(ctx, nil),
		"Odata":             c.PagingGetOdataMultiplePagesAll(ctx, nil),
		"Offset":            c.PagingGetMultiplePagesWithOffsetAll(ctx, &paging.PagingGetMultiplePagesWithOffsetRequest{Offset: 100}),
		"RetryFirst":        c.PagingGetMultiplePagesRetryFirstAll(ctx),
		"RetrySecond":       c.PagingGetMultiplePagesRetrySecondAll(ctx),
		"SingleFailure400":  c.PagingGetSinglePagesFailureAll(ctx),
		"SecondFailure400":  c.PagingGetMultiplePagesFailureAll(ctx),
		"FailureURI":        c.PagingGetMultiplePagesFailureURIAll(ctx),
		"AppendAPIVersion":  c.PagingAppendAPIVersionAll(ctx, &paging.PagingAppendAPIVersionRequest{APIVersion: apiVersion}),
		"ReplaceAPIVersion": c.PagingReplaceAPIVersionAll(ctx, &paging.PagingReplaceAPIVersionRequest{APIVersion: apiVersion}),
		"ClientName":        c.PagingGetPagingModelWithItemNameWithXMSClientNameAll(ctx),
	} {
		count(answers, name, all)
	}
	_, err = c.PagingGetNullNextLinkNamePages(ctx) // its next link is none, the document says
	answers["PagesNullNextLink"] = answerOf(err)
	answers["PagesQueryParams"] = answerOf(queryParams(ctx, c))
	answers["PagesFragment"] = answerOf(fragment(ctx, c))
	answers["PagesGrouping"] = answerOf(grouping(ctx, c))
	answers["PagesLRO"] = answerOf(longRunning(ctx, c, answers))
	return others(ctx, url, hc, answers)
}

// count iterates to the end and keeps how many items there were.
func count[Item any](answers map[string]answer, name string, all iter.Seq2[Item, error]) {
	out := answer{}
	for _, err := range all {
		if err != nil {
			out.Status, out.Error = answerOf(err).Status, err.Error()
			break
		}
		out.Items++
	}
	answers["Pages"+name] = out
}

// pageKey is the context's key of what is added to the query of a page.
type pageKey struct{}

// everyPage adds to the query what the server wants in it and its links do not have: the version of the API, where the link of a page
// has it not or has another one, and what the context says.
func everyPage(req *http.Request) error {
	query := req.URL.Query()
	switch req.URL.Path {
	case "/paging/apiVersion/append/2", "/paging/apiVersion/replace/2":
		query.Del("Api-Version")
		query.Set("api-version", apiVersion)
	case "/multiapi/paging/1", "/multiapi/paging/2", "/multiapi/one/paging/1", "/multiapi/one/paging/2":
		query.Set("api-version", "3.0.0")
	}
	more, _ := req.Context().Value(pageKey{}).(url.Values)
	for name, values := range more {
		query[name] = values
	}
	req.URL.RawQuery = query.Encode()
	return nil
}

// queryParams gets the second page by the operation that the document has for it.
func queryParams(ctx context.Context, c *paging.Client) error {
	_, err := c.PagingGetWithQueryParams(ctx, &paging.PagingGetWithQueryParamsRequest{RequiredQueryParameter: 100, QueryConstant: true})
	if err != nil {
		return err
	}
	_, err = c.PagingNextOperationWithQueryParams(ctx, &paging.PagingNextOperationWithQueryParamsRequest{QueryConstant: true})
	return err
}

const (
	oldVersion = "1.6"
	tenant     = "test_user"
)

// fragment follows links that are a part of a path with a query, by the operation that the document has for them.
func fragment(ctx context.Context, c *paging.Client) error {
	page, err := c.PagingGetMultiplePagesFragmentNextLink(ctx, &paging.PagingGetMultiplePagesFragmentNextLinkRequest{APIVersion: oldVersion, Tenant: tenant})
	for err == nil && page.OdataNextLink.Or("") != "" {
		page, err = follow(ctx, page.OdataNextLink.Or(""), func(ctx context.Context, path string) (*paging.OdataProductResult, error) {
			return c.PagingNextFragment(ctx, &paging.PagingNextFragmentRequest{APIVersion: oldVersion, Tenant: tenant, NextLink: path})
		})
	}
	return err
}

// grouping is fragment for the operations whose parameters AutoRest makes a group.
func grouping(ctx context.Context, c *paging.Client) error {
	page, err := c.PagingGetMultiplePagesFragmentWithGroupingNextLink(ctx,
		&paging.PagingGetMultiplePagesFragmentWithGroupingNextLinkRequest{APIVersion: oldVersion, Tenant: tenant})
	for err == nil && page.OdataNextLink.Or("") != "" {
		page, err = follow(ctx, page.OdataNextLink.Or(""), func(ctx context.Context, path string) (*paging.OdataProductResult, error) {
			return c.PagingNextFragmentWithGrouping(ctx, &paging.PagingNextFragmentWithGroupingRequest{APIVersion: oldVersion, Tenant: tenant, NextLink: path})
		})
	}
	return err
}

// follow splits a link: its path is a parameter, its query is added.
func follow(
	ctx context.Context, link string, get func(context.Context, string) (*paging.OdataProductResult, error),
) (*paging.OdataProductResult, error) {
	next, err := url.Parse(link)
	if err != nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	return get(context.WithValue(ctx, pageKey{}, next.Query()), next.Path)
}

// longRunning begins an operation whose result are pages, asks whether it has come to its end, and iterates over them.
func longRunning(ctx context.Context, c *paging.Client, answers map[string]answer) error {
	if _, err := c.PagingGetMultiplePagesLRO(ctx, nil); err != nil {
		return err
	}
	result, err := c.PagingPollMultiplePagesLRO(ctx)
	if err != nil {
		return err
	}
	if status := result.Status.Or(""); status != paging.OperationResultStatusSucceeded {
		return fmt.Errorf("the operation has come to %q", status)
	}
	count(answers, "OfLRO", c.PagingGetMultiplePagesAll(ctx, nil))
	return nil
}

// others are the pages of documents beside paging.json.
func others(ctx context.Context, url string, hc *http.Client, answers map[string]answer) error {
	own, err := custom.New(custom.WithBaseURL(url), custom.WithHTTPClient(hc))
	if err != nil {
		return err
	}
	count(answers, "PartialURL", own.PagingGetPagesPartialURLAll(ctx))
	count(answers, "PartialURLOperation", own.PagingGetPagesPartialURLOperationAll(ctx))
	first, err := multi1.New(multi1.WithBaseURL(url), multi1.WithHTTPClient(hc))
	if err != nil {
		return err
	}
	count(answers, "MultiLRO", first.TestLROAndPagingAll(ctx, nil))
	third, err := multi3.New(multi3.WithBaseURL(url), multi3.WithHTTPClient(hc), multi3.WithRequestEditor(everyPage))
	if err != nil {
		return err
	}
	count(answers, "Multi", third.TestPagingAll(ctx))
	count(answers, "MultiGroup", third.OperationGroupOneTestOperationGroupPagingAll(ctx))
	return nil
}
