// Package handcodec is the yardstick for JSON: cursors written by hand for the payloads, as cheap as they can be and still read and write the
// same values. They take less care than a codec must: literals are believed, depth is not counted, surrogate pairs are left apart, numbers
// may have leading zeros. Nobody should use it.
//
// cursor.go moves over the text, number.go reads floats; chat.go and vectors.go read the payloads, append.go writes them.
package handcodec
