package sample

import (
	"fmt"
	"slices"
	"strings"

	"github.com/resgen-go/resgen/generator/internal/plan"
	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

// doneMarker is the marker of the end in the forms that need one and where the operation names no other.
const doneMarker = "[DONE]"

// stream fills in an answer that comes item by item, and that is whole for whoever knows the form of its items.
func (w *work) stream(op *plan.Operation, c *plan.ResponseCase, out *Answer) error {
	s := op.Response.Stream
	out.MediaType = Spelled(c.MediaType, "text/event-stream")
	rules := policy.NewStreamRules(op.Policy.Errors.Preset, s.Policy)
	tries, err := w.tries(s)
	for _, items := range tries {
		marker, whole := ends(rules, &s.Policy, items)
		if !whole {
			continue
		}
		out.Items, out.Marker = items, marker
		out.Body = framed(s.Policy.Format, items, marker)
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: in what form of items its stream comes to a proven end is not known", ErrUnsolved)
}

// tries are lists of items that may be a whole stream, the smallest first. The error says why the smallest cannot be made.
func (w *work) tries(s *plan.Stream) (tries [][]string, err error) {
	if s.Text {
		return [][]string{{"text"}}, nil
	}
	smallest, err := w.value(s.Item, nil)
	if err == nil {
		tries = append(tries, []string{plan.CompactJSON(&smallest)})
		for _, rule := range s.Policy.Complete {
			if last, ok := w.meeting(s.Item, smallest.Clone(), rule); ok {
				tries = append(tries, []string{last})
			}
		}
	}
	for _, known := range wholeStreams {
		list := parsed(known)
		items := make([]string, 0, len(list.List))
		for i := range list.List {
			item, wrong := w.filled(s.Item, &list.List[i])
			if wrong != nil {
				break
			}
			items = append(items, plan.CompactJSON(&item))
		}
		if len(items) == len(list.List) {
			tries = append(tries, items)
		}
	}
	return tries, err
}

// meeting is an item that a rule of the annotations tells; false where the type of the items has no such.
func (w *work) meeting(item plan.GoType, v source.Value, rule policy.ItemRule) (string, bool) {
	for _, m := range rule {
		if m.Pointer == policy.ItemEvent || !strings.HasPrefix(m.Pointer, "/") {
			return "", false
		}
		value := text("text")
		if len(m.Values) > 0 {
			value = text(m.Values[0])
		}
		put(&v, strings.Split(m.Pointer[1:], "/"), value)
	}
	full, err := w.filled(item, &v)
	return plan.CompactJSON(&full), err == nil
}

// put sets the value at a JSON pointer, and makes what is on the way.
func put(v *source.Value, steps []string, value source.Value) {
	if len(steps) == 0 {
		*v = value
		return
	}
	step := strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[0])
	if step == "*" {
		if v.Kind != source.List || len(v.List) == 0 {
			*v = source.Value{Kind: source.List, List: make([]source.Value, 1)}
		}
		put(&v.List[0], steps[1:], value)
		return
	}
	if v.Kind != source.Map {
		*v = source.Value{Kind: source.Map}
	}
	if v.Get(step) == nil {
		v.Set(source.Field{Key: step})
	}
	put(v.Get(step), steps[1:], value)
}

// ends reports whether items are a whole stream, and the marker that it then ends with; empty for none.
func ends(rules *policy.StreamRules, s *policy.Stream, items []string) (marker string, whole bool) {
	if rules == nil {
		return s.Done, true
	}
	texts := make([][]byte, len(items))
	for i := range items {
		texts[i] = []byte(items[i])
	}
	state, ok := rules.Play(texts)
	if !ok || state.Incomplete() != "" || state.IsEmpty() {
		return "", false
	}
	if state.Unproven(false) == "" {
		return s.Done, true
	}
	marker = s.Done
	if marker == "" {
		marker = doneMarker
	}
	return marker, state.Unproven(true) == ""
}

// framed is how items travel.
func framed(format policy.StreamFormat, items []string, marker string) string {
	if marker != "" {
		items = append(slices.Clone(items), marker)
	}
	var b strings.Builder
	for _, item := range items {
		switch format {
		case policy.JSONL:
			b.WriteString(item + "\n")
		case policy.JSONSeq:
			b.WriteString("\x1e" + item + "\n")
		case policy.SSE, policy.NoStream:
			b.WriteString("data: " + strings.ReplaceAll(item, "\n", "\ndata: ") + "\n\n")
		}
	}
	return b.String()
}
