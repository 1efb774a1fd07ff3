module github.com/resgen-go/resgen/bench

go 1.26.0

replace github.com/resgen-go/resgen => ../

require (
	github.com/cenkalti/backoff/v5 v5.0.3
	github.com/cep21/circuit/v4 v4.1.0
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/google/go-cmp v0.7.0
	github.com/hashicorp/go-retryablehttp v0.7.8
	github.com/resgen-go/resgen v0.0.0
	github.com/sony/gobreaker/v2 v2.4.0
	golang.org/x/sync v0.25.0
)

require (
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/influxdata/tdigest v0.0.1 // indirect
)
