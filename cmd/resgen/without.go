package main

import (
	"fmt"
	"strconv"
)

// without is a flag that is on by default, of a setting that leaves something out.
type without bool

// Set takes whether it is wanted.
func (w *without) Set(text string) error {
	wanted, err := strconv.ParseBool(text)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", text)
	}
	*w = without(!wanted)
	return nil
}

// String returns whether it is wanted.
func (w *without) String() string { return strconv.FormatBool(!bool(*w)) }

// Type names the values in help texts, as those of other flags.
func (*without) Type() string { return "bool" }

// IsBoolFlag lets the flag stand alone.
func (*without) IsBoolFlag() bool { return true }
