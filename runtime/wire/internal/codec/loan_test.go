package codec

import (
	"bytes"
	"strings"
	"testing"
)

// Text in memory that is lent is what Marshal writes, whatever was in the memory before, and stays so until it is given back.
func TestLoans(t *testing.T) {
	t.Parallel()
	values := []any{nil, 1, "a", map[string]int{"a": 1}, []float64{1, .5}, struct{ A, B string }{"a", strings.Repeat("x", 2000)}, strings.Repeat("y", keptBuffer*2), func() {}}
	var texts, wants [][]byte
	var held []*Loan
	for range 20 {
		for _, v := range values {
			want, wrong := Marshal(v)
			text, loan, err := MarshalLoan(v, nil)
			if (err != nil) != (wrong != nil) || !bytes.Equal(text, want) {
				t.Fatalf("%.40q, %v; Marshal: %.40q, %v", text, err, want, wrong)
			}
			if loan != nil && len(held) < 30 {
				texts, wants, held = append(texts, text), append(wants, want), append(held, loan)
				continue
			}
			if loan != nil && !loan.Free() {
				t.Error("what nobody was shown is not used again")
			}
		}
	}
	if len(held) == 0 {
		t.Fatal("nothing was lent")
	}
	for i, loan := range held {
		if !bytes.Equal(texts[i], wants[i]) {
			t.Errorf("%.40q became %.40q", wants[i], texts[i])
		}
		loan.Show()
		if loan.Show(); loan.Free() {
			t.Error("what two are shown is used again")
		}
		loan.Hide()
		if loan.Free() {
			t.Error("what one is shown is used again")
		}
		if loan.Hide(); !loan.Free() {
			t.Error("what nobody is shown any more is not used again")
		}
	}
}
