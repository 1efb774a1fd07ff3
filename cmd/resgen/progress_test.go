package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/resgen-go/resgen/generator"
)

// TestProgressIsSilentAtFirst drives the show by hand: the timer of the test never fires.
func TestProgressIsSilentAtFirst(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &progress{out: &out, timer: time.AfterFunc(time.Hour, func() {})}
	want := func(when, text string) {
		t.Helper()
		if got := out.String(); got != text {
			t.Errorf("%s: got %q, want %q", when, got, text)
		}
		out.Reset()
	}
	p.stage(generator.Stage{Client: "llm", Step: "load"})
	want("before a second is over", "")
	p.show()
	want("after a second", "\r\x1b[Kresgen: load llm ...")
	p.stage(generator.Stage{Client: "llm", Step: "plan"})
	want("at the next stage", "\r\x1b[Kresgen: plan llm ...")
	p.stop()
	want("at the end", "\r\x1b[K")
	p.show()
	want("when the timer fires too late", "")
}

func TestAStreamThatIsNoFileIsNoTerminal(t *testing.T) {
	t.Parallel()
	if isTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is taken for a terminal")
	}
}
