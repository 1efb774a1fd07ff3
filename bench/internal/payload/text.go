package payload

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

const words = "the quick resilient client retries a failed call only while its budget lasts and the deadline leaves room for another attempt so " +
	"that an outage never turns into a storm of requests against a server that is already on its knees "

// Text returns n bytes of English.
func Text(n int) string {
	return strings.Repeat(words, n/len(words)+1)[:n]
}

// ChatResponse is a chat completion of 2 KB.
func ChatResponse() []byte {
	content := Text(1150) + "\n\n```go\nfmt.Println(\"hi\")\n```\nna\u00efve \u2014 done."
	return []byte(`{"id":"chatcmpl-AbC123dEf456GhI789","object":"chat.completion","created":1741570283,"model":"gpt-4o-2024-08-06",` +
		`"choices":[{"index":0,"message":{"role":"assistant","content":` + strconv.Quote(content) +
		`,"refusal":null,"annotations":[],"tool_calls":[{"id":"call_abc123","type":"function","function":` +
		`{"name":"get_current_weather","arguments":"{\n\"location\": \"Boston, MA\"\n}"}}]},"logprobs":null,"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":1117,"completion_tokens":46,"total_tokens":1163,` +
		`"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,` +
		`"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"service_tier":"default","system_fingerprint":"fp_fc9f1d7035"}`)
}

// Vector returns n values of about the length 1 together.
func Vector(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64() / math.Sqrt(float64(n)))
	}
	return v
}

// Width is how a vector is written.
type Width int

// Float32 is the shortest text of each float32, about 11 digits; Float64 that of a float64, about 17; Base64 is the bytes of little-endian
// float32, as `encoding_format: base64` asks for.
const (
	Float32 Width = iota
	Float64
	Base64
)

// Embeddings is the answer to a request for n vectors of dim values.
func Embeddings(n, dim int, as Width) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := []byte(`{"object":"list","data":[`)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"object":"embedding","index":%d,"embedding":`, i)
		b = append(appendVector(b, Vector(r, dim), as, r), '}')
	}
	return append(b, `],"model":"text-embedding-3-small","usage":{"prompt_tokens":800,"total_tokens":800}}`...)
}

func appendVector(b []byte, v []float32, as Width, r *rand.Rand) []byte {
	if as == Base64 {
		raw := make([]byte, 0, 4*len(v))
		for _, x := range v {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		return append(base64.StdEncoding.AppendEncode(append(b, '"'), raw), '"')
	}
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		if as == Float32 {
			b = strconv.AppendFloat(b, float64(x), 'f', -1, 32)
		} else {
			b = strconv.AppendFloat(b, float64(x)+r.Float64()*1e-10, 'f', -1, 64)
		}
	}
	return append(b, ']')
}

// Query is the answer to a query for hits points, each with a vector of dim values; none if dim is 0.
func Query(hits, dim int) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	b := []byte(`{"result":{"points":[`)
	for i := range hits {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"id":%d,"version":%d,"score":%g,"payload":{"title":%q,"url":"https://example.com/docs/%d","chunk":%d,"lang":"en",`,
			1000+i, i, 0.95-float64(i)/200, Text(40+i%20), i, i%7)
		b = fmt.Appendf(b, `"published":true,"text":%q}`, Text(500+i))
		if dim > 0 {
			b = appendVector(append(b, `,"vector":`...), Vector(r, dim), Float32, r)
		}
		b = append(b, '}')
	}
	return append(b, `]},"status":"ok","time":0.00213}`...)
}

// Chunk is an item of a streamed chat completion.
func Chunk(i int) string {
	w := strings.Fields(words)
	return fmt.Sprintf(`{"id":"chatcmpl-AbC123dEf456GhI789","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o-2024-08-06",`+
		`"service_tier":"default","system_fingerprint":"fp_fc9f1d7035","choices":[{"index":0,"delta":{"content":" %s"},"logprobs":null,`+
		`"finish_reason":null}],"obfuscation":"%s"}`, w[i%len(w)], "Zk3x9QaB"[:i%8+1])
}

// Stream is a stream of server-sent events: n chunks, of which the last says that the answer is whole, and [DONE].
func Stream(n int) []byte {
	var b []byte
	for i := range n {
		chunk := Chunk(i)
		if i == n-1 {
			chunk = strings.Replace(chunk, `"finish_reason":null`, `"finish_reason":"stop"`, 1)
		}
		b = append(append(append(b, "data: "...), chunk...), "\n\n"...)
	}
	return append(b, "data: [DONE]\n\n"...)
}
