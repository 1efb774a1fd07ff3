package generator_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
	vec "github.com/resgen-go/resgen/testdata/specs/vectors/want"
)

// played answers with one text after the other; the last again for all that follow.
func played(texts ...string) answering {
	return func(*http.Request) string {
		text := texts[0]
		if len(texts) > 1 {
			texts = texts[1:]
		}
		return text
	}
}

func rowsOf(ids string) vec.Rows {
	var rows vec.Rows
	for id := range strings.FieldsSeq(ids) {
		rows.Rows = append(rows.Rows, vec.Row{ID: id})
	}
	return rows
}

// resultsOf answers to rows: "a b! c?" is that a is stored, b failed for a while, and c is wrong.
func resultsOf(rows string) string {
	var items []string
	for id := range strings.FieldsSeq(rows) {
		switch name := strings.TrimRight(id, "!?*"); {
		case strings.HasSuffix(id, "!"):
			items = append(items, `{"id":"`+name+`","error":{"code":"overloaded"}}`)
		case strings.HasSuffix(id, "?"):
			items = append(items, `{"id":"`+name+`","status":422,"error":{"message":"no row"}}`)
		case strings.HasSuffix(id, "*"):
			items = append(items, `{"id":"`+name+`","error":{"code":"rate_limit_exceeded"}}`)
		default:
			items = append(items, `{"id":"`+name+`","error":null}`)
		}
	}
	return `{"took":1,"results":[` + strings.Join(items, ",") + `]}`
}

// idsSent are the ids of the rows that were sent, a line for each request.
func idsSent(bodies []string) []string {
	var out []string
	for _, body := range bodies {
		body = strings.TrimSuffix(strings.TrimPrefix(body, `{"rows":[{"id":"`), `"}]}`)
		out = append(out, strings.ReplaceAll(body, `"},{"id":"`, " "))
	}
	return out
}

func resultIDs(r *vec.Results) string {
	var all []string
	for _, item := range r.Results {
		id, mark := item.ID.Or(""), ""
		if item.Error != nil {
			mark = "!"
		}
		all = append(all, id+mark)
	}
	return strings.Join(all, " ")
}

// TestPartial sends again what failed of a batch, and only that, and gives the answer to all of it.
func TestPartial(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers []string // of the target; empty is a 503
		sent    []string
		want    string // the answer; empty for none
		failed  []int  // the numbers of PartialError; nil for no error
		kinds   []runtime.Kind
		rung    string
		err     runtime.Kind
		took    time.Duration
	}{
		"all well":              {answers: []string{resultsOf("a b c")}, sent: []string{"a b c"}, want: "a b c"},
		"two again":             {answers: []string{resultsOf("a b! c d!"), resultsOf("b d")}, sent: []string{"a b c d", "b d"}, want: "a b c d", took: 100 * time.Millisecond},
		"fewer and fewer":       {answers: []string{resultsOf("a! b! c"), resultsOf("a b!"), resultsOf("b")}, sent: []string{"a b c", "a b", "b"}, want: "a b c", took: 300 * time.Millisecond},
		"one is left":           {answers: []string{resultsOf("a b!"), resultsOf("b!")}, sent: []string{"a b", "b", "b"}, want: "a b!", failed: []int{1}, kinds: []runtime.Kind{policy.KindTransient}, took: 300 * time.Millisecond},
		"a wrong one":           {answers: []string{resultsOf("a? b c!"), resultsOf("c")}, sent: []string{"a b c", "c"}, want: "a! b c", failed: []int{0}, kinds: []runtime.Kind{policy.KindCaller}, took: 100 * time.Millisecond},
		"wrong ones alone":      {answers: []string{resultsOf("a? b")}, sent: []string{"a b"}, want: "a! b", failed: []int{0}, kinds: []runtime.Kind{policy.KindCaller}},
		"throttled":             {answers: []string{resultsOf("a b*"), resultsOf("b")}, sent: []string{"a b", "b"}, want: "a b", took: 100 * time.Millisecond},
		"fails, then answers":   {answers: []string{resultsOf("a b!"), "", resultsOf("b")}, sent: []string{"a b", "b", "b"}, want: "a b", took: 300 * time.Millisecond},
		"fails in the end":      {answers: []string{resultsOf("a b!"), "", ""}, sent: []string{"a b", "b", "b"}, want: "a b!", failed: []int{1}, kinds: []runtime.Kind{policy.KindTransient}, took: 300 * time.Millisecond},
		"answers something":     {answers: []string{resultsOf("a b!"), resultsOf("b c"), resultsOf("b")}, sent: []string{"a b", "b", "b"}, want: "a b", took: 300 * time.Millisecond},
		"all of it":             {answers: []string{resultsOf("a! b!"), resultsOf("a b")}, sent: []string{"a b", "a b"}, want: "a b", took: 100 * time.Millisecond},
		"all of it, wrong":      {answers: []string{resultsOf("a? b?")}, sent: []string{"a b"}, err: policy.KindCaller},
		"all of it, differing":  {answers: []string{resultsOf("a? b!"), resultsOf("b")}, sent: []string{"a b", "b"}, want: "a! b", failed: []int{0}, kinds: []runtime.Kind{policy.KindCaller}, took: 100 * time.Millisecond},
		"all of it, to the end": {answers: []string{resultsOf("a! b!")}, sent: []string{"a b", "a b", "a b"}, want: "elsewhere", rung: "replica", took: 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newVectors(t)
				s.answer, s.replica = played(c.answers...), fixed(resultsOf("elsewhere"))
				begin, rows := time.Now(), rowsOf(c.sent[0])
				res, err := s.PutRows(t.Context(), &rows)
				if diff := cmp.Diff(c.sent, idsSent(s.sent)); diff != "" {
					t.Errorf("sent (-want +got):\n%s", diff)
				}
				if c.err != policy.KindNone {
					var p *runtime.PartialError
					if runtime.KindOf(err) != c.err || !errors.As(err, &p) || len(p.Indexes) != len(rows.Rows) {
						t.Errorf("got %v, want kind %s with the items", err, c.err)
					}
					return
				}
				if res.Value == nil || resultIDs(res.Value) != c.want || res.Rung != c.rung || c.rung == "" && len(s.there) > 0 {
					t.Errorf("got %+v of rung %q, %v, want %s", res.Value, res.Rung, err, c.want)
				}
				comparePartial(t, err, len(rows.Rows), c.failed, c.kinds)
				if took := time.Since(begin); took != c.took {
					t.Errorf("it took %v, want %v", took, c.took)
				}
			})
		})
	}
}

// comparePartial compares what the error says of items; no items are no error.
func comparePartial(t *testing.T, err error, total int, failed []int, kinds []runtime.Kind) {
	t.Helper()
	if failed == nil {
		if err != nil {
			t.Errorf("got %v, want no error", err)
		}
		return
	}
	var p *runtime.PartialError
	var whole *runtime.Error
	if !errors.As(err, &p) || errors.As(err, &whole) {
		t.Fatalf("got %v, want a PartialError alone", err)
	}
	var got []runtime.Kind
	for _, item := range p.Items {
		got = append(got, item.Kind)
	}
	if diff := cmp.Diff(failed, p.Indexes) + cmp.Diff(kinds, got); diff != "" || p.Failed != len(failed) || p.Total != total {
		t.Errorf("%+v (-want +got):\n%s", p, diff)
	}
}

// TestPartialIsNoEvidence keeps the breaker closed: the target has answered.
func TestPartialIsNoEvidence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		s.answer, s.replica = fixed(resultsOf("a? b")), fixed(resultsOf("elsewhere"))
		rows := rowsOf("a b")
		for range 20 {
			if res, err := s.PutRows(t.Context(), &rows); res.Value == nil || res.Rung != "" || err == nil {
				t.Fatalf("got %+v, %v", res, err)
			}
		}
	})
}

// TestPartialEndsInTime gives what there is when the caller's time is over.
func TestPartialEndsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		s.answer = played(resultsOf("a b!"), resultsOf("b"))
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		rows := rowsOf("a b")
		res, err := s.PutRows(ctx, &rows)
		if res.Value == nil || resultIDs(res.Value) != "a b!" || len(s.sent) != 1 {
			t.Errorf("got %+v after %d requests", res.Value, len(s.sent))
		}
		comparePartial(t, err, 2, []int{1}, []runtime.Kind{policy.KindTransient})
		begin := time.Now()
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(30*time.Millisecond, stop)
		s.answer = fixed(resultsOf("a b!"))
		if res, err = s.PutRows(ctx, &rows); res.Value == nil || time.Since(begin) != 30*time.Millisecond {
			t.Errorf("got %+v, %v after %v", res.Value, err, time.Since(begin))
		}
	})
}

// TestPartialUnaligned sends nothing again where the answer does not tell of each item.
func TestPartialUnaligned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		s.answer = fixed(resultsOf("a b! c"))
		rows := rowsOf("a b")
		res, err := s.PutRows(t.Context(), &rows)
		if res.Value == nil || len(s.sent) != 1 {
			t.Errorf("got %+v after %d requests", res, len(s.sent))
		}
		comparePartial(t, err, 3, []int{1}, []runtime.Kind{policy.KindTransient})
	})
}

// TestPartialOnce sends nothing again that must not be done twice.
func TestPartialOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		s.answer = fixed(`{"results":[{"state":"done"},{"state":"failed"},{"state":"lost"}]}`)
		rows := rowsOf("a b c")
		got, err := s.LogRows(t.Context(), &rows)
		if got == nil || len(got.Results) != 3 || len(s.sent) != 1 {
			t.Errorf("got %+v after %d requests, want what there is after one", got, len(s.sent))
		}
		comparePartial(t, err, 3, []int{1, 2}, []runtime.Kind{policy.KindTransient, policy.KindTransient})
	})
}

// TestPartialByNumber reads answers that list what failed, and gives each smaller body a key of its own.
func TestPartialByNumber(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		s.answer = played(
			`{"failed":[{"row":3,"why":"busy"},{"row":1,"why":"busy"}]}`, `{"failed":[{"row":1,"why":"busy"}]}`, `{"failed":[{"row":0,"why":"gone"}]}`,
		)
		rows := rowsOf("a b c d")
		got, err := s.InsertRows(t.Context(), &rows)
		if diff := cmp.Diff([]string{"a b c d", "b d", "d"}, idsSent(s.sent)); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
		if got == nil || len(got.Failed) != 1 || got.Failed[0].Row != 3 {
			t.Errorf("got %+v, want the fourth row", got)
		}
		comparePartial(t, err, 4, []int{3}, []runtime.Kind{policy.KindTransient})
		if len(s.keys) != 3 || s.keys[0] == "" || s.keys[0] == s.keys[1] || s.keys[1] == s.keys[2] || s.keys[0] == s.keys[2] {
			t.Errorf("the keys are %q: each body is another request", s.keys)
		}
		for _, none := range []string{`{"failed":null}`, `{}`} {
			s.answer = played(`{"failed":[{"row":1,"why":"busy"}]}`, none)
			if got, err = s.InsertRows(t.Context(), &rows); err != nil || len(got.Failed) != 0 {
				t.Errorf("got %+v, %v, where %s says that nothing failed any more", got, err, none)
			}
		}
		s.answer, s.keys = played(`{"failed":[{"row":1}]}`, "", `{"failed":[]}`), nil
		if got, err = s.InsertRows(t.Context(), &rows); err != nil || len(got.Failed) != 0 || s.keys[1] != s.keys[2] {
			t.Errorf("got %+v, %v, with the keys %q, want one key for one body", got, err, s.keys)
		}
	})
}

// TestPartialPresets knows the batches of Weaviate and Pinecone.
func TestPartialPresets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		const failing = `{"id":"2","result":{"status":"FAILED","errors":{"error":[{"message":"a module is busy"}]}}}`
		s.answer = played(`[{"id":"1","result":{"status":"SUCCESS"}},`+failing+`]`, `[{"id":"2","result":{"status":"SUCCESS","errors":null}}]`)
		objects := &vec.WeaviateObjects{}
		for i := range 2 {
			objects.Objects = append(objects.Objects, vec.WeaviateObject{Class: "A", ID: wire.Some(strconv.Itoa(i + 1))})
		}
		got, err := s.WeaviateBatch(t.Context(), objects)
		if err != nil || len(got) != 2 || len(s.sent) != 2 || !strings.Contains(s.sent[1], `"id":"2"`) || strings.Contains(s.sent[1], `"id":"1"`) {
			t.Errorf("got %+v, %v after %q", got, err, s.sent)
		}
		s.answer, s.sent = fixed(`{"upsertedCount":1}`), nil
		counted, err := s.PineconeUpsert(t.Context(), &vec.PineconeVectors{Vectors: []vec.PineconeVectorsVectorsItem{{ID: "1"}, {ID: "2"}, {ID: "3"}}})
		var p *runtime.PartialError
		if counted == nil || len(s.sent) != 1 || !errors.As(err, &p) || p.Failed != 2 || p.Total != 3 || p.Indexes != nil {
			t.Errorf("got %+v, %v after %d requests, want that two of three are missing", counted, err, len(s.sent))
		}
	})
}

// TestPartialIsNotKept asks again what was answered in part, and keeps what was answered whole.
func TestPartialIsNotKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVectors(t)
		rows := rowsOf("a b")
		s.answer = played(resultsOf("a b?"), resultsOf("a b!"), resultsOf("b"), resultsOf("a b"))
		for i, want := range []int{1, 3, 4, 4} {
			if _, err := s.ReadRows(t.Context(), &rows); (err != nil) != (i == 0) {
				t.Errorf("call %d: %v", i+1, err)
			}
			if len(s.sent) != want {
				t.Errorf("call %d: %d requests so far, want %d", i+1, len(s.sent), want)
			}
		}
	})
}
