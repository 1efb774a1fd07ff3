package policy

import "time"

// Recommended returns the policies that `use: recommended` stands for, and from which a policy that is written in part takes what it leaves
// out: product.md section 3. llm is for operations that have `tokens` or `stream`: they are slow and dear, so there are fewer
// and later retries. It turns on no hedge, limit, shedding or cache: see WrittenInPart. Facts and timeouts are not set, and Retry.On
// depends on the idempotency: see RetryOn.
//
// Where the numbers come from: attempts from AWS SDKs (3) and OpenAI's (1 + 2); backoff from gRFC A6 and OpenAI's SDKs; the
// budget from Finagle (20 %) and Google's SRE book (10 % per client); window, minimum and rate from Hystrix and
// resilience4j; consecutive failures from Finagle and Envoy; the bulkhead is sized for goroutines, not threads.
func Recommended(llm bool) Plan {
	p := Plan{
		Retry: Retry{
			Attempts:      3,
			Backoff:       Backoff{Base: 100 * time.Millisecond, Max: 2 * time.Second, Multiplier: 2, Jitter: FullJitter},
			RetryAfterMax: 30 * time.Second,
		},
		Budget: BudgetConfig{Ratio: 0.2, MinPerSecond: 1},
		Breaker: BreakerConfig{
			Mode: BreakerOn, Scope: ScopeTarget,
			WindowCalls: 200, WindowAge: 10 * time.Second, MinCalls: 20,
			FailureRate: 0.5, Consecutive: 5, SlowRate: 0.8,
			OpenFor: 5 * time.Second, OpenMax: 15 * time.Second, Probes: 3, CloseAfter: 3,
		},
		Bulkhead: BulkheadConfig{MaxConcurrent: 64, MaxQueue: 64, MaxWait: 50 * time.Millisecond, Scope: ScopeTarget},
	}
	if llm {
		p.Retry.Attempts = 2
		p.Retry.Backoff.Base, p.Retry.Backoff.Max = 500*time.Millisecond, 8*time.Second
		p.Retry.RetryAfterMax = 60 * time.Second
		p.Budget.Ratio = 0.1
	}
	return p
}

// WrittenInPart returns what policies that Recommended leaves off take for the sub-keys that their author leaves out. Unlike Recommended,
// `use` turns none of them on.
//
// Where the numbers come from: 5 % is the extra load of a hedge after the 95th percentile (Dean and Barroso, "The Tail at Scale", CACM
// 2013); shedding is that of Google's SRE book, chapter 21 (K = 2, two minutes).
func WrittenInPart() Plan {
	return Plan{
		Hedge:    HedgeConfig{Max: 1, ExtraLoad: 0.05},
		Shed:     ShedConfig{Factor: 2, Window: 2 * time.Minute, MaxReject: 0.9, MinPerSecond: 5},
		Exercise: ExerciseConfig{Share: 0.01, Mode: ExerciseShadow},
	}
}

// BuiltIn returns the timeouts of an operation that nobody annotated: product.md section 3. A stream is bounded by its silences
// and its whole length rather than by one attempt. The stream values hold for models that answer at once; one that
// reasons for minutes needs a class of its own.
func BuiltIn(stream bool) Timeout {
	const connect, whole = 5 * time.Second, 60 * time.Second
	if !stream {
		return Timeout{Connect: connect, Attempt: whole, Total: whole}
	}
	return Timeout{
		Connect: connect, Attempt: whole, Total: whole,
		FirstByte: 15 * time.Second, FirstItem: 30 * time.Second, Idle: 30 * time.Second, ItemGap: 60 * time.Second,
		MaxStream: 10 * time.Minute,
	}
}

// AttemptOf returns the attempt timeout of an operation that has retries or rungs and names none: its total shared among all that may
// be sent, at least a second. A total of 0 is unbounded, and so is the attempt then.
func AttemptOf(total time.Duration, attempts, sendingRungs int) time.Duration {
	if total <= 0 {
		return 0
	}
	share := total / time.Duration(max(attempts, 1)+max(sendingRungs, 0))
	return max(share, time.Second)
}

// RetryOn returns the kinds that an operation retries where its author named none: all that may be retried on the same target and
// that its idempotency allows. For None that is what proves that nothing was executed.
func RetryOn(i Idempotency) []Kind {
	var on []Kind
	for _, k := range Kinds() {
		if k.RetriedHere() && (i.Repeatable() || !k.InDoubt()) {
			on = append(on, k)
		}
	}
	return on
}
