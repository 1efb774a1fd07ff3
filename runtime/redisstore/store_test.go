package redisstore_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/redisstore"
)

// start is when the server's clock begins.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// serve starts a Redis server in this process whose clock stands still.
func serve(t *testing.T) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	server := miniredis.RunT(t)
	server.SetTime(start)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true, MaxRetries: -1})
	t.Cleanup(func() { _ = client.Close() })
	return server, client
}

// demandOf is a demand with random numbers, of some buckets.
func demandOf(r *rand.Rand) policy.LimitDemand {
	d := policy.LimitDemand{Name: "all"}
	for i := range d.Buckets {
		if i > 0 && r.IntN(2) == 0 {
			continue
		}
		b := &d.Buckets[i]
		b.Rate, b.Most = []float64{1, 10, 500}[i%3], []float64{1, 20, 30_000}[i%3]
		b.Debt = b.Most
		b.Least = float64(r.IntN(int(b.Most) + 2))
		b.Want = b.Least + float64(r.IntN(int(b.Most)+1))
		if r.IntN(3) == 0 {
			b.Owed = (r.Float64() - 0.5) * b.Most
		}
	}
	return d
}

func TestTheScriptTakesWhatAPoolTakes(t *testing.T) {
	t.Parallel()
	server, client := serve(t)
	store := redisstore.New(client, redisstore.Config{Prefix: "test", Replica: "one"})
	var pool policy.LimitPool
	r := rand.New(rand.NewPCG(1, 2))
	now := start
	for i := range 2000 {
		d := demandOf(r)
		now = now.Add(time.Duration(r.IntN(2_000_000)) * time.Microsecond)
		server.SetTime(now)
		got, err := store.Take(t.Context(), d)
		if err != nil {
			t.Fatalf("question %d: %v", i, err)
		}
		want := pool.Take(now, &d)
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 1e-5), cmp.Comparer(isAbout)); diff != "" {
			t.Fatalf("question %d: %+v\nthe script differs (-pool +script):\n%s", i, d, diff)
		}
		if !got.Answers(&d) {
			t.Fatalf("question %d: %+v is no answer to %+v", i, got, d)
		}
	}
}

// isAbout compares spans that were rounded up from numbers which differ in their last digits.
func isAbout(a, b time.Duration) bool { return (a - b).Abs() <= time.Microsecond }

func one(want float64) policy.LimitDemand {
	d := policy.LimitDemand{Name: "all"}
	d.Buckets[policy.BucketRequests] = policy.BucketDemand{Rate: 1, Most: 10, Debt: 10, Least: 1, Want: want}
	return d
}

func take(t *testing.T, s *redisstore.Store, d policy.LimitDemand) policy.LimitSupply {
	t.Helper()
	got, err := s.Take(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestBucketsThatWereLostAreEmpty(t *testing.T) {
	t.Parallel()
	server, client := serve(t)
	store := redisstore.New(client, redisstore.Config{})
	if got := take(t, store, one(10)); got.Taken[0] != 10 || got.Full != 10*time.Second {
		t.Fatalf("a new limit gives %+v, want all of its 10", got)
	}
	server.FlushAll()
	known := one(10)
	known.Known = true
	if got := take(t, store, known); got.Taken[0] != 0 || !isAbout(got.Wait, time.Second) {
		t.Errorf("after a flush: %+v, want nothing for a second", got)
	}
}

func TestTheScriptIsSentAgainAfterARestart(t *testing.T) {
	t.Parallel()
	server, client := serve(t)
	store := redisstore.New(client, redisstore.Config{})
	take(t, store, one(1))
	if err := client.ScriptFlush(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	if got := take(t, store, one(1)); got.Left[0] != 8 {
		t.Errorf("%+v, want 8 left of 10", got)
	}
	server.Restart()
	take(t, store, one(1))
}

func TestKeysAreOnOneNodeTellNoTenantAndEnd(t *testing.T) {
	t.Parallel()
	server, client := serve(t)
	store := redisstore.New(client, redisstore.Config{})
	d := one(1)
	d.Tenant = "alice@example.com"
	take(t, store, d)
	keys := server.Keys()
	want := []string{"resgen:limit:{all}:ff8d9819fc0e12bf0d24892e45987e24", "resgen:limit:{all}:replicas"}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	server.FastForward(2 * time.Second)
	if keys = server.Keys(); len(keys) != 1 {
		t.Errorf("two seconds later there are %q, want the replicas alone: the bucket is full", keys)
	}
	server.FastForward(time.Minute)
	if keys = server.Keys(); len(keys) != 0 {
		t.Errorf("a minute later there are %q, want nothing", keys)
	}
}

func TestReplicasAreCounted(t *testing.T) {
	t.Parallel()
	server, client := serve(t)
	names := []string{"a", "b", "c"}
	for i, name := range names {
		store := redisstore.New(client, redisstore.Config{Replica: name})
		take(t, store, one(0))
		if got := take(t, store, one(0)); got.Replicas != i+1 {
			t.Errorf("%d replicas, want %d", got.Replicas, i+1)
		}
		server.SetTime(start.Add(time.Duration(i+1) * 25 * time.Second))
	}
	if got := take(t, redisstore.New(client, redisstore.Config{Replica: "c"}), one(0)); got.Replicas != 2 {
		t.Errorf("%d replicas after one was silent for more than a minute, want 2", got.Replicas)
	}
}

func TestAClockThatGoesBackGivesNothing(t *testing.T) {
	t.Parallel()
	server, client := serve(t)
	store := redisstore.New(client, redisstore.Config{})
	take(t, store, one(10))
	server.SetTime(start.Add(-time.Hour))
	if got := take(t, store, one(10)); !isAbout(got.Wait, time.Second) {
		t.Errorf("an hour earlier: %+v, want a wait of a second", got)
	}
	server.SetTime(start.Add(-time.Hour + time.Second))
	if got := take(t, store, one(10)); got.Taken[0] != 1 {
		t.Errorf("a second later: %+v, want one", got)
	}
}

func TestTakeFailsWhenTheServerIsGone(t *testing.T) {
	t.Parallel()
	server, client := serve(t)
	server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if got, err := redisstore.New(client, redisstore.Config{}).Take(ctx, one(1)); err == nil {
		t.Errorf("got %+v, want an error", got)
	}
}
