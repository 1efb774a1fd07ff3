package wire_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
	"github.com/resgen-go/resgen/runtime/wire"
	"github.com/resgen-go/resgen/runtime/wire/internal/codec"
)

// longAnswer has fields of all kinds whose values the decoder notes where they are long.
type longAnswer struct {
	Text    string             `json:"text"`
	Maybe   wire.Opt[string]   `json:"maybe,omitzero"`
	List    []longAnswer       `json:"list"`
	Named   map[string]string  `json:"named"`
	Words   []string           `json:"words"`
	Any     any                `json:"any"`
	Raw     json.RawMessage    `json:"raw"`
	Vector  []float32          `json:"vector"`
	Vectors [][]float64        `json:"vectors"`
	Rest    map[string]float64 `json:"rest"`
}

var longPlaces = []string{
	"/text", "/maybe", "/list/*/text", "/list/1/any/text", "/named/*", "/words/*", "/any/*/text", "/any", "/raw/text", "/raw/0", "/vector/2",
	"/vectors/*", "/other", "/other/text", "/list/*/list/*/*", "/*",
}

// What the decoder notes of a text leads a walk to the same values.
func TestAWalkThatKnowsWhatIsLongFindsTheSame(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 11))
	known := 0
	for range 400 {
		known += compareWalks(t, []byte(longText(r, 2)))
	}
	if known < 400 {
		t.Errorf("only %d long values were known: the test shows nothing", known)
	}
}

// compareWalks decodes a text, and walks through it with what was noted and without; it returns how much was noted.
func compareWalks(t *testing.T, text []byte) int {
	t.Helper()
	pointers := jsontext.Compile(longPlaces...)
	var notes codec.Notes
	var v longAnswer
	err := codec.DecodeNoting(text, &v, &notes)
	var want, got []string
	sound := pointers.Each(text, func(i int, value []byte) { want = append(want, fmt.Sprintf("%s %s", longPlaces[i], value)) })
	knowing := pointers.EachKnowing(text, notes.Long, func(i int, value []byte) { got = append(got, fmt.Sprintf("%s %s", longPlaces[i], value)) })
	if diff := cmp.Diff(want, got); sound && diff != "" || err == nil && sound != knowing {
		t.Fatalf("%s (%v), sound %t, knowing %t (-want +got):\n%s", text, err, sound, knowing, diff)
	}
	for _, l := range notes.Long {
		if part := text[l[0]:l[1]]; !json.Valid(part) || part[0] <= ' ' || part[len(part)-1] <= ' ' {
			t.Fatalf("%s: %s is no value", text, part)
		}
	}
	return len(notes.Long)
}

// longText returns an object with the members of a longAnswer, some others, and long values among the short ones.
func longText(r *rand.Rand, depth int) string {
	text := func() string {
		return `"` + strings.Repeat([]string{"a", `\"`, `\\`, "é", "]", "{", `\n`, `\u00e9`}[r.IntN(8)], r.IntN(90)) + `"`
	}
	vector := func() string { return "[" + strings.TrimSuffix(strings.Repeat("-1.5e3, ", r.IntN(30)), ", ") + "]" }
	many := func(one func() string) string {
		all := make([]string, r.IntN(4))
		for i := range all {
			all[i] = one()
		}
		return "[" + strings.Join(all, " , ") + "]"
	}
	inner := func() string {
		if depth == 0 {
			return `{}`
		}
		return longText(r, depth-1)
	}
	members := []string{
		`"text":` + text(), `"maybe":` + text(), `"list":` + many(inner), `"named":{"a":` + text() + `,"text":` + text() + `}`,
		`"words" : ` + many(text), `"any":` + many(inner), `"raw":` + inner(), `"raw":` + many(text), `"vector":` + vector(), `"vectors":` + many(vector),
		`"other":` + inner(), `"oth\u0065r":` + text(), `"` + strings.Repeat(`\"k`, r.IntN(40)) + `":` + text(), `"rest":{}`,
	}
	r.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
	return "{ " + strings.Join(members[:r.IntN(len(members))], ",") + "}"
}

func FuzzAWalkThatKnowsWhatIsLong(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		f.Add([]byte(longText(r, 2)))
	}
	f.Fuzz(func(t *testing.T, text []byte) { compareWalks(t, text) })
}
