// Package httpcall measures one HTTP call: a chat completion of 2 KB that is posted and read. BenchmarkStub has a transport that answers
// without a network, which leaves the client's own cost; BenchmarkLoopback has a server on a raw socket that allocates next to nothing.
//
// http_test.go has the benchmarks and the two ends; clients_test.go has the clients, resgen's among them.
package httpcall
