package elsewhere_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/resgen-go/resgen/testdata/ifaces/elsewhere"
	"github.com/resgen-go/resgen/testdata/ifaces/generic"
	"github.com/resgen-go/resgen/testdata/ifaces/store"
)

// memory is a Store that fails once.
type memory struct {
	store.Store

	calls int
}

func (m *memory) Get(_ context.Context, key string) (store.Item, error) {
	if m.calls++; m.calls == 1 {
		return store.Item{}, context.DeadlineExceeded
	}
	return store.Item{Name: key}, nil
}

func TestWrapperOfAnotherPackagesInterface(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, err := elsewhere.NewResilientStore(&memory{})
		if err != nil {
			t.Fatal(err)
		}
		var next store.Store = w
		if got, err := next.Get(t.Context(), "k"); got.Name != "k" || err != nil {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

type user struct{}

func (user) Key() int { return 1 }

// users is a Repo whose calls fail with an error.
type users struct {
	generic.Repo[user, int]

	err error
}

func (u users) Find(context.Context, int) (*user, error) { return &user{}, u.err }

func TestGenericTwin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, err := elsewhere.NewResilientRepo(users{err: context.DeadlineExceeded}, elsewhere.WithRepoTarget("replica", users{}),
			elsewhere.WithRepoLookup(func(context.Context, int) (*user, error) { return nil, context.Canceled }))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := w.FindResult(t.Context(), 1); err != nil || got.Rung != "replica" || got.Value == nil {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}
