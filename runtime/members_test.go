package runtime_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
	inmemory "github.com/resgen-go/resgen/testdata/providers"
)

// memberPlan is the recommended policy of an operation whose primary target has three members.
func memberPlan() policy.Plan {
	p := policy.Recommended(false)
	p.Operation, p.Idempotency = "Get", policy.Safe
	p.Retry.On = policy.RetryOn(policy.Safe)
	p.Retry.Backoff = policy.Backoff{Base: time.Millisecond, Max: time.Millisecond}
	p.Timeout = policy.Timeout{Total: 30 * time.Second, Attempt: 5 * time.Second}
	p.Targets = []policy.Target{{Name: policy.PrimaryTarget, AnyOf: []string{"well", "slow", "dead"}}}
	return p
}

// TestMembersOnTheWire: with one member of three that refuses connections and one that is slow every call is answered, and the answers come
// from the one that is well. Each member has its own credential. How slow one is decides, so the time is virtual.
func TestMembersOnTheWire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var well, slow atomic.Int64
		serve := func(n *atomic.Int64, key string, wait time.Duration) *http.Client {
			client, stop := inmemory.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n.Add(1)
				if got := r.Header.Get("Authorization"); got != "Bearer "+key {
					t.Errorf("%s got the credential %q", key, got)
				}
				select {
				case <-time.After(wait):
				case <-r.Context().Done():
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`{}`))
			}))
			t.Cleanup(stop)
			return client
		}
		gone := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}}}
		p := memberPlan()
		spec := runtime.HTTPSpec{Name: "api", Schemes: []wire.Scheme{{Name: "bearer", Kind: wire.Bearer}}, Targets: []policy.Target{
			p.Targets[0], {Name: "well"}, {Name: "slow"}, {Name: "dead"},
		}}
		member := func(name string, client *http.Client) runtime.ClientOption {
			return runtime.WithTarget(name, runtime.WithBaseURL("http://"+name+".test"), runtime.WithHTTPClient(client), runtime.WithCredential("bearer", name))
		}
		h := runtime.NewHTTP(spec, member("well", serve(&well, "well", time.Millisecond)), member("slow", serve(&slow, "slow", 50*time.Millisecond)),
			member("dead", gone))
		op := h.Operation(p)
		if err := h.Err(); err != nil {
			t.Fatal(err)
		}
		for range 300 {
			_, err := runtime.Do(t.Context(), op, func(ctx context.Context, at runtime.Attempt) (*answered, error) {
				req := wire.NewRequest(http.MethodGet, "/")
				req.Security([]string{"bearer"})
				return runtime.Send(ctx, h, at, req, wire.JSON[answered])
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if well.Load() < 200 || slow.Load() == 0 || slow.Load() > 100 {
			t.Errorf("%d calls reached the member that is well, %d the slow one", well.Load(), slow.Load())
		}
	})
}

// TestMembersMustBeWired: New fails where a member has no address, or what only a member can use is given to the target.
func TestMembersMustBeWired(t *testing.T) {
	t.Parallel()
	p := memberPlan()
	spec := runtime.HTTPSpec{Name: "api", Targets: []policy.Target{p.Targets[0], {Name: "well"}, {Name: "slow"}, {Name: "dead"}}}
	for want, opts := range map[string][]runtime.ClientOption{
		`target "dead": it has no address`: {
			runtime.WithTarget("well", runtime.WithBaseURL("http://a.test")), runtime.WithTarget("slow", runtime.WithBaseURL("http://b.test")),
		},
		`target "primary": it has members`: {runtime.WithBaseURL("http://a.test"), runtime.WithCredential("bearer", "x")},
		"":                                 {runtime.WithBaseURL("http://a.test")},
	} {
		h := runtime.NewHTTP(spec, opts...)
		h.Operation(p)
		switch err := h.Err(); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestMembersAllocate: a choice among members costs no allocation but those of a call that does not go straight.
func TestMembersAllocate(t *testing.T) {
	p := memberPlan()
	op, err := runtime.NewOperation(nil, "", p, runtime.Wiring{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(context.Context, runtime.Attempt) (int, error) { return 1, nil }
	ctx := t.Context()
	got := testing.AllocsPerRun(500, func() { _, _ = runtime.DoInline(ctx, op, run) })
	if most := 3.0; got > most {
		t.Errorf("%.1f allocations a call, want at most %.0f", got, most)
	}
}
