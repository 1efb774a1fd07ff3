package fuzz

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/resgen-go/resgen/bench/internal/payload"
	"github.com/resgen-go/resgen/bench/llm"
)

type (
	level  int8
	vector []float32
	color  string

	scalars struct {
		S   string  `json:"s"`
		B   bool    `json:"b"`
		I   int     `json:"i"`
		I8  int8    `json:"i8"`
		I16 int16   `json:"i16"`
		I32 int32   `json:"i32"`
		I64 int64   `json:"i64"`
		U   uint    `json:"u"`
		U8  uint8   `json:"u8"`
		U64 uint64  `json:"u64"`
		F32 float32 `json:"f32"`
		F64 float64 `json:"f64"`
		L   level   `json:"l"`
		C   color   `json:"c"`
	}
	pointers struct {
		S *string  `json:"s"`
		B *bool    `json:"b"`
		I *int     `json:"i,omitzero"`
		F *float64 `json:"f,omitzero"`
		P **int    `json:"p"`
		N *scalars `json:"n,omitzero"`
	}
	lists struct {
		S []string    `json:"s"`
		I []int       `json:"i"`
		F []float32   `json:"f"`
		G []float64   `json:"g"`
		V vector      `json:"v,omitzero"`
		L [][]level   `json:"l"`
		N []scalars   `json:"n"`
		P []*pointers `json:"p"`
		B []byte      `json:"b"`
		A [2]int      `json:"a"`
	}
	maps struct {
		S map[string]string    `json:"s"`
		C map[color]int        `json:"c"`
		I map[int]bool         `json:"i"`
		U map[uint8]string     `json:"u"`
		N map[string]*scalars  `json:"n"`
		A map[string]any       `json:"a"`
		L map[string][]float64 `json:"l"`
	}
	tree struct {
		Name string           `json:"name"`
		Left *tree            `json:"left"`
		More []tree           `json:"more"`
		By   map[string]*tree `json:"by"`
	}
	base struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
	}
	Mixin struct {
		Kind string `json:"kind"`
		Deep int    `json:"deep"`
	}
	embedded struct {
		base
		*Mixin

		Name string `json:"name"`
	}
	// odd has names that a reader may trip over.
	odd struct {
		Own    string
		Case   string `json:"case"`
		CASE   string `json:"CASE"`
		Umlaut int    `json:"größe"`
		Empty  int    `json:"e,omitempty,omitzero"`
		Dash   int    `json:"-"`
		Long   string `json:"a_name_that_is_longer_than_any_word_of_the_lexer_and_than_what_it_shares"`
	}
	raws struct {
		R json.RawMessage `json:"r"`
		A any             `json:"a"`
		T time.Time       `json:"t"`
	}
)

// kinds are the types that are read and written.
var kinds = []reflect.Type{
	reflect.TypeFor[any](),
	reflect.TypeFor[string](),
	reflect.TypeFor[bool](),
	reflect.TypeFor[int64](),
	reflect.TypeFor[uint8](),
	reflect.TypeFor[float32](),
	reflect.TypeFor[float64](),
	reflect.TypeFor[time.Time](),
	reflect.TypeFor[vector](),
	reflect.TypeFor[[]float64](),
	reflect.TypeFor[[]byte](),
	reflect.TypeFor[map[string]int](),
	reflect.TypeFor[scalars](),
	reflect.TypeFor[pointers](),
	reflect.TypeFor[lists](),
	reflect.TypeFor[maps](),
	reflect.TypeFor[tree](),
	reflect.TypeFor[embedded](),
	reflect.TypeFor[odd](),
	reflect.TypeFor[raws](),
	reflect.TypeFor[payload.ChatCompletion](),
	reflect.TypeFor[payload.ChatChunk](),
	reflect.TypeFor[payload.QueryResponse](),
	reflect.TypeFor[payload.Upsert](),
	reflect.TypeFor[llm.ChatCompletion](),
	reflect.TypeFor[llm.ChatRequest](),
	reflect.TypeFor[llm.ChatChunk](),
}

// seeds are texts to begin with, for each kind.
var seeds = []string{
	`null`, ` true `, `"x"`, `-12`, `1.0`, `1e3`, `-0`, `1e400`, `18446744073709551615`, `0.1`, `[]`, `{}`, `"AACAPwAAAEA="`, `[1,2.5,-3e2,null]`, `{"a":1,"a":2}`,
	`"2024-02-29T10:11:12Z"`, `"2024-02-29 10:11:12"`, `"\ud83d"`, `"\ud83d\ude00\u00e9\n"`, "\"\xff\"", `"aGk="`, `"aG\nk="`, `[104,105.0]`,
	`{"s":"\"\\\/\b\f\n\r\tx","b":true,"i":-1,"i8":127,"i16":-32768,"i32":1e3,"i64":9223372036854775807,"u":0,"u8":255,"u64":18446744073709551615,` +
		`"f32":3.4028235e38,"f64":1.7976931348623157e308,"l":-128,"c":"red","unknown":{"a":[1,{"b":null}],"a":1}}`,
	`{"s":null,"b":false,"i":7,"f":-1.5e-7,"p":3,"n":{"s":"x"}}`,
	`{"s":["a","\u00e4",null],"i":[1,2.0],"f":[0.1,-2e-10,3],"g":"AACAPwAAAEA=","v":[],"l":[[1],[],[-2,3]],"n":[{},{"s":"y"}],"p":[null,{}],"b":"AQID","a":[1]}`,
	`{"s":{"k":"v","":""},"c":{"red":1},"i":{"-1":true,"2":false},"u":{"7":"x"},"n":{"a":null,"b":{"u8":1}},"a":{"x":[true,{"y":1.5}]},"l":{"v":[1]}}`,
	`{"name":"a","left":{"name":"b","left":null},"more":[{"name":"c"}],"by":{"d":{"name":"e"}}}`,
	`{"id":"i","kind":"k","deep":2,"name":"n"}`, `{"Own":"o","own":"no","case":"a","CASE":"b","größe":3,"e":0,"Dash":1,` +
		`"a_name_that_is_longer_than_any_word_of_the_lexer_and_than_what_it_shares":"l"}`,
	`{"r": {"x" : [1, 2]} ,"a":{"k":[1e2,"\u0041"]},"t":"2024-02-29T10:11:12.5+02:00"}`, `{"t":"Mon, 02 Jan 2006 15:04:05 GMT","r":"\u0041"}`,
	`{"id":"a","object":"b","created":1,"model":"c","choices":[{"index":0,"message":{"role":"d","content":null,"refusal":"e"},"finish_reason":"f"}],` +
		`"usage":{"prompt_tokens":1,"total_tokens":2.0,"completion_tokens":null,"prompt_tokens_details":{"cached_tokens":3}},"service_tier":null}`,
	`{"model":"m","messages":[{"role":"r","content":"c","name":"n"}],"temperature":0.5,"max_completion_tokens":1e2,"stream":true}`,
	`{"id":"a","choices":[{"index":0,"delta":{"role":"r","content":null,"tool_calls":[]},"finish_reason":null}],"usage":null}`,
	`{"s":"a","s":"b"}`, `{"i":{"01":true}}`, `{"i":{"1":true,"1":false}}`, `{"a":[1,2,3],"b":[1,2]}`, `{"\u0073":"x"}`, `[1,]`, `{"s":1}`, `{"i":1.5}`, `{} x`, `[`, `{"s"`, "\ufeff{}",
}
