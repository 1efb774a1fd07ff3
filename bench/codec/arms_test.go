package codec

import (
	"encoding/json"
	"testing"

	"github.com/bytedance/sonic"
	"github.com/go-faster/jx"
	jsonv2 "github.com/go-json-experiment/json"
	goccy "github.com/goccy/go-json"

	"github.com/resgen-go/resgen/bench/internal/cpu"
	"github.com/resgen-go/resgen/runtime/wire"
)

// library is a codec that takes any type.
type library struct {
	name      string
	unmarshal func(data []byte, v any) error
	marshal   func(v any) ([]byte, error)
	// missing says why it is not measured; empty if it is.
	missing string
}

func libraries() []library {
	return []library{
		{name: "resgen-plain", unmarshal: wire.Unmarshal, marshal: wire.Marshal},
		{name: "encoding-json", unmarshal: json.Unmarshal, marshal: json.Marshal},
		{
			name:      "json-v2",
			unmarshal: func(data []byte, v any) error { return jsonv2.Unmarshal(data, v) },
			marshal:   func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
		},
		{name: "sonic", unmarshal: sonic.Unmarshal, marshal: sonic.Marshal, missing: sonicMissing()},
		{name: "goccy", unmarshal: goccy.Unmarshal, marshal: goccy.Marshal},
	}
}

// sonicMissing says where sonic is encoding/json under another name.
func sonicMissing() string {
	if sonic.APIKind == sonic.UseStdJSON {
		return "sonic has no code for this version of Go, and calls encoding/json"
	}
	return ""
}

// arm does one operation.
type arm struct {
	name    string
	run     func() error
	missing string
}

func measure(b *testing.B, payload string, size int, arms []arm) {
	b.Helper()
	for _, a := range arms {
		b.Run(payload+"/"+a.name, func(b *testing.B) {
			if a.missing != "" {
				b.Skip(a.missing)
			}
			if err := a.run(); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			defer cpu.Start(b)()
			for b.Loop() {
				if err := a.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// byJX reads with one of jx's pooled decoders.
func byJX(data []byte, read func(d *jx.Decoder) error) error {
	d := jx.GetDecoder()
	defer jx.PutDecoder(d)
	d.ResetBytes(data)
	return read(d)
}
