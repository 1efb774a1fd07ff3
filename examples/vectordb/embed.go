package main

import (
	"hash/fnv"
	"math"
	"strings"
	"unicode"
)

// dimensions is the length of the vectors.
const dimensions = 256

// embed makes a vector of the words of a text and of their parts, so that words with a common stem are near each other. A real program asks a
// model; this one must run without.
func embed(text string) []float32 {
	vector := make([]float32, dimensions)
	for _, word := range words(text) {
		add(vector, word, 2)
		padded := []rune("^" + word + "$")
		const gram = 3
		for i := 0; i+gram <= len(padded); i++ {
			add(vector, string(padded[i:i+gram]), 1)
		}
	}
	var square float64
	for _, x := range vector {
		square += float64(x) * float64(x)
	}
	if square > 0 {
		length := float32(math.Sqrt(square))
		for i := range vector {
			vector[i] /= length
		}
	}
	return vector
}

// add adds a feature with its weight, in a direction of its own.
func add(vector []float32, feature string, weight float32) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(feature)) // a hash never fails
	sum := h.Sum32()
	if sum>>31 == 1 {
		weight = -weight
	}
	vector[sum%dimensions] += weight
}

// words are the words of a text, in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
