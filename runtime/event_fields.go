package runtime

import (
	"iter"
	"log/slog"

	"github.com/resgen-go/resgen/runtime/policy"
)

// Severity returns how loud the event is in a log. slog.LevelDebug is what goes well; slog.LevelInfo is what a program survives: retries,
// rungs, rejections, failed attempts; slog.LevelWarn is what somebody should look at: a call that fails by no mistake of the caller's, nor
// by their cancel, a breaker that opens, a rung that is broken, a client inside that tries
// again by itself, for the first time, or that has policies of its wrapper, too many clients, a fault that is made up.
func (e Event) Severity() slog.Level {
	switch e.What {
	case CallEnd, StreamEnd:
		switch {
		case e.Kind.Any():
			return slog.LevelWarn
		case e.Kind == policy.KindNone && e.Rung == 0:
			return slog.LevelDebug
		default:
			return slog.LevelInfo
		}
	case AttemptEnd:
		if e.Kind == policy.KindNone {
			return slog.LevelDebug
		}
		return slog.LevelInfo
	case BreakerChanged:
		if e.To == policy.StateOpen.String() {
			return slog.LevelWarn
		}
		return slog.LevelInfo
	case InnerRetry:
		if e.Advice != "" {
			return slog.LevelWarn
		}
		return slog.LevelInfo
	case ManyClients, TwoLayers, LimitStoreFailed, LoserPanicked, AttemptAbandoned, ExerciseFailed, FaultInjected:
		return slog.LevelWarn
	case CallStart, AttemptStart, CacheHit:
		return slog.LevelDebug
	case RetryScheduled, Hedged, RungTaken, RungUnfit, Rejected, BudgetDenied, Paused, StoreFailed, LimitStoreBack, EmbedderFailed, NotRepeatable, Substituted:
		return slog.LevelInfo
	default:
		return slog.LevelInfo
	}
}

// Fields returns what the event says besides What and Time, as a log writes it: names, and values that are strings, numbers, durations
// or times. Errors are redacted. Fields that say nothing are left out.
func (e Event) Fields() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, f := range e.fields() {
			if f.said && !yield(f.name, f.value) {
				return
			}
		}
	}
}

// field is one of an event's, and whether it says anything.
type field struct {
	name  string
	value any
	said  bool
}

func (e Event) fields() []field {
	end := e.What == CallEnd || e.What == AttemptEnd || e.What == StreamEnd
	fault := ""
	if e.Err != nil {
		fault = Redact(e.Err.Error())
	}
	return []field{
		{"client", e.Client, e.Operation == "" && e.Client != ""},
		{"operation", e.Operation, e.Operation != ""},
		{"target", e.Target, e.Target != ""},
		{"rung", e.RungName, e.RungName != ""},
		{"level", e.Level.String(), e.Rung > 0 || e.Level > policy.Equal},
		{"served", e.Served, e.Served != ""},
		{"asked", e.Asked, e.Asked != ""},
		{"limit", e.Limit, e.Limit != ""},
		{"attempt", e.Attempt, e.Attempt > 0},
		{"hedge", e.Hedge, e.Hedge},
		{"attempts", e.Attempts, e.Attempts > 0},
		{"kind", e.Kind.String(), e.Kind != policy.KindNone},
		{"injected", e.Injected, e.Injected != ""},
		{"reason", e.Reason.String(), e.Reason != policy.KindNone},
		{"status", e.Status, e.Status > 0},
		{"replays", e.Replays, e.Replays > 0},
		{"exercised", e.Exercised, e.Exercised},
		{"age", e.Age, e.What == CacheHit || e.Age > 0},
		{"similarity", e.Similarity, e.Similarity > 0},
		{"elapsed", e.Elapsed, end},
		{"wait", e.Wait, e.What == RetryScheduled || e.What == Hedged},
		{"until", e.Until, !e.Until.IsZero()},
		{"from", e.From, e.From != ""},
		{"to", e.To, e.To != ""},
		{"input_tokens", e.Usage.Input, e.Usage.Input > 0},
		{"cached_tokens", e.Usage.Cached, e.Usage.Cached > 0},
		{"cache_write_tokens", e.Usage.CacheWrite, e.Usage.CacheWrite > 0},
		{"output_tokens", e.Usage.Output, e.Usage.Output > 0},
		{"reasoning_tokens", e.Usage.Reasoning, e.Usage.Reasoning > 0},
		{"cost", e.Cost, e.Cost > 0},
		{"advice", e.Advice, e.Advice != ""},
		{"error", fault, fault != ""},
	}
}
