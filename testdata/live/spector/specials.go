package main

import (
	"context"
	"errors"
	"fmt"
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
