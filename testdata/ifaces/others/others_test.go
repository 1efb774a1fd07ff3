package others_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/testdata/ifaces/others"
)

var errDown = errors.New("down")

// library answers by those of its methods that are up, and notes all that are asked.
type library struct {
	up    []string
	asked []string
}

func (l *library) ask(name string) error {
	l.asked = append(l.asked, name)
	if slices.Contains(l.up, name) {
		return nil
	}
	return errDown
}

func (l *library) Complete(context.Context, others.Question) (others.Answer, error) {
	return others.Answer{Text: "new"}, l.ask("Complete")
}

func (l *library) CompleteV1(context.Context, others.Question) (others.Answer, error) {
	return others.Answer{Text: "old"}, l.ask("CompleteV1")
}

func (l *library) Stream(context.Context, others.Question) iter.Seq2[string, error] {
	return l.words("Stream", "new")
}

func (l *library) StreamV1(context.Context, others.Question) iter.Seq2[string, error] {
	return l.words("StreamV1", "old")
}

func (l *library) words(name, word string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := l.ask(name); err != nil {
			yield("", err)
			return
		}
		yield(word, nil)
	}
}

func (l *library) Search(_ context.Context, words ...string) ([]string, error) {
	return []string{"a text on " + strings.Join(words, ", ")}, l.ask("Search")
}

func (l *library) Titles(_ context.Context, words ...string) ([]string, error) {
	return []string{"a title with " + strings.Join(words, ", ")}, l.ask("Titles")
}

func (l *library) Topics(context.Context) ([]string, error) { return []string{"a", "b"}, l.ask("Topics") }

func wrap(t *testing.T, l *library) *others.ResilientLibrary {
	t.Helper()
	type search = func(context.Context, ...string) ([]string, error)
	first := func(ctx context.Context, q others.Question, ask search) (string, error) {
		found, err := ask(ctx, strings.Fields(q.Prompt)...)
		return strings.Join(found, ""), err
	}
	w, err := others.NewResilientLibrary(l,
		others.WithLibraryApology(others.Answer{Text: "sorry"}),
		others.WithLibraryPassages(func(ctx context.Context, q others.Question, ask search) (others.Answer, error) {
			text, err := first(ctx, q, ask)
			return others.Answer{Text: text}, err
		}),
		others.WithLibraryPassageWords(func(ctx context.Context, q others.Question, ask search) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) { yield(first(ctx, q, ask)) }
		}),
		others.WithLibraryNothing(func(ctx context.Context, words []string, ask func(context.Context) ([]string, error)) ([]string, error) {
			topics, err := ask(ctx)
			return []string{"nothing on " + strings.Join(words, ", ") + " in " + strings.Join(topics, ", ")}, err
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestOtherMethodsAnswer walks the ladders, with a different part of the library up each time.
func TestOtherMethodsAnswer(t *testing.T) {
	t.Parallel()
	type said struct {
		Text, Rung string
		Level      policy.Level
	}
	complete := func(ctx context.Context, w *others.ResilientLibrary) (said, error) {
		res, err := w.CompleteResult(ctx, others.Question{Prompt: "x y"})
		return said{res.Value.Text, res.Rung, res.Level}, err
	}
	search := func(ctx context.Context, w *others.ResilientLibrary) (said, error) {
		res, err := w.SearchResult(ctx, "x", "y")
		return said{strings.Join(res.Value, ""), res.Rung, res.Level}, err
	}
	stream := func(ctx context.Context, w *others.ResilientLibrary) (said, error) {
		var meta runtime.Meta
		var out said
		for word, err := range w.Stream(runtime.Capture(ctx, &meta), others.Question{Prompt: "x y"}) {
			if err != nil {
				return out, err
			}
			out.Text += word
		}
		out.Rung, out.Level = meta.Rung, meta.Level
		return out, nil
	}
	for name, tt := range map[string]struct {
		call  func(context.Context, *others.ResilientLibrary) (said, error)
		up    []string
		want  said
		fails bool
		asked []string
	}{
		"the method itself": {complete, []string{"Complete"}, said{"new", "", policy.Equal}, false, []string{"Complete"}},
		"a method of the same types": {
			complete, []string{"CompleteV1"}, said{"old", "older", policy.Reduced}, false, []string{"Complete", "CompleteV1"},
		},
		"a method of other types": {
			complete, []string{"Search"}, said{"a text on x, y", "passages", policy.Reduced}, false, []string{"Complete", "CompleteV1", "Search"},
		},
		"no ladder on a ladder": {
			complete, []string{"Titles", "Topics"}, said{"sorry", "sorry", policy.Canned}, false,
			[]string{"Complete", "CompleteV1", "Search"},
		},
		"a variadic method by another": {search, []string{"Titles"}, said{"a title with x, y", "titles", policy.Reduced}, false, []string{"Search", "Titles"}},
		"a variadic method by one that is none": {
			search, []string{"Topics"}, said{"nothing on x, y in a, b", "nothing", policy.Reduced}, false, []string{"Search", "Titles", "Topics"},
		},
		"an iterator by another": {stream, []string{"StreamV1"}, said{"old", "older", policy.Reduced}, false, []string{"Stream", "StreamV1"}},
		"an iterator by what was found": {
			stream, []string{"Search"}, said{"a text on x, y", "passages", policy.Reduced}, false, []string{"Stream", "StreamV1", "Search"},
		},
		"nobody": {stream, nil, said{}, true, []string{"Stream", "StreamV1", "Search"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &library{up: tt.up}
				got, err := tt.call(t.Context(), wrap(t, l))
				if (err != nil) != tt.fails {
					t.Error(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("answer (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(tt.asked, l.asked); diff != "" {
					t.Errorf("asked (-want +got):\n%s", diff)
				}
			})
		})
	}
}
