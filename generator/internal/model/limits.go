package model

import "github.com/resgen-go/resgen/generator/internal/source"

// Limits are what a schema says of values beyond their type, as far as a sample has to keep to it. Nil is none.
type Limits struct {
	// Format and Pattern are of a string; the pattern is as the document writes it, in the dialect of ECMAScript.
	Format, Pattern string
	// MinLength and MaxLength are of a string, in characters; a negative MaxLength is no bound.
	MinLength, MaxLength int64
	// Least and Most are bounds of a number, nil for none; where Above or Below is set the bound itself is not allowed.
	Least, Most  *float64
	Above, Below bool
	// Multiple is what a number is a multiple of; 0 is none.
	Multiple float64
	// MinItems is of a list, Unique says that its items differ, MinMembers is of an object.
	MinItems, MinMembers int64
	Unique               bool
	// Items are the limits of a list's items, or of what an object holds that is not listed; nil for none, and where those are a type of
	// their own.
	Items *Limits
	// Examples are scalars that the document gives: its examples, then its default.
	Examples []source.Value
}
