// Package stream measures a stream of server-sent events as a chat sends it: 2,000 items of 290 bytes in memory, one stream for each operation.
// BenchmarkParse takes events apart, BenchmarkItems decodes them too.
//
// floor_test.go has the yardstick, arms_test.go the readers, stream_test.go the benchmarks.
package stream
