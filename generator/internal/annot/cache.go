package annot

import (
	"time"

	"github.com/resgen-go/resgen/generator/internal/source"
	"github.com/resgen-go/resgen/runtime/policy"
)

var cacheEntry = Entry{
	Sort:  Policy,
	Title: "Cache",
	Text: "Answers a call of a `safe` operation from what an equal one was answered before, for `ttl` without asking the target. " +
		"`stale-if-error` keeps answers longer, for the rung `cache: {}` of the ladder alone. Calls are equal where their path, their " +
		"parameters and their body are, or, of the body, the values that `key` points at; tenants never share an answer. A stream is kept when " +
		"it has come to its proven end, and given again item by item; whole answers and streams never share one. Files are not kept. The " +
		"client is given the store, as `runtime/cache` makes one. `semantic` " +
		"answers from what another call was answered whose last turn means the same, by vectors of an `embedder` that the client is given " +
		"(`WithEmbedder`): all else that the two ask is equal, and tenant and subject (`runtime.WithTenant`, `runtime.WithSubject`) are, without " +
		"which nothing is looked for nor kept.",
	Example: "cache: {key: [/model, /input], ttl: 10m}",
	Since:   "0.1",
	brief:   "{ttl: 10m}",
	field: field[Settings]{
		key: "cache", shape: cacheKeys,
		put: func(s *Settings, v *source.Value) {
			s.Plan.Cache.On = true
			cacheKeys.decode(&s.Plan.Cache, v)
		},
		take: func(s *Settings) (source.Value, bool) { return cacheKeys.encode(&s.Plan.Cache), s.Plan.Cache.On },
	},
}

var cacheKeys = record[policy.CacheConfig]{
	{
		key: "key", doc: "What of the request's body counts; without it, all.",
		shape: listOf{item: pointerLike("/model"), form: "a list of JSON pointers", example: "[/model, /input]", unique: true},
		put:   func(c *policy.CacheConfig, v *source.Value) { c.Key = texts(v) },
		take:  func(c *policy.CacheConfig) (source.Value, bool) { return textsValue(c.Key), len(c.Key) > 0 },
	},
	durationOrZero("ttl", "How long an answer is given without asking the target; 0s is never, for answers that only serve the rung.",
		func(c *policy.CacheConfig) *time.Duration { return &c.TTL }),
	duration("stale-if-error", "How long after its ttl an answer may serve the cache rung.",
		func(c *policy.CacheConfig) *time.Duration { return &c.StaleIfError }),
	sameSpace("Why calls that the key makes equal are answered in one vector space, on an operation with `space`.",
		func(c *policy.CacheConfig) *string { return &c.SameSpace }),
	accepts("may be kept", func(c *policy.CacheConfig) *[]string { return &c.Accepts }),
	semanticField,
}

// texts are the texts of a checked list.
func texts(v *source.Value) []string {
	out := make([]string, len(v.List))
	for i := range v.List {
		out[i] = v.List[i].Text
	}
	return out
}

func textsValue(list []string) source.Value {
	v := source.Value{Kind: source.List}
	for _, s := range list {
		v.List = append(v.List, text(s))
	}
	return v
}
