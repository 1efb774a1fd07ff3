package runtime

import (
	"context"
	"log/slog"
)

// Slog returns an observer that writes events to a logger; nil means slog.Default() at the time of the event. What ends well is at
// level Debug, what a program survives (retries, rungs, rejections) at Info, what somebody should look at (a breaker that opens, a
// call that fails by no mistake of the caller's, too many clients) at Warn. Errors are redacted.
func Slog(l *slog.Logger) Observer { return &slogObserver{logger: l} }

type slogObserver struct {
	ClientCount

	logger *slog.Logger
}

// Observe writes the event.
func (o *slogObserver) Observe(ctx context.Context, e Event) {
	l := o.logger
	if l == nil {
		l = slog.Default()
	}
	level := e.Severity()
	if !l.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 16)
	for key, value := range e.Fields() {
		attrs = append(attrs, slog.Any(key, value))
	}
	l.LogAttrs(ctx, level, e.What.String(), attrs...)
}
