package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

// dear gives a plan a limit of cost, at a price of 1 for 1000 tokens of output.
func dear(amount float64) func(*policy.Plan) {
	return func(p *policy.Plan) {
		p.Limit.Cost = policy.Rate{Amount: amount, Per: time.Hour}
		p.Tokens = policy.Tokens{Max: "/max_tokens", Input: "/usage/in", Output: "/usage/out"}
		p.Targets = append(p.Targets, policy.Target{Name: policy.PrimaryTarget, Price: policy.Price{Output: 1000}})
	}
}

// cheap is the other target, at a tenth of the price.
func cheap(p *policy.Plan) {
	ladder(other("cheap"))(p)
	p.Targets = append(p.Targets, policy.Target{Name: "cheap", Price: policy.Price{Output: 100}})
}

// perTenant gives each tenant a purse.
func perTenant(p *policy.Plan) { p.Limit.Per = policy.PerTenant }

// askResult is ask with the ladder of the plan.
func (c *caller) askResult(ctx context.Context, most int) (runtime.Result[*answerOf], error) {
	r := wire.NewRequest("POST", "/ask")
	r.JSON(map[string]any{"max_tokens": most})
	return runtime.DoResult(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*answerOf, error) {
		if at.Rung > 0 && at.Target == "" { // the fixed answer
			return &answerOf{Text: "sorry"}, nil
		}
		return runtime.Send(ctx, c.http, at, r, func(r *wire.Response) (*answerOf, error) {
			if r.Status != 200 {
				return nil, r.Unexpected()
			}
			return wire.JSON[answerOf](r)
		})
	}, r)
}

// shop is a caller whose second target is cheap.
func shop(t *testing.T, p policy.Plan, rt http.RoundTripper, opts ...runtime.ClientOption) *caller {
	t.Helper()
	c := &caller{http: runtime.NewHTTP(
		runtime.HTTPSpec{Name: "shop", BaseURL: "http://dear", Targets: []policy.Target{{Name: "cheap", BaseURL: "http://cheap"}}},
		append([]runtime.ClientOption{runtime.WithHTTPClient(&http.Client{Transport: rt}), runtime.WithGroup(still())}, opts...)...)}
	c.op = c.http.Operation(p)
	if err := c.http.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestARefusalByThePurseSaysThatItIsMoney(t *testing.T) {
	t.Parallel()
	nothing := func(*policy.Plan) {}
	for name, c := range map[string]struct {
		change func(*policy.Plan)
		calls  int // that are answered before
		most   int
		want   string
	}{
		"of all":      {nothing, 1, 1000, `shop.Get: cost limit "shop": the call may cost more than is left of 1.5 in 1h0m0s, for another 1h2m`},
		"of a tenant": {perTenant, 1, 1000, `shop.Get: cost limit "shop" of the tenant: the call may cost more than is left of 1.5 in 1h0m0s, for another 1h2m`},
		"at any time": {nothing, 0, 2000, `shop.Get: cost limit "shop": the call may cost more than is left of 1.5 in 1h0m0s`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := steps(reply(200, `{"usage":{"in":10,"out":1000}}`))
				cl := shop(t, once(dear(1.5), c.change), s)
				ctx := runtime.WithTenant(t.Context(), "acme")
				for range c.calls {
					if _, err := cl.ask(ctx, 1000); err != nil {
						t.Fatal(err)
					}
				}
				_, err := cl.ask(ctx, c.most)
				var e *runtime.Error
				if !errors.As(err, &e) || e.Kind != policy.KindRateLimited || !e.Kind.Local() || e.MayHaveActed || len(s.hits) != c.calls {
					t.Fatalf("got %v after %d hits, want a local refusal", err, len(s.hits))
				}
				if !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "pause") {
					t.Errorf("got  %s\nwant %s…", err, c.want)
				}
				if known := !e.NotBefore.IsZero(); known != strings.Contains(c.want, "for another") {
					t.Errorf("not before %v", e.NotBefore)
				}
			})
		})
	}
}

func TestARungThatIsTooDearIsPassedOver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rungs func(*policy.Plan)
		rung  string
		level policy.Level
		hits  int
	}{
		"by a cheaper target": {cheap, "cheap", policy.Alternate, 2},
		"by a fixed answer":   {ladder(static("sorry")), "sorry", policy.Canned, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := steps(reply(200, `{"text":"dear","usage":{"in":10,"out":1000}}`), reply(200, `{"text":"cheap","usage":{"in":10,"out":1000}}`))
				cl := shop(t, once(dear(1.5), c.rungs), s)
				if res, err := cl.askResult(t.Context(), 1000); err != nil || res.Rung != "" {
					t.Fatalf("%+v, %v; want the operation's own answer while there is money", res, err)
				}
				res, err := cl.askResult(t.Context(), 1000)
				if err != nil || res.Rung != c.rung || res.Level != c.level || res.Reason != policy.KindRateLimited || len(s.hits) != c.hits {
					t.Fatalf("%+v, %v after %d hits; want rung %q", res, err, len(s.hits), c.rung)
				}
				if !strings.Contains(res.Cause.Error(), "cost limit") {
					t.Errorf("cause %v; want the money", res.Cause)
				}
			})
		})
	}
}

// biller answers each request with the output that its body asks for, and keeps what each tenant was billed.
type biller struct {
	rnd *rand.Rand

	mu   sync.Mutex
	paid map[string][]bought
}

type bought struct {
	at   time.Time
	cost float64
}

func (b *biller) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	out, took := 1+b.rnd.IntN(1000), time.Duration(b.rnd.IntN(5000))*time.Millisecond
	b.mu.Unlock()
	sleep(took)
	price := 1000.0
	if r.URL.Host == "cheap" {
		price = 100
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	tenant := r.Header.Get("Tenant")
	b.paid[tenant] = append(b.paid[tenant], bought{time.Now(), float64(out) * price / 1e6})
	return quotaAnswer(r, 200, fmt.Sprintf(`{"text":"hi","usage":{"in":10,"out":%d}}`, out)), nil
}

// TestProofATenantSpendsNoMoreThanItsLimit: ten callers of each of three tenants, on two rungs of different prices and one purse for each tenant.
func TestProofATenantSpendsNoMoreThanItsLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const amount = 20.0
		b := &biller{rnd: rand.New(rand.NewPCG(3, 4)), paid: map[string][]bought{}}
		c := shop(t, once(dear(amount), perTenant, cheap), b)
		var wg sync.WaitGroup
		for i := range 30 {
			tenant := fmt.Sprint("tenant ", i%3)
			ctx := runtime.WithTenant(t.Context(), tenant)
			wg.Go(func() {
				for range 700 {
					r := wire.NewRequest("POST", "/ask")
					r.Header("Tenant", wire.Simple, tenant)
					r.JSON(map[string]any{"max_tokens": 1000})
					_, _ = runtime.DoResult(ctx, c.op, func(ctx context.Context, at runtime.Attempt) (*answerOf, error) {
						return runtime.Send(ctx, c.http, at, r, wire.JSON[answerOf])
					}, r)
					sleep(10 * time.Second)
				}
			})
		}
		wg.Wait()
		for tenant, paid := range b.paid {
			most := 0.0
			for i := range paid {
				sum := 0.0
				for j := i; j >= 0 && paid[i].at.Sub(paid[j].at) < time.Hour; j-- {
					sum += paid[j].cost
				}
				most = max(most, sum)
			}
			t.Logf("%s: %d answers, at most %.2f of %.0f in an hour", tenant, len(paid), most, amount)
			if most > amount+1 || most < 0.95*amount {
				t.Errorf("%s spent %.2f in an hour, want %.0f and at most the 1 that one call may cost beyond", tenant, most, amount)
			}
		}
		if len(b.paid) != 3 {
			t.Errorf("%d tenants got answers, want 3", len(b.paid))
		}
	})
}
