package jsontext_test

import (
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

func TestSays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		``: false, ` `: false, `null`: false, `false`: false, `""`: false, ` [ ] `: false, `{}`: false, `[null,"",{}]`: false, `{"a":{"b":[false]},"c":""}`: false,
		`0`: true, `true`: true, `"x"`: true, `[[],0]`: true, `{"a":{},"b":{"c":"x"}}`: true, `[null,{"a":[""]},"x"]`: true, `"\""`: true,
		`[null`: false, `{"a"`: false, `{"a":}`: false, `[,]`: false, `[{]}`: false,
		strings.Repeat("[", 20) + strings.Repeat("]", 20): true, // deeper than is looked
	} {
		c := jsontext.At([]byte(text))
		if got := c.Says(8); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
