package fuzz

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/resgen-go/resgen/runtime/wire"
)

const (
	perDocument = 10_000
	documents   = 100 // a million floats of each width
)

// digits are floats of one width, as texts and as strconv reads these.
type digits struct {
	bits int
	text []string
}

// more appends texts of one float: as it is written shortest, with too many digits, and nearly halfway to the next one.
func (d *digits) more(r *rand.Rand) {
	f := d.random(r)
	switch r.IntN(8) {
	case 0:
		d.add(strconv.FormatFloat(f, 'e', r.IntN(25), d.bits))
	case 1:
		d.add(strconv.FormatFloat(f, 'g', 17+r.IntN(30), 64))
	case 2, 3:
		d.add(d.halfway(f, r))
	case 4:
		d.add(decimal(r))
	default:
		d.add(strconv.FormatFloat(f, "eg"[r.IntN(2)], -1, d.bits))
	}
}

func (d *digits) add(text string) {
	if _, err := strconv.ParseFloat(text, d.bits); err == nil { // else it is out of range
		d.text = append(d.text, text)
	}
}

// random returns a finite float of any size, or of the size that vectors have.
func (d *digits) random(r *rand.Rand) float64 {
	for {
		f := r.NormFloat64() / 40
		switch {
		case r.IntN(4) == 0:
		case d.bits == 32:
			f = float64(math.Float32frombits(r.Uint32()))
		default:
			f = math.Float64frombits(r.Uint64())
		}
		if d.bits == 32 {
			f = float64(float32(f))
		}
		if !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	}
}

// halfway is the middle between f and the next float, all digits of it, or with one behind them; or just less.
func (d *digits) halfway(f float64, r *rand.Rand) string {
	next := math.Nextafter(f, math.Inf(1))
	if d.bits == 32 {
		next = float64(math.Nextafter32(float32(f), float32(math.Inf(1))))
	}
	if math.IsInf(next, 0) {
		return strconv.FormatFloat(f, 'g', -1, d.bits)
	}
	middle := new(big.Float).SetPrec(200).SetFloat64(f)
	middle.Add(middle, new(big.Float).SetFloat64(next))
	middle.Quo(middle, big.NewFloat(2))
	text := middle.Text('e', 20+r.IntN(60))
	if r.IntN(50) == 0 {
		mantissa := middle.Text('e', 800)
		return mantissa[:len(mantissa)-len("e+00")] + "1" + mantissa[len(mantissa)-len("e+00"):]
	}
	return text
}

// decimal is any digits with a point somewhere and any exponent.
func decimal(r *rand.Rand) string {
	var b []byte
	if r.IntN(2) == 0 {
		b = append(b, '-')
	}
	b = strconv.AppendUint(b, r.Uint64()>>r.IntN(64), 10)
	if r.IntN(2) == 0 {
		b = append(b, '.')
		for range 1 + r.IntN(22) {
			b = append(b, byte('0'+r.IntN(10)))
		}
	}
	if r.IntN(2) == 0 {
		b = append(b, "eE"[r.IntN(2)], "+-"[r.IntN(2)])
		b = strconv.AppendInt(b, int64(r.IntN(60)), 10)
	}
	return string(b)
}

// edges are floats at which readers go wrong.
var edges = []string{
	"0", "-0", "-0.0", "0e0", "0e-400", "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
	"5e-324", "4.9406564584124654e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308",
	"1.7976931348623158e308", "1e-45", "1.401298464324817e-45", "7.0064923216240853e-46", "7.0064923216240854e-46", "1.1754943508222875e-38",
	"1.1754942e-38", "3.4028234663852886e38", "3.4028235e38", "3.4028235677973366e38", "9007199254740991", "9007199254740992", "9007199254740993",
	"9007199254740993.0", "9007199254740992.999999999999999", "16777217", "16777217.0000001", "16777216.99999999", "33554433", "123456789012345678901234567890",
	"1e22", "1e23", "8.5e22", "1e-22", "1e-23", "0.1", "0.3", "2.5e-1", "179769313486231570000000000000000000000e270", "6.9e-310", "1.00000017881393432617187499",
	"1.00000017881393432617187500", "1.00000017881393432617187501", "1.000000178813934326171875", "0.00000000000000000000000000000000000000000000000000e+9",
}

func TestFloatsAreExact(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{32, 64} {
		t.Run(strconv.Itoa(bits), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(bits), 5))
			count := 0
			for n := range howMany() {
				d := digits{bits: bits}
				if n == 0 {
					for _, e := range edges {
						d.add(e)
						d.add("-" + e)
					}
				}
				for len(d.text) < perDocument {
					d.more(r)
				}
				count += len(d.text)
				if bits == 32 {
					checkFloats(t, d, func(f float32) uint64 { return uint64(math.Float32bits(f)) })
				} else {
					checkFloats(t, d, math.Float64bits)
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d floats of %d bits", count, bits)
		})
	}
}

// howMany is less where a test should be quick.
func howMany() int {
	if testing.Short() {
		return documents / 10
	}
	return documents
}

// checkFloats reads all texts in one document, in a vector and one by one, and writes them again.
func checkFloats[F float32 | float64](t *testing.T, d digits, raw func(F) uint64) {
	t.Helper()
	type one struct {
		F F `json:"f"`
	}
	document := []byte(`{"vector":[`)
	for i, text := range d.text {
		if i > 0 {
			document = append(document, ',')
		}
		document = append(document, text...)
	}
	document = append(document, `],"each":[`...)
	for i, text := range d.text {
		if i > 0 {
			document = append(document, ',')
		}
		document = append(append(append(document, `{"f":`...), text...), '}')
	}
	document = append(document, "]}"...)
	var got, again struct {
		Vector []F   `json:"vector"`
		Each   []one `json:"each"`
	}
	if err := wire.Unmarshal(document, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Vector) != len(d.text) || len(got.Each) != len(d.text) {
		t.Fatalf("%d and %d of %d are read", len(got.Vector), len(got.Each), len(d.text))
	}
	for i, text := range d.text {
		want, err := strconv.ParseFloat(text, d.bits)
		if err != nil {
			t.Fatal(err)
		}
		if raw(got.Vector[i]) != raw(F(want)) || raw(got.Each[i].F) != raw(F(want)) {
			t.Errorf("%s: read as %v in a vector and as %v by itself, not as %v", text, got.Vector[i], got.Each[i].F, want)
		}
	}
	written, err := wire.Marshal(&got)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := json.Marshal(&got)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != string(plain) {
		t.Error("written otherwise than by encoding/json")
	}
	if err := wire.Unmarshal(written, &again); err != nil {
		t.Fatal(err)
	}
	for i, f := range got.Vector {
		if raw(again.Vector[i]) != raw(f) {
			t.Errorf("%v is written and read as %v", f, again.Vector[i])
		}
	}
}
