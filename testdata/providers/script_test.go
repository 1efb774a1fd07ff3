package providers

import "testing"

// TestScripts reads every script of every shape.
func TestScripts(t *testing.T) {
	t.Parallel()
	for _, shape := range Shapes() {
		names, plain, stream, err := Faults(shape)
		if err != nil {
			t.Fatal(err)
		}
		b, err := open(shape)
		if err != nil {
			t.Fatal(err)
		}
		if !plain[Right] || !stream[Right] {
			t.Errorf("%s: no right answer", shape)
		}
		for _, name := range names {
			for _, form := range []struct{ has, stream bool }{{plain[name], false}, {stream[name], true}} {
				if !form.has {
					continue
				}
				if s, err := b.find(name, form.stream); err != nil || s.status < 200 {
					t.Errorf("%s: %s: %v", shape, name, err)
				}
			}
		}
	}
}
