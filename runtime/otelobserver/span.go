package otelobserver

import (
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/resgen-go/resgen/runtime"
	"github.com/resgen-go/resgen/runtime/policy"
)

// standard are the fields of events for which OpenTelemetry has a name.
var standard = map[string]attribute.Key{ //nolint:gosec // tokens of a language model are no credentials
	"kind": "error.type", "status": "http.response.status_code", "input_tokens": "gen_ai.usage.input_tokens", "output_tokens": "gen_ai.usage.output_tokens",
}

// prefix is that of all other names.
const prefix = "resgen."

// attributesOf returns fields of an event as attributes: times as RFC 3339, durations in seconds. only says which; nil is all.
func attributesOf(e runtime.Event, only map[string]bool) []attribute.KeyValue {
	var all []attribute.KeyValue
	for name, value := range e.Fields() {
		if only != nil && !only[name] {
			continue
		}
		key, known := standard[name]
		if !known {
			key = attribute.Key(prefix + name)
		}
		switch v := value.(type) {
		case string:
			all = append(all, key.String(v))
		case int:
			all = append(all, key.Int(v))
		case int64:
			all = append(all, key.Int64(v))
		case bool:
			all = append(all, key.Bool(v))
		case float64:
			all = append(all, key.Float64(v))
		case time.Duration:
			all = append(all, key.Float64(v.Seconds()))
		case time.Time:
			all = append(all, key.String(v.Format(time.RFC3339Nano)))
		default:
			all = append(all, key.String(fmt.Sprint(v)))
		}
	}
	return all
}

// end ends a span with what the event says. Of a call, the span says whether a fallback was used.
func end(span trace.Span, e runtime.Event) {
	span.SetAttributes(attributesOf(e, nil)...)
	if e.What != runtime.AttemptEnd {
		span.SetAttributes(fallbackUsed(e))
	}
	if e.Kind != policy.KindNone {
		why := e.Kind.String()
		if e.Err != nil {
			why = runtime.Redact(e.Err.Error())
		}
		span.SetStatus(codes.Error, why)
	}
	span.End(trace.WithTimestamp(e.Time))
}

// fallbackUsed says whether an answer is one of a rung below the operation itself because that did not answer.
func fallbackUsed(e runtime.Event) attribute.KeyValue {
	return attribute.Bool(prefix+"fallback_used", e.Rung > 0 && !e.Exercised)
}
