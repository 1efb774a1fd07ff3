package runtime

import (
	"testing"
	"time"

	"github.com/resgen-go/resgen/runtime/policy"
)

func TestAWaiterThatWasRousedBeforeItWasKnown(t *testing.T) {
	t.Parallel()
	now := time.Now()
	l := policy.NewLimiter(policy.LimitConfig{Requests: policy.Rate{Amount: 1, Per: time.Second}})
	first, _ := l.Reserve(now, "", policy.Cost{}, time.Time{}, true)
	second, _ := l.Reserve(now, "", policy.Cost{}, time.Time{}, true)
	var w waits
	early := waitKey{limiter: l, permit: second.Place()}
	select {
	case <-w.await(early):
		t.Error("roused though nothing happened")
	default:
	}
	w.forget(early)
	w.wake(waitKey{limiter: l, permit: l.Refund(now, &first)}) // nobody is known
	select {
	case <-w.await(early):
	default:
		t.Error("not roused though its turn has come")
	}
}
