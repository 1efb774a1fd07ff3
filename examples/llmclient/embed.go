package main

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"

	"github.com/resgen-go/resgen/runtime"
)

// dimensions is the length of the vectors.
const dimensions = 256

// embedder makes vectors for the semantic cache: of the words that matter, in any order. A real program asks a model, on another target than the
// one whose answers are cached, or in its own process; this one must run without.
func embedder() runtime.Embedder {
	return runtime.Embedder{Model: "words-1", Dimensions: dimensions, Embed: func(_ context.Context, text string) ([]float32, error) {
		vector := make([]float32, dimensions)
		for _, word := range words(text) {
			sum := fnv.New32a()
			_, _ = sum.Write([]byte(word)) // a hash never fails
			vector[sum.Sum32()%dimensions]++
		}
		return vector, nil
	}}
}

// words are the words of a text that tell it from others.
func words(text string) []string {
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(all, func(word string) bool {
		return slices.Contains([]string{"a", "can", "do", "does", "how", "i", "is", "me", "my", "of", "please", "the", "to", "you"}, word)
	})
}
