package faultlist_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/examples/llmclient/model"
	"github.com/resgen-go/resgen/examples/llmclient/model/chat"
	"github.com/resgen-go/resgen/examples/llmclient/model/messages"
	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/providers"
)

// otherShape is the shape of the target that answers where the primary of a shape does not: two APIs behind one Go interface.
var otherShape = map[string]string{"chat": "messages", "messages": "chat"}

// leastAcross is how many cells are played at least; it only ever grows.
const leastAcross = 144

// TestAcrossShapes plays the cells of two shapes with a primary target of that shape and a second target of the other: what a fault comes to is
// the same as where both are of one shape, in one wrapper that retries alone, with usage that is counted in one way.
func TestAcrossShapes(t *testing.T) {
	t.Parallel()
	played := 0
	for shape := range otherShape {
		for _, r := range table() {
			for _, stream := range []bool{false, true} {
				w := r.of(shape, stream)
				if w.why != "" {
					continue
				}
				if shape == "chat" && r.fault == "refusal" { // the adapter says so, as Messages does
					w = fails(refused)
				}
				played++
				c := &across{cell: cell{shape: shape, fault: r.fault, stream: stream, want: w}}
				t.Run(c.name(), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, c.play)
				})
				if there := r.of(otherShape[shape], stream); there.why == "" && r.fault != "refusal" && (w.how == retried || w.how == next) {
					t.Run(c.name()+"/both", func(t *testing.T) {
						t.Parallel()
						synctest.Test(t, func(t *testing.T) { c.playBoth(t, &there) })
					})
				}
			}
		}
	}
	if played < leastAcross {
		t.Errorf("%d cells, want at least %d", played, leastAcross)
	}
}

// across is a fault of a shape, with a second target of the other one.
type across struct{ cell }

// play makes a call while the second target is well.
func (c *across) play(t *testing.T) {
	s := &stage{group: runtime.NewGroup()}
	var first, second model.Model
	first, s.first = newModel(t, c.shape, c.fault)
	second, s.second = newModel(t, otherShape[c.shape], providers.Right)
	m := wrap(t, s.group, first, second)

	var meta runtime.Meta
	text, err := say(runtime.Capture(t.Context(), &meta), m, c.stream)
	w := c.want
	asked, other, rung, level, reason, want := 1, 0, "", policy.Equal, policy.KindNone, w.text
	switch w.how {
	case retried, next:
		other, rung, level, reason, want = 1, "second", policy.Alternate, w.kind, rightText
		if w.how == retried {
			asked = 2
		}
	case ends:
		want = ""
	case answered, broken:
	}
	if got := [2]int{len(s.first.Requests()), len(s.second.Requests())}; got != [2]int{asked, other} {
		t.Errorf("requests: %v, want %v", got, [2]int{asked, other})
	}
	if text != want {
		t.Errorf("text %q, want %q", text, want)
	}
	if w.how != ends && (meta.Rung != rung || meta.Level != level || meta.Reason != reason) {
		t.Errorf("rung %q, %v for %v; want %q, %v for %v", meta.Rung, meta.Level, meta.Reason, rung, level, reason)
	}
	c.checkEnd(t, err)
	c.checkMachines(t, s)
	c.checkWait(t, s)
	c.checkSaid(t, &meta, other > 0)
}

// playBoth makes a call while the second target does the same, which comes to what it comes to in its own shape. No rung can answer a stream.
func (c *across) playBoth(t *testing.T, there *want) {
	t.Helper()
	group := runtime.NewGroup()
	first, atFirst := newModel(t, c.shape, c.fault)
	second, atSecond := newModel(t, otherShape[c.shape], c.fault)
	var meta runtime.Meta
	text, err := say(runtime.Capture(t.Context(), &meta), wrap(t, group, first, second), c.stream)
	asked := func(w *want) int {
		if w.how == retried {
			return 2
		}
		return 1
	}
	if got := [2]int{len(atFirst.Requests()), len(atSecond.Requests())}; got != [2]int{asked(&c.want), asked(there)} {
		t.Errorf("requests: %v, want %v", got, [2]int{asked(&c.want), asked(there)})
	}
	if there.how == answered || there.how == broken {
		return // the second shape takes it for something else
	}
	if meta.Reason != c.want.kind {
		t.Errorf("%v, want %v as of the first: %v", meta.Reason, c.want.kind, err)
	}
	switch {
	case !c.stream && (text != sorryText || meta.Rung != "apology" || meta.Usage != policy.Usage{}):
		t.Errorf("%q by %q with %+v, want the apology: %v", text, meta.Rung, meta.Usage, err)
	case c.stream && (text != "" || runtime.KindOf(err) != c.want.kind):
		t.Errorf("%q, %v; want an error of the kind %v", text, err, c.want.kind)
	}
}

// checkEnd compares the error of the call, or of its stream.
func (c *across) checkEnd(t *testing.T, err error) {
	t.Helper()
	w := c.want
	if w.how != ends && w.how != broken {
		if err != nil {
			t.Errorf("error %v, want none", err)
		}
		return
	}
	typed, ok := errors.AsType[*runtime.Error](err)
	if !ok {
		t.Fatalf("error %v, want an *Error", err)
	}
	if typed.Kind != w.kind || !typed.MayHaveActed && w.how == broken {
		t.Errorf("kind %v, may have acted %v; want %v: %v", typed.Kind, typed.MayHaveActed, w.kind, err)
	}
	if w.kind == policy.KindReset && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v is not io.ErrUnexpectedEOF", err)
	}
}

// checkSaid compares what came through the adapter beside the answer.
func (c *across) checkSaid(t *testing.T, meta *runtime.Meta, second bool) {
	t.Helper()
	w, shape := c.want, c.shape
	if second {
		shape = otherShape[shape]
	}
	if w.used != usedAny {
		of := policy.Counting{CachedOnTop: shape == "messages"}
		if diff := cmp.Diff(of.Translate(usageOf[shape][w.used], policy.Counting{}), meta.Usage); diff != "" {
			t.Errorf("usage (-want +got):\n%s", diff)
		}
	}
	why := ""
	if w.incomplete {
		why = cutBy[shape]
	}
	if meta.Incomplete != w.incomplete || meta.IncompleteReason != why {
		t.Errorf("incomplete: %v by %q, want %v by %q", meta.Incomplete, meta.IncompleteReason, w.incomplete, why)
	}
}

// newModel returns a model of a shape, and its provider, which does the fault.
func newModel(t *testing.T, shape, fault string) (model.Model, *providers.Provider) {
	t.Helper()
	p, err := providers.New(shape)
	must(t, err)
	p.Play(fault)
	client, stop := providers.Serve(p)
	t.Cleanup(stop)
	if shape == "chat" {
		c, err := chat.New(chat.WithBaseURL("http://"+shape+".test"), chat.WithHTTPClient(client), chat.WithBearer("key"))
		must(t, err)
		return &model.Chat{Client: c, Model: "m-1"}, p
	}
	c, err := messages.New(messages.WithBaseURL("http://"+shape+".test"), messages.WithHTTPClient(client), messages.WithAPIKey("key"))
	must(t, err)
	return &model.Messages{Client: c, Model: "m-1"}, p
}

// wrap returns the wrapper of two models.
func wrap(t *testing.T, group *runtime.Group, first, second model.Model) model.Model {
	t.Helper()
	var none model.Passages
	m, err := model.NewResilientModel(first, model.WithModelTarget("second", second),
		model.WithModelPassages(none.Generate), model.WithModelStreamPassages(none.Stream), model.WithModelApology(model.Apology()),
		model.WithModelRuntime(runtime.WithGroup(group)),
	)
	must(t, err)
	return m
}

// say asks a model, and returns everything that it shows.
func say(ctx context.Context, m model.Model, stream bool) (text string, err error) {
	if !stream {
		a, err := m.Generate(ctx, model.Ask("Hello?"))
		if err != nil {
			return "", err
		}
		text = a.Thought + a.Text
		for _, call := range a.Calls {
			text += call.Name + call.Arguments
		}
		return text, nil
	}
	for piece, err := range m.Stream(ctx, model.Ask("Hello?")) {
		if err != nil {
			return text, err
		}
		text += piece.Thought + piece.Text + piece.Call.Name + piece.Call.Arguments
	}
	return text, nil
}
