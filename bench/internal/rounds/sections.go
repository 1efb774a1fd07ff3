package rounds

import "strings"

// Section is one table of the page: a benchmark, and the arm that its others are compared with.
type Section struct {
	// Benchmark is the name without "Benchmark".
	Benchmark string
	// Title and Text head the table.
	Title, Text string
	// Bases are the arms of which ratios are taken: of several, each other arm has that with the same last word.
	Bases []string
	// Against is what the column of ratios calls them.
	Against string
	// Parallel is the benchmark of the same arms on all processors; empty if there is none.
	Parallel string
	// Slower is an arm of which is told how many times as long as each other it takes; empty if there is none. SlowerIn is its benchmark, if that
	// is another.
	Slower, SlowerIn string
	// Each is how many things one operation does, if numbers are for one of them; otherwise 0.
	Each int
}

// Sections returns the tables in their order.
func Sections() []Section {
	return []Section{
		{
			Benchmark: "Seq", Parallel: "Par", Bases: []string{"floor/full"}, Against: "floor/full", Title: "A call that succeeds",
			Text: "The function does nothing, so what is measured is the stack alone. `full` is a deadline, a bulkhead, a breaker over a rolling\n" +
				"window, a latency record and a retry loop of 4. Each arm takes a context of the call and hands one to the function.",
		},
		{
			Benchmark: "OpenSeq", Parallel: "OpenPar", Bases: []string{"floor"}, Against: "floor", Title: "A call that an open breaker refuses",
			Text: "",
		},
		{
			Benchmark: "Stub", Bases: []string{"net-http/bytes", "net-http/json"}, Against: "net/http", Title: "An HTTP call on a transport without a network",
			Text: "A request of 0.6 KB is posted, an answer of 2 KB is read. `bytes` neither writes nor reads JSON, so what differs\n" +
				"from `net-http/bytes` is the stack. `json` arms are compared with `net-http/json`.",
		},
		{
			Benchmark: "Loopback", Bases: []string{"net-http/bytes", "net-http/json"}, Against: "net/http", Title: "The same call over a connection",
			Text: "The server's part is in the numbers: it reads and writes bytes, and allocates next to nothing.",
		},
		chat("Stub", "A whole chat call without a network",
			"From the request's struct to the answer's: a conversation of 4 messages is posted, an answer of 2 KB is read. `resgen-net-http` is the generated\n"+
				"client with timeouts, retries, a budget, a breaker and a bulkhead; the others have no resilience but what openai-go does by itself."),
		chat("Lean", "The same to a server that allocates next to nothing",
			"`resgen` is the generated client as it comes, which sends directly (ADR 54); `resgen-net-http` has been given the `http.Client` that\n"+
				"the others use; `net-http-bytes` posts and reads the same bytes and has neither JSON nor resilience: what net/http itself takes."),
		chat("Apart", "The same where the server is a process of its own", "Only the client's process is measured. Each call waits for its answer, as it does\n"+
			"for one from another machine: what a goroutine hands to another then wakes a thread, of which direct requests (`resgen`) have none."),
		chat("Server", "The same to net/http's server", ""),
		reading("chat-response", "Reading a chat response, 2 KB",
			"`resgen` are the types that it generates; `resgen-plain` are the plain structs that all others read, by `wire.Unmarshal`; ogen has its own.\n"+
				"The floor is a cursor written by hand for the document (`bench/internal/handcodec`)."),
		reading("embeddings-float32", "Reading 100 vectors of 1,536 float32, 1.9 MB of text", ""),
		reading("embeddings-float64", "Reading 100 vectors of 1,536 float64, 3.3 MB of text", "The floor leaves 17 digits to strconv."),
		packed(),
		reading("query-with-vectors", "Reading what a query found, 100 points with vectors, 2 MB", ""),
		reading("query", "Reading what a query found, 100 points without vectors, 75 KB", ""),
		writing("chat-request", "Writing a chat request of 20 messages, 9 KB",
			"Each returns bytes of its own, but those whose name ends in `kept`: theirs lie in a buffer that the next one overwrites."),
		writing("upsert", "Writing 100 points with vectors, 2 MB", ""),
		stream("Parse", "Taking a stream of server-sent events apart, for each of 2,000 events", "Events of 290 bytes in memory."),
		stream("ParsePackets", "The same where each read gets one event", ""),
		stream("Items", "Reading and decoding the events, for each of 2,000",
			"`resgen` is `wire.Items`, `resgen-client` the stream of the generated client, its call with all policies included. `openai-go` is\n"+
				"`Stream[ChatCompletionChunk]`, `-plain` are the structs that the other codecs read."),
	}
}

func chat(where, title, text string) Section {
	return Section{
		Benchmark: "Chat" + where, Bases: []string{"net-http+encoding-json"}, Against: "net/http + encoding/json", Slower: "openai-go", Title: title, Text: text,
	}
}

const (
	byFloor = "floor"
	byV1    = "encoding-json"
)

func reading(document, title, text string) Section {
	return Section{Benchmark: "Decode/" + document, Bases: []string{byFloor}, Against: byFloor, Slower: byV1, Title: title, Text: text}
}

// packed is compared with what encoding/json takes for the same vectors as text.
func packed() Section {
	s := reading("embeddings-base64", "Reading the same vectors of float32 in base64, 0.8 MB", "encoding/json is what it takes for the text of them.")
	s.SlowerIn = "Decode/embeddings-float32"
	return s
}

func writing(request, title, text string) Section {
	return Section{Benchmark: "Encode/" + request, Bases: []string{byFloor}, Against: byFloor, Slower: byV1, Title: title, Text: text}
}

func stream(what, title, text string) Section {
	return Section{Benchmark: what, Bases: []string{byFloor}, Against: byFloor, Slower: "openai-go", Each: 2000, Title: title, Text: text}
}

// base returns the arm that arm is compared with.
func (s Section) base(arm string) string {
	for _, b := range s.Bases {
		if lastWord(b) == lastWord(arm) {
			return b
		}
	}
	return s.Bases[0]
}

func lastWord(arm string) string { return arm[strings.LastIndexAny(arm, "/-")+1:] }
