package wire_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/resgen-go/resgen/runtime/wire"
)

// measure has a number and a time at every place where a schema may have one.
type measure struct {
	N     int64                      `json:"n"`
	U     wire.Opt[uint32]           `json:"u,omitzero"`
	Small wire.OptNull[int32]        `json:"small,omitzero"`
	List  []int64                    `json:"list,omitzero"`
	Map   map[string]int32           `json:"map,omitzero"`
	Ratio float64                    `json:"ratio"`
	At    time.Time                  `json:"at"`
	Until wire.Opt[time.Time]        `json:"until,omitzero"`
	Days  []wire.Date                `json:"days,omitzero"`
	Sub   *measure                   `json:"sub,omitzero"`
	Extra map[string]wire.Null[int8] `json:"-"              wire:"additional"`
}

func (e *measure) UnmarshalJSON(data []byte) error { return wire.Unmarshal(data, e) }

// TestJSONTakesWhatServersSend reads integers with a fraction of zeros, which JSON Schema takes for integers, and times in forms near
// RFC 3339.
func TestJSONTakesWhatServersSend(t *testing.T) {
	t.Parallel()
	const text = `{"n": 1.0, "u": 2e3, "small": -3.00, "list": [1, 2.0, 1e2], "map": {"a": 4.0}, "ratio": 1.5, "at": "2024-02-29 12:30:00",
		"until": "2024-02-29T12:30:00.5+0200", "days": ["2024-02-29T00:00:00Z", "20240301"],
		"sub": {"n": 9007199254740993.0, "ratio": 1, "at": "2024-02-29T12:30:00Z"}, "more": 5.0}`
	noon := time.Date(2024, time.February, 29, 12, 30, 0, 0, time.UTC)
	want := measure{
		N: 1, U: wire.Some[uint32](2000), Small: wire.SomeNotNull[int32](-3), List: []int64{1, 2, 100}, Map: map[string]int32{"a": 4}, Ratio: 1.5,
		At: noon, Until: wire.Some(noon.Add(-2*time.Hour + 500*time.Millisecond)),
		Days:  []wire.Date{{Year: 2024, Month: time.February, Day: 29}, {Year: 2024, Month: time.March, Day: 1}},
		Sub:   &measure{N: 9007199254740993, Ratio: 1, At: noon},
		Extra: map[string]wire.Null[int8]{"more": wire.NotNull[int8](5)},
	}
	got, err := wire.JSON[measure](respond(t, answer(http.StatusOK, "application/json", text)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, *got, cmp.AllowUnexported(wire.Opt[uint32]{}, wire.OptNull[int32]{}, wire.Opt[time.Time]{}, wire.Null[int8]{}),
		cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestJSONRefusesWhatIsNoInteger holds the other side: what is no integer and no time stays an error that says where it is.
func TestJSONRefusesWhatIsNoInteger(t *testing.T) {
	t.Parallel()
	for text, path := range map[string]string{
		`{"n": 1.5}`:                            "/n",
		`{"n": 1e40}`:                           "/n",
		`{"n": 1.0, "u": -1.0}`:                 "/u",
		`{"n": "1"}`:                            "/n",
		`{"n": 1.0, "at": "yesterday"}`:         "/at",
		`{"n": 1, "list": [1.0, 2.25]}`:         "/list/1",
		`{"n": 1, "until": "2024-02-30 10:00"}`: "/until",
	} {
		type flat struct {
			N     int64               `json:"n"`
			U     wire.Opt[uint32]    `json:"u,omitzero"`
			At    time.Time           `json:"at"`
			List  []int64             `json:"list,omitzero"`
			Until wire.Opt[time.Time] `json:"until,omitzero"`
		}
		_, err := wire.JSON[flat](respond(t, answer(http.StatusOK, "application/json", text)))
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want an error at %s", text, err, path)
		}
	}
}

// TestTimeForms lists the forms of times that are taken.
func TestTimeForms(t *testing.T) {
	t.Parallel()
	want := time.Date(2024, time.February, 29, 10, 11, 12, 0, time.UTC)
	for _, text := range []string{
		"2024-02-29T10:11:12Z", "2024-02-29t10:11:12z", "2024-02-29 10:11:12", "2024-02-29 10:11:12Z", "2024-02-29T10:11:12", "2024-02-29T12:11:12+0200",
		"2024-02-29 10:11:12 +00:00", "2024-02-29 12:11:12 +0200", "2024-02-29T12:11:12+02", "2024-02-29 10:11:12 UTC", "20240229T101112Z",
		"Thu, 29 Feb 2024 10:11:12 GMT", "Thu, 29 Feb 2024 12:11:12 +0200", "2024-02-29T10:11:12.000",
	} {
		got, err := wire.JSONValue[time.Time](respond(t, answer(http.StatusOK, "application/json", strconv.Quote(text))))
		if err != nil || !got.Equal(want) {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
}

// TestZonesThatMeanSeveralThings holds that a time is an error where its zone is not known, and not one of UTC, wherever the program runs.
func TestZonesThatMeanSeveralThings(t *testing.T) {
	t.Parallel()
	local, _ := time.Now().Zone()
	for _, zone := range []string{"EST", "PST", "CET", "IST", "XYZ", "GMT+3", local} {
		if zone == "UTC" || zone == "GMT" {
			continue
		}
		for _, text := range []string{"2024-02-29 10:11:12 ", "Thu, 29 Feb 2024 10:11:12 ", "Thursday, 29-Feb-24 10:11:12 "} {
			var at time.Time
			if err := wire.Unmarshal([]byte(strconv.Quote(text+zone)), &at); err == nil {
				t.Errorf("%s%s was read as %v", text, zone, at)
			}
		}
	}
}

// TestDecodeIsExactWhereNothingIsWrong holds that a value which needs no repair is decoded once: what the first try has read is not touched.
func TestDecodeIsExactWhereNothingIsWrong(t *testing.T) {
	t.Parallel()
	var u wire.Union
	if err := json.Unmarshal([]byte(`{"n":1.0}`), &u); err != nil {
		t.Fatal(err)
	}
	type counted struct {
		N int64 `json:"n"`
	}
	var v counted
	if !wire.As(u, &v) || v.N != 1 {
		t.Errorf("got %v, want 1", v)
	}
	if got := string(u.Raw()); got != `{"n":1.0}` {
		t.Errorf("the union holds %s, want what came", got)
	}
}
