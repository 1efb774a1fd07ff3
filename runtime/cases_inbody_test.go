package runtime_test

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
	"github.com/resgen-go/resgen/runtime/wire"
)

func TestC028_AFailureInside200(t *testing.T) {
	t.Parallel()
	const slowDown = `{"error":{"code":429,"message":"slow down"}}`
	rule := func(p *policy.Plan) {
		p.Errors.Rules = []policy.ErrorRule{{Kind: policy.KindThrottle, Status: http.StatusOK, Pointer: "/error"}}
	}
	for name, c := range map[string]struct {
		change func(*policy.Plan)
		steps  []playStep
		hits   int
		fails  bool
	}{
		"tried again":           {rule, []playStep{answers(200, slowDown), ok()}, 2, false},
		"to the end":            {rule, []playStep{answers(200, slowDown)}, 2, true},
		"an error that is null": {rule, []playStep{answers(200, `{"name":"a","error":null}`)}, 1, false},
		"without a rule":        {func(*policy.Plan) {}, []playStep{answers(200, `{"name":"a","error":{"code":429}}`)}, 1, false},
		"another status":        {rule, []playStep{answers(201, `{"name":"a","error":{"code":429}}`)}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := against(t, retrying(2, 10*time.Millisecond, time.Second, c.change), c.steps)
				res, err := s.call(t.Context(), http.MethodGet)
				if n := len(s.seen()); n != c.hits || (err != nil) != c.fails {
					t.Fatalf("%d requests, %v; want %d", n, err, c.hits)
				}
				if !c.fails {
					if res.Value.Name != "a" {
						t.Errorf("got %+v", res.Value)
					}
					return
				}
				fault, _ := errors.AsType[*wire.EventError](err)
				if runtime.KindOf(err) != policy.KindThrottle || fault == nil || fault.Type != "429" || fault.Message != "slow down" {
					t.Errorf("got %v, %+v; want the code and the message", err, fault)
				}
			})
		})
	}
}

func TestARuleForSuccessMakesAFailureOfAnItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := streamPlan()
		p.Retry = policy.Retry{}
		p.Errors.Rules = []policy.ErrorRule{{Kind: policy.KindTransient, Status: http.StatusOK, Pointer: "/failed"}}
		s := streamsFrom(t, p, []playStep{sends(chunk{0, data(`{"name":"a"}`), nil}, chunk{0, data(`{"failed":true}`), nil})})
		names, last := s.read(t.Context())
		if len(names) != 1 || runtime.KindOf(last) != policy.KindTransient {
			t.Errorf("got %v, %v; want an item, then the failure", names, last)
		}
	})
}
