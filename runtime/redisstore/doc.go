// Package redisstore keeps the limits that several processes share in Redis: a runtime.LimitStore, over github.com/redis/go-redis.
//
//	client := redis.NewClient(&redis.Options{Addr: "redis:6379", ContextTimeoutEnabled: true, MaxRetries: -1})
//	llm.New(runtime.WithLimitStore(redisstore.New(client, redisstore.Config{})))
//
// A limit is a hash under one key for each limit and tenant, which Redis forgets when the buckets are full again. One script, in one step,
// counts what a replica owes, lets time flow by Redis's own clock, and takes what the replica wants: clocks of replicas do not matter. Every
// question is a heartbeat too.
//
// The runtime asks, waits at most 10 ms, has a breaker of its own, and goes on with this process's part of the limit while Redis is gone: see
// runtime.LimitStore. ContextTimeoutEnabled has go-redis heed those 10 ms, and MaxRetries of -1 keeps it from asking twice; without them a question
// that nobody waits for any more goes on for seconds. It needs Redis 5 or later, or Valkey, and works on clusters: the keys of a limit have one hash tag.
//
// Read store.go, then take.lua.
package redisstore
