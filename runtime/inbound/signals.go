package inbound

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// The names of signals. Metadata has them in lower case; HTTP does not tell cases apart.
const (
	headerAttempt     = "X-Resgen-Attempt"
	headerTimeout     = "X-Resgen-Timeout-Ms"
	headerGRPCTimeout = "Grpc-Timeout"
	headerCriticality = "X-Resgen-Criticality"
	headerDoNotRetry  = "X-Resgen-Do-Not-Retry"

	yes = "1"
)

// take returns a context with the signals that get finds. What cannot be understood is as if it were not there.
func (in *Inbound) take(ctx context.Context, now time.Time, get func(name string) []string) (context.Context, context.CancelFunc) {
	if c, ok := policy.ParseCriticality(first(get, headerCriticality)); ok {
		ctx = runtime.WithCriticality(ctx, c)
	}
	if retries(first(get, headerAttempt)) || first(get, headerDoNotRetry) == yes {
		ctx = runtime.WithoutRetries(ctx)
	}
	left, bounded := time.Duration(math.MaxInt64), false
	if d, ok := parseMillis(first(get, headerTimeout)); ok {
		left, bounded = d, true
	}
	if d, ok := parseGRPCTimeout(first(get, headerGRPCTimeout)); ok {
		left, bounded = min(left, d), true
	}
	if !bounded {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, now.Add(left-in.cfg.Travel)) // an earlier deadline of ctx stays
}

// first returns the first value under a name; empty if there is none.
func first(get func(string) []string, name string) string {
	if values := get(strings.ToLower(name)); len(values) > 0 {
		return values[0]
	}
	return ""
}

// retries reports whether an attempt "n/m" says that the caller tries more than once: n counts from 1, m is how often it may try.
func retries(attempt string) bool {
	number, most, ok := strings.Cut(attempt, "/")
	n, err := strconv.ParseUint(number, 10, 16)
	m, errMost := strconv.ParseUint(most, 10, 16)
	return ok && err == nil && errMost == nil && n >= 1 && n <= m && m > 1
}

// longest is the longest time that a caller may allow; more is no time that anybody means.
const longest = 365 * 24 * time.Hour

// parseMillis reads a number of milliseconds. A negative one is of a caller that sent the request too late: no time is left.
func parseMillis(text string) (time.Duration, bool) {
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ms > longest.Milliseconds() {
		return 0, false
	}
	return time.Duration(max(ms, 0)) * time.Millisecond, true
}

// grpcUnits are the units of gRPC's timeouts.
var grpcUnits = map[byte]time.Duration{
	'H': time.Hour, 'M': time.Minute, 'S': time.Second, 'm': time.Millisecond, 'u': time.Microsecond, 'n': time.Nanosecond,
}

// parseGRPCTimeout reads a timeout as gRPC writes it: at most eight digits and a unit ("gRPC over HTTP2", Requests).
func parseGRPCTimeout(text string) (time.Duration, bool) {
	const most = 8 + 1
	if len(text) < 2 || len(text) > most {
		return 0, false
	}
	unit, ok := grpcUnits[text[len(text)-1]]
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 32)
	if !ok || err != nil || n > uint64(longest/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
