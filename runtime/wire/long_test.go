package wire_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
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

// compareWalks decodes a text, and walks through it with what was noted and without, and so with what is written of the value; it returns how
// much was noted.
func compareWalks(t *testing.T, text []byte) int {
	t.Helper()
	var notes codec.Notes
	var v longAnswer
	err := codec.DecodeNoting(text, &v, &notes)
	if sound, knowing := walks(t, text, notes.Long); err == nil && sound != knowing {
		t.Fatalf("%s: sound %t, knowing %t", text, sound, knowing)
	}
	if err != nil {
		return len(notes.Long)
	}
	var members codec.LongMembers
	written, err := codec.MarshalNoting(&v, &members)
	if err != nil {
		t.Fatal(err)
	}
	long := slices.DeleteFunc(members[:], func(l [2]int) bool { return l[1] == 0 })
	if sound, knowing := walks(t, written, long); !sound || !knowing {
		t.Fatalf("%s: sound %t, knowing %t", written, sound, knowing)
	}
	return len(notes.Long) + len(long)
}

// walks walks through a text with what is known and without, and compares what is found where it is sound.
func walks(t *testing.T, text []byte, long jsontext.Long) (sound, knowing bool) {
	t.Helper()
	pointers := jsontext.Compile(longPlaces...)
	last := make([][]byte, 3)
	told := longPlaces[:len(longPlaces)-len(last)]
	var want, got []string
	sound = pointers.Each(text, func(i int, value []byte) {
		if i < len(told) {
			want = append(want, fmt.Sprintf("%s %s", told[i], value))
		}
	})
	knowing = pointers.EachAndFind(text, long, func(i int, value []byte) { got = append(got, fmt.Sprintf("%s %s", told[i], value)) }, last)
	if !sound {
		return sound, knowing
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +knowing):\n%s", text, diff)
	}
	found := make([][]byte, len(longPlaces))
	pointers.Find(text, found)
	if diff := cmp.Diff(found[len(told):], last); diff != "" {
		t.Fatalf("%s: found (-alone +with others):\n%s", text, diff)
	}
	for _, l := range long {
		if part := text[l[0]:l[1]]; !json.Valid(part) || part[0] <= ' ' || part[len(part)-1] <= ' ' {
			t.Fatalf("%s: %s is no value", text, part)
		}
	}
	return sound, knowing
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
