package runtime_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/wire"
)

// labels are the fields of events that metrics are labelled with.
func labels(e runtime.Event) string {
	return strings.Join([]string{
		e.What.String(), e.Client, e.Operation, e.Target, e.RungName, e.Level.String(), e.Kind.String(), e.From, e.To, strconv.Itoa(e.Status),
	}, "|")
}

func TestC059_LabelsDoNotGrowWithIds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := plan(ladder(other("eu")))
		p.Operation = "GetUser"
		s := against(t, p, []playStep{func(w http.ResponseWriter, r *http.Request) {
			step := ok()
			if strings.HasSuffix(r.URL.Path, "7") {
				step = fails(http.StatusBadRequest)
			}
			step(w, r)
		}})
		read := func(r *wire.Response) (*thing, error) {
			if r.Status == http.StatusOK {
				return wire.JSON[thing](r)
			}
			return nil, wire.Failure[fault](r)
		}
		seen := map[string]bool{}
		calls := func(from, to int) {
			for i := from; i < to; i++ {
				r := wire.NewRequest(http.MethodGet, "/users/{id}")
				r.Path("id", wire.Simple, fmt.Sprintf("user-%d", i))
				if i%50 == 0 {
					r.Query("q", wire.Form, fmt.Sprintf("query-%d", i))
				}
				_, _ = runtime.DoResult(t.Context(), s.op, func(ctx context.Context, at runtime.Attempt) (*thing, error) {
					return runtime.Send(ctx, s.http, at, r, read)
				})
			}
			for _, e := range s.told.Events() {
				seen[labels(e)] = true
			}
		}
		calls(0, 20)
		first := len(seen)
		calls(20, 1000)
		if len(s.seen()) != 1000 || len(seen) != first || first == 0 {
			t.Errorf("%d requests; %d sets of labels after 20 calls, %d after 1000; want as many", len(s.seen()), first, len(seen))
		}
		for l := range seen {
			if strings.Contains(l, "user-") || strings.Contains(l, "query-") || strings.Contains(l, "x1") {
				t.Errorf("labels hold what one request was about: %s", l)
			}
		}
	})
}
