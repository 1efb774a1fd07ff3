package handcodec

import (
	"encoding/binary"
	"strconv"
	"unsafe"

	"github.com/resgen-go/resgen/bench/internal/payload"
)

const hexDigits = "0123456789abcdef"

// appendString writes s, which is believed to be UTF-8.
func appendString(b []byte, s string) []byte {
	plain := plainPrefix(s)
	b = append(append(b, '"'), s[:plain]...)
	from := plain
	for i := plain; i < len(s); i++ {
		at := s[i]
		if at >= ' ' && at != '"' && at != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		switch at {
		case '"', '\\':
			b = append(b, '\\', at)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[at>>4], hexDigits[at&15])
		}
		from = i + 1
	}
	return append(append(b, s[from:]...), '"')
}

// plainPrefix returns how many whole words of eight bytes need no escape.
func plainPrefix(s string) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	i := 0
	for ; i+8 <= len(b); i += 8 {
		word := binary.LittleEndian.Uint64(b[i:])
		quote, backslash := word^0x2222222222222222, word^0x5C5C5C5C5C5C5C5C
		if ((word-0x2020202020202020)|(quote-ones)|(backslash-ones))&^word&highs != 0 {
			break
		}
	}
	return i
}

// AppendChatRequest writes a request for a completion.
func AppendChatRequest(b []byte, v *payload.ChatRequest) []byte {
	b = appendString(append(b, `{"model":`...), v.Model)
	b = append(b, `,"messages":[`...)
	for i := range v.Messages {
		m := &v.Messages[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(append(b, `{"role":`...), m.Role)
		b = appendString(append(b, `,"content":`...), m.Content)
		if m.Name != "" {
			b = appendString(append(b, `,"name":`...), m.Name)
		}
		b = append(b, '}')
	}
	b = append(b, ']')
	if v.Temperature != nil {
		b = strconv.AppendFloat(append(b, `,"temperature":`...), *v.Temperature, 'g', -1, 64)
	}
	if v.MaxTokens != nil {
		b = strconv.AppendInt(append(b, `,"max_completion_tokens":`...), *v.MaxTokens, 10)
	}
	if v.User != "" {
		b = appendString(append(b, `,"user":`...), v.User)
	}
	return append(b, '}')
}

// AppendUpsert writes a request to store points.
func AppendUpsert(b []byte, v *payload.Upsert) []byte {
	b = append(b, `{"points":[`...)
	for i := range v.Points {
		p := &v.Points[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"id":`...), p.ID, 10)
		b = append(b, `,"vector":[`...)
		for j, f := range p.Vector {
			if j > 0 {
				b = append(b, ',')
			}
			b = appendFloat(b, f)
		}
		b = appendPayload(append(b, `],"payload":`...), &p.Payload)
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

func appendPayload(b []byte, v *payload.Payload) []byte {
	b = appendString(append(b, `{"title":`...), v.Title)
	b = appendString(append(b, `,"url":`...), v.URL)
	b = strconv.AppendInt(append(b, `,"chunk":`...), v.Chunk, 10)
	b = appendString(append(b, `,"lang":`...), v.Lang)
	b = strconv.AppendBool(append(b, `,"published":`...), v.Published)
	b = appendString(append(b, `,"text":`...), v.Text)
	return append(b, '}')
}

// appendFloat has an exponent where encoding/json has one.
func appendFloat(b []byte, f float32) []byte {
	format, size := byte('f'), max(f, -f)
	if size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, float64(f), format, -1, 32)
}
