package generic_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/testdata/ifaces/generic"
)

type user struct{ id int }

func (u user) Key() int { return u.id }

// repo is a Repo of users.
type repo struct {
	err   error
	shift int
}

func (r repo) Find(_ context.Context, id int) (*user, error) {
	if r.err != nil {
		return nil, r.err
	}
	return &user{id + r.shift}, nil
}

func (r repo) All(context.Context) (iter.Seq2[int, user], error) {
	return func(yield func(int, user) bool) { _ = yield(1, user{1}) && yield(2, user{2}) }, r.err
}

func (r repo) Index(context.Context) ([]int, map[int][]user, error) {
	return []int{1}, map[int][]user{1: {{1}}}, r.err
}

func (r repo) Update(ctx context.Context, id int, change func(context.Context, user) (user, error)) (user, error) {
	if _, err := change(ctx, user{id}); err != nil {
		return user{}, err
	}
	return user{id}, r.err
}

func lookup(_ context.Context, id int) (*user, error) { return &user{-id}, nil }

func wrap(t *testing.T, next, replica generic.Repo[user, int]) *generic.ResilientRepo[user, int] {
	t.Helper()
	w, err := generic.NewResilientRepo(next, generic.WithRepoTarget("replica", replica), generic.WithRepoLookup(lookup),
		generic.WithRepoRuntime(runtime.WithGroup(runtime.NewGroup())))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestLadder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		first, replica error
		want           int
	}{
		{"itself", nil, nil, 3},
		{"target", context.DeadlineExceeded, nil, 103},
		{"func", context.DeadlineExceeded, context.DeadlineExceeded, -3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				got, err := wrap(t, repo{err: c.first}, repo{err: c.replica, shift: 100}).Find(t.Context(), 3)
				if err != nil || got.id != c.want {
					t.Errorf("got %v, %v; want %d", got, err, c.want)
				}
			})
		})
	}
}

func TestOtherMethods(t *testing.T) {
	t.Parallel()
	w := wrap(t, repo{}, repo{})
	all, err := w.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []int
	for id, u := range all {
		ids = append(ids, id, u.id)
	}
	if diff := cmp.Diff([]int{1, 1, 2, 2}, ids); diff != "" {
		t.Errorf("All (-want +got):\n%s", diff)
	}
	keys, index, err := w.Index(t.Context())
	if err != nil || len(keys) != 1 || len(index[1]) != 1 {
		t.Errorf("Index: got %v, %v, %v", keys, index, err)
	}
	if old, err := w.Update(t.Context(), 4, func(_ context.Context, u user) (user, error) { return u, nil }); old.id != 4 || err != nil {
		t.Errorf("Update: got %v, %v", old, err)
	}
}

func TestFailureGivesTheZeroValue(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	old, err := wrap(t, repo{err: odd}, repo{}).Update(t.Context(), 4, func(_ context.Context, u user) (user, error) { return u, nil })
	if old != (user{}) || !errors.Is(err, odd) {
		t.Errorf("got %v, %v", old, err)
	}
}

type adder struct{}

func (adder) Sum(_ context.Context, list []float64) (total float64, err error) {
	for _, v := range list {
		total += v
	}
	return total, nil
}

func TestOneTypeInTermsOfAnother(t *testing.T) {
	t.Parallel()
	w, err := generic.NewResilientSum[float64, []float64](adder{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := w.Sum(t.Context(), []float64{1, .5}); got != 1.5 || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestTargetOfAnotherInstanceIsRefused(t *testing.T) {
	t.Parallel()
	_, err := generic.NewResilientRepo[user, int](repo{}, generic.WithRepoTarget("replica", generic.Repo[name, string](names{})), generic.WithRepoLookup(lookup))
	if err == nil || !strings.Contains(err.Error(), "replica") {
		t.Errorf("got %v, want that it names the target", err)
	}
}

type name string

func (n name) Key() string { return string(n) }

type names struct{ generic.Repo[name, string] }
