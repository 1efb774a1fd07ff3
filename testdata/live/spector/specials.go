package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"live.test/play"
)

// special plays a scenario in its own way.
type special func(ctx context.Context, b *band, s *scenario) error

// specials are the scenarios that are more than calls with what was recorded.
var specials = map[string]special{
	// The answer breaks its document: the discriminator that the document requires is missing. That is an error which names it.
	"Type_Model_Inheritance_SingleDiscriminator_getMissingDiscriminator": failsFor("kind"),
	"Type_Model_Inheritance_NestedDiscriminator_getMissingDiscriminator": failsFor("kind"),
	// The same where the document has one type and no union: there is a value to read, and nothing to choose.
	"Type_Model_Inheritance_EnumDiscriminator_getExtensibleModelMissingDiscriminator": readsWithout("kind"),
	"Type_Model_Inheritance_EnumDiscriminator_getFixedModelMissingDiscriminator":      readsWithout("kind"),
	// A variant that the document does not know is kept as it came.
	"Type_Model_Inheritance_SingleDiscriminator_getWrongDiscriminator": keepsUnknown,
	"Type_Model_Inheritance_NestedDiscriminator_getWrongDiscriminator": keepsUnknown,
	// Two media types that are both bytes are one method: who wants one of them sets the header.
	"Payload_ContentNegotiation_SameBody": accepting,
	// The pages of a list are read by the method that iterates over them.
	"Payload_Pageable_ServerDrivenPagination_link":                                              pages,
	"Payload_Pageable_ServerDrivenPagination_linkString":                                        pages,
	"Payload_Pageable_ServerDrivenPagination_nestedLink":                                        pages,
	"Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestQueryResponseBody":        pages,
	"Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestHeaderResponseBody":       pages,
	"Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestQueryResponseHeader":      pages,
	"Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestHeaderResponseHeader":     pages,
	"Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestQueryNestedResponseBody":  pages,
	"Payload_Pageable_ServerDrivenPagination_ContinuationToken_requestHeaderNestedResponseBody": pages,
	// What is recorded of these leaves out the files.
	"Payload_MultiPart_FormData_File_uploadFileSpecificContentType": withFiles("file", "image.png"),
	"Payload_MultiPart_FormData_File_uploadFileRequiredFilename":    withFiles("file", "image.png"),
	"Payload_MultiPart_FormData_File_uploadFileArray":               withFiles("files", "image1.png", "image2.png"),
}

// failsFor wants an error of decoding that names a member.
func failsFor(member string) special {
	return func(ctx context.Context, b *band, s *scenario) error {
		err := b.exchange(ctx, s, &s.Exchanges[0])
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the discriminator %q is missing", member)) {
			return fmt.Errorf("got the error %w, want one that names %q", err, member)
		}
		return nil
	}
}

// readsWithout wants a value that differs from the answer in one member, which the answer does not have.
func readsWithout(member string) special {
	return func(ctx context.Context, b *band, s *scenario) error {
		var d *play.Difference
		err := b.exchange(ctx, s, &s.Exchanges[0])
		if errors.As(err, &d) && d.At == "$."+member && d.Want == nil {
			return nil
		}
		return err
	}
}

// keepsUnknown wants a value that says all of the answer, of which a union says that it knows no variant.
func keepsUnknown(ctx context.Context, b *band, s *scenario) error {
	err := b.exchange(ctx, s, &s.Exchanges[0])
	var d *play.Difference
	if !errors.Is(err, play.ErrNoVariant) || errors.As(err, &d) {
		return fmt.Errorf("got the error %w, want %w alone", err, play.ErrNoVariant)
	}
	return nil
}

// withFiles sends the picture of the scenario of single files.
func withFiles(field string, names ...string) special {
	return func(ctx context.Context, b *band, s *scenario) error {
		e := s.Exchanges[0]
		e.Body = &play.Content{ContentType: "multipart/form-data"}
		for _, name := range names {
			e.Body.Files = append(e.Body.Files, play.File{Field: field, Name: name, Type: "image/png", Data: b.picture})
		}
		return b.exchange(ctx, s, &e)
	}
}

// pages wants all that the answers of the exchanges list, in their order, from one call.
func pages(ctx context.Context, b *band, s *scenario) error {
	var want []json.RawMessage
	for _, e := range s.Exchanges {
		var page struct {
			Pets        []json.RawMessage
			NestedItems struct{ Pets []json.RawMessage }
		}
		if err := json.Unmarshal(e.Answer.Data, &page); err != nil {
			return err
		}
		want = append(append(want, page.Pets...), page.NestedItems.Pets...)
	}
	var got []json.RawMessage
	err := b.each(s, &s.Exchanges[0], func(p *play.Player) (err error) {
		got, err = p.Pages(ctx, &s.Exchanges[0])
		return err
	})
	if err != nil {
		return err
	}
	if g, w := fmt.Sprintf("%s", got), fmt.Sprintf("%s", want); g != w || len(want) == 0 {
		return fmt.Errorf("got the items %s, want %s", g, w)
	}
	return nil
}

// accepting asks for what the exchange asks for by a request editor.
func accepting(ctx context.Context, b *band, s *scenario) error {
	for i := range s.Exchanges {
		e := &s.Exchanges[i]
		if e.Status != http.StatusOK {
			continue // no client that is made from the document says that
		}
		asking := *b
		asking.accept = e.Header["accept"][0]
		if err := asking.exchange(ctx, s, e); err != nil {
			return err
		}
	}
	return nil
}
