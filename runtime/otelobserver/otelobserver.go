// Package otelobserver tells OpenTelemetry what clients do: a span for each call, one for each attempt below it, and metrics.
//
// A call is a span with the name of its operation ("llm.CreateChat"); what is sent while it runs is below the span of the attempt, if the
// client's requests carry the trace: see runtime.WithInjector. An answer that outlives its call, such as a stream, has a span of its own
// below that of the call, from the call's start to its own end. Everything else that happens is an event of these spans.
//
// Spans and metrics say which rung answered and how good that is: resgen.fallback_used, resgen.rung, resgen.level, resgen.reason and
// resgen.age. What no observer bounds, as the texts of errors, tenants and models, is in spans alone.
package otelobserver

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/resgen-go/resgen/runtime"
)

// scope is the name under which spans and metrics are made.
const scope = "github.com/resgen-go/resgen/runtime"

// Config says where spans and metrics go. The zero value is OpenTelemetry's global providers, as they are when New is called.
type Config struct {
	// Traces makes the tracer; nil is the global provider.
	Traces trace.TracerProvider
	// Metrics makes the instruments; nil is the global provider.
	Metrics metric.MeterProvider
}

// New returns an observer that makes spans and metrics, for all clients of a program. It fails where an instrument cannot be made. Its
// errors are redacted as those of logs are.
func New(cfg Config) (runtime.Observer, error) {
	if cfg.Traces == nil {
		cfg.Traces = otel.GetTracerProvider()
	}
	if cfg.Metrics == nil {
		cfg.Metrics = otel.GetMeterProvider()
	}
	meters, err := newMeters(cfg.Metrics.Meter(scope))
	if err != nil {
		return nil, fmt.Errorf("make the instruments: %w", err)
	}
	return &observer{tracer: cfg.Traces.Tracer(scope), meters: meters}, nil
}

// observer is a runtime.ContextObserver.
type observer struct {
	runtime.ClientCount

	tracer trace.Tracer
	meters *meters
}

// Begin starts the span of a call, or that of an attempt below it.
func (o *observer) Begin(ctx context.Context, e runtime.Event) context.Context {
	name, kind := e.Operation, trace.SpanKindInternal
	if e.What == runtime.AttemptStart {
		name, kind = e.Operation+" attempt", trace.SpanKindClient
	}
	ctx, _ = o.tracer.Start(ctx, name, //nolint:spancheck // Observe ends it, which is told with this context
		trace.WithSpanKind(kind), trace.WithTimestamp(e.Time), trace.WithAttributes(attributesOf(e, nil)...))
	return ctx
}

// Observe ends a span, or writes an event into the one that is there, and counts.
func (o *observer) Observe(ctx context.Context, e runtime.Event) {
	o.meters.count(ctx, e)
	switch e.What {
	case runtime.CallEnd, runtime.AttemptEnd:
		end(trace.SpanFromContext(ctx), e)
	case runtime.StreamEnd:
		_, span := o.tracer.Start(ctx, e.Operation+" stream", trace.WithTimestamp(e.Time.Add(-e.Elapsed)))
		end(span, e)
	default:
		trace.SpanFromContext(ctx).AddEvent(e.What.String(), trace.WithTimestamp(e.Time), trace.WithAttributes(attributesOf(e, nil)...))
	}
}
