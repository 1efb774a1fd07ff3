// Package jxcodec reads and writes the payloads over github.com/go-faster/jx in the form in which a generator would emit it: a switch on the
// name for each object, vectors that are given the size of the one before.
package jxcodec
