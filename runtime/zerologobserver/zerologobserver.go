// Package zerologobserver writes the events of clients to a zerolog.Logger.
package zerologobserver

import (
	"context"
	"log/slog"
	"time"

	"github.com/rs/zerolog"

	"github.com/resgen-go/resgen/runtime"
)

// New returns an observer that writes events to a logger, at the levels that runtime.Event.Severity gives: debug, info and warn. Errors
// are redacted.
func New(l zerolog.Logger) runtime.Observer { return &observer{logger: l} }

type observer struct {
	runtime.ClientCount

	logger zerolog.Logger
}

// Observe writes the event.
func (o *observer) Observe(ctx context.Context, e runtime.Event) {
	line := o.logger.WithLevel(levelOf(e.Severity())) //nolint:zerologlint // it is written below, where it is enabled
	if !line.Enabled() {
		return
	}
	line = line.Ctx(ctx)
	for key, value := range e.Fields() {
		switch v := value.(type) {
		case string:
			line = line.Str(key, v)
		case int:
			line = line.Int(key, v)
		case time.Duration:
			line = line.Dur(key, v)
		case time.Time:
			line = line.Time(key, v)
		default:
			line = line.Any(key, v)
		}
	}
	line.Msg(e.What.String())
}

// levelOf returns zerolog's level for how loud an event is.
func levelOf(l slog.Level) zerolog.Level {
	switch l {
	case slog.LevelWarn:
		return zerolog.WarnLevel
	case slog.LevelInfo:
		return zerolog.InfoLevel
	case slog.LevelDebug:
		return zerolog.DebugLevel
	default:
		return zerolog.DebugLevel
	}
}
