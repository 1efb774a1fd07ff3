//go:build unix

package redisstore_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/redisstore"
)

// liveRedis starts a real server at an address, once it is free, and returns it when it answers.
func liveRedis(t *testing.T, address string) *exec.Cmd {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), "redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir())
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	client := redis.NewClient(&redis.Options{Addr: address, MaxRetries: 100, MaxRetryBackoff: 100 * time.Millisecond})
	defer client.Close()
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	return server
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestLiveRedis asks a real server: three replicas together keep a limit, one that is stopped keeps nobody for longer than they wait, and one
// that comes back without its data gives nothing that may have been used.
//
//nolint:paralleltest // it measures what a server gives in a time
func TestLiveRedis(t *testing.T) {
	if os.Getenv("RESGEN_LIVE") == "" {
		t.Skip("`make live` runs this against a real server")
	}
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skipf("a redis-server in the path runs this: %v", err)
	}
	address := freeAddress(t)
	server := liveRedis(t, address)
	stores := make([]*redisstore.Store, 3)
	for i := range stores {
		client := redis.NewClient(&redis.Options{Addr: address, ContextTimeoutEnabled: true, MaxRetries: -1})
		t.Cleanup(func() { _ = client.Close() })
		stores[i] = redisstore.New(client, redisstore.Config{})
	}
	const rate, most, lasts = 100, 10, 3 * time.Second
	d := policy.LimitDemand{Name: "live"}
	d.Buckets[policy.BucketRequests] = policy.BucketDemand{Rate: rate, Most: most, Debt: most, Least: 1, Want: 1}
	began := time.Now()
	taken := takeAll(t, stores, &d, lasts)
	passed := time.Since(began).Seconds()
	if at := most + rate*passed; taken > at+1 || taken < 0.8*at {
		t.Errorf("%v in %.2f s, want %.0f", taken, passed, at)
	}

	if err := server.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for _, s := range stores {
		ctx, cancel := context.WithTimeout(t.Context(), policy.LimitStoreWait)
		if got, err := s.Take(ctx, d); err == nil {
			t.Errorf("a server that is stopped gave %+v", got)
		}
		cancel()
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait() // it was killed
	liveRedis(t, address)
	d.Known = true
	if got, err := stores[0].Take(t.Context(), d); err != nil || got.Taken[policy.BucketRequests] != 0 || got.Wait <= 0 {
		t.Errorf("a server without its data gave %+v, %v; want nothing", got, err)
	}
}

// takeAll has every replica take as much as it gets for some time, and returns the sum.
func takeAll(t *testing.T, stores []*redisstore.Store, d *policy.LimitDemand, lasts time.Duration) float64 {
	t.Helper()
	var all sync.WaitGroup
	var sum atomic.Int64
	began := time.Now()
	for _, s := range stores {
		all.Go(func() {
			for time.Since(began) < lasts {
				got, err := s.Take(t.Context(), *d)
				if err != nil {
					t.Error(err)
					return
				}
				sum.Add(int64(got.Taken[policy.BucketRequests]))
			}
		})
	}
	all.Wait()
	return float64(sum.Load())
}
