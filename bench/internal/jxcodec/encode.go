package jxcodec

import (
	"github.com/go-faster/jx"

	"github.com/resgen-go/resgen/bench/internal/payload"
)

// ChatRequest writes a request for a completion.
func ChatRequest(w *jx.Writer, v *payload.ChatRequest) {
	w.RawStr(`{"model":`)
	w.Str(v.Model)
	w.RawStr(`,"messages":[`)
	for i := range v.Messages {
		m := &v.Messages[i]
		if i > 0 {
			w.Comma()
		}
		w.RawStr(`{"role":`)
		w.Str(m.Role)
		w.RawStr(`,"content":`)
		w.Str(m.Content)
		if m.Name != "" {
			w.RawStr(`,"name":`)
			w.Str(m.Name)
		}
		w.ObjEnd()
	}
	w.ArrEnd()
	if v.Temperature != nil {
		w.RawStr(`,"temperature":`)
		w.Float64(*v.Temperature)
	}
	if v.MaxTokens != nil {
		w.RawStr(`,"max_completion_tokens":`)
		w.Int64(*v.MaxTokens)
	}
	if v.User != "" {
		w.RawStr(`,"user":`)
		w.Str(v.User)
	}
	w.ObjEnd()
}

// Upsert writes a request to store points.
func Upsert(w *jx.Writer, v *payload.Upsert) {
	w.RawStr(`{"points":[`)
	for i := range v.Points {
		p := &v.Points[i]
		if i > 0 {
			w.Comma()
		}
		w.RawStr(`{"id":`)
		w.Int64(p.ID)
		w.RawStr(`,"vector":[`)
		for j, f := range p.Vector {
			if j > 0 {
				w.Comma()
			}
			w.Float32(f)
		}
		w.RawStr(`],"payload":{"title":`)
		w.Str(p.Payload.Title)
		w.RawStr(`,"url":`)
		w.Str(p.Payload.URL)
		w.RawStr(`,"chunk":`)
		w.Int64(p.Payload.Chunk)
		w.RawStr(`,"lang":`)
		w.Str(p.Payload.Lang)
		w.RawStr(`,"published":`)
		w.Bool(p.Payload.Published)
		w.RawStr(`,"text":`)
		w.Str(p.Payload.Text)
		w.RawStr(`}}`)
	}
	w.RawStr(`]}`)
}
