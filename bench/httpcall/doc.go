// Package httpcall measures one HTTP call: a chat completion of 2 KB that is posted and read. BenchmarkStub has a transport that answers
// without a network, which leaves the client's own cost; BenchmarkLoopback has a server on a raw socket that allocates next to nothing.
// BenchmarkChatStub, BenchmarkChatLean, BenchmarkChatApart and BenchmarkChatServer are the call as users make it, from the request's struct to the answer's: by the
// client that resgen generates, by OpenAI's, and by hand.
//
// http_test.go has the benchmarks and the two ends; clients_test.go has the clients, resgen's among them; chat_test.go has whole calls, and apart_test.go
// the server in a process of its own.
package httpcall
