// Package jsontext walks over JSON text without decoding it: it passes over values, goes through the members of an object, finds what JSON
// pointers lead to, and writes a canonical form. Numbers and strings stay as they were written.
//
// It checks the structure that it walks through (brackets, commas, colons, the ends of strings), not what it passes over: text that
// matters is decoded too, and the decoder is who refuses it. Hostile text costs time in proportion to its length, and no memory.
package jsontext
