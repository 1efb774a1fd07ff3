package rounds

const (
	chatResponse   = "Decode/chat-response/"
	vectors        = "Decode/embeddings-float32/"
	packedVectors  = "Decode/embeddings-base64/"
	hits           = "Decode/query-with-vectors/"
	chatRequest    = "Encode/chat-request/"
	upsert         = "Encode/upsert/"
	wholeCall      = "ChatLean/"
	vectorsOfOne   = 100
	eventsOfStream = 2000
)

// memoryDecides is why ratios of short texts differ from run to run.
const memoryDecides = "what is left is mostly fresh memory for texts, whose price is the machine's: 2.7 to 4.0 µs over the runs of one day, 3.4x to 5.9x"

// wireGoals are about JSON, streams and whole calls.
func wireGoals() []Goal {
	return []Goal{
		{
			Text: "chat response read, against encoding/json", Least: 5, Unit: "x", value: faster(chatResponse+"resgen", chatResponse+byV1),
			Reason: memoryDecides, Explains: 3.3,
		},
		{
			Text: "the same into plain structs", Least: 5, Unit: "x", value: faster(chatResponse+"resgen-plain", chatResponse+byV1),
			Reason: memoryDecides, Explains: 3.3,
		},
		{Text: "chat response read, of the floor", Most: 1.5, Unit: "x", value: times(chatResponse+"resgen", chatResponse+byFloor)},
		{Text: "100x1536 embeddings read as text, against encoding/json", Least: 5, Unit: "x", value: faster(vectors+"resgen", vectors+byV1)},
		{Text: "the same, against ogen", Least: 3, Unit: "x", value: faster(vectors+"resgen", vectors+"ogen")},
		{Text: "the same, for each vector", Most: 2, Unit: " allocations", value: allocsOfEach(vectors+"resgen", vectorsOfOne)},
		{Text: "the same in base64, against encoding/json on text", Least: 20, Unit: "x", value: faster(packedVectors+"resgen", vectors+byV1)},
		{Text: "query response with vectors read, against encoding/json", Least: 6, Unit: "x", value: faster(hits+"resgen", hits+byV1)},
		{
			Text: "chat request written, against encoding/json", Least: 3, Unit: "x", value: faster(chatRequest+"resgen", chatRequest+byV1),
			Reason: "two thirds and more of it are fresh memory of 9 KB, its collection and the copy into it, which all pay for; the next line is the " +
				"writing alone; see ADR 53",
			Explains: 2.2,
		},
		{
			Text: "the same into a buffer that is kept, against encoding/json's Encoder into one", Least: 3, Unit: "x",
			value: faster(chatRequest+"resgen-kept", chatRequest+byV1+"-kept"),
		},
		{Text: "upsert written, against encoding/json", Least: 1.1, Unit: "x", value: faster(upsert+"resgen", upsert+byV1)},
		{Text: "events taken apart, of the floor", Most: 1.5, Unit: "x", value: times("Parse/resgen", "Parse/"+byFloor)},
		{
			Text: "events taken apart, for each of 2,000 (what a stream takes once included)", Most: .01, Unit: " allocations",
			value: allocsOfEach("Parse/resgen", eventsOfStream),
		},
		{Text: "events taken apart and decoded, against openai-go's Stream", Least: 12, Unit: "x", value: faster("Items/resgen", "Items/openai-go")},
		{Text: "the same, for each event", Most: 8, Unit: " allocations", value: allocsOfEach("Items/resgen", eventsOfStream)},
		{
			Text: "whole generated call, lean server, of net/http + encoding/json", Most: .5, Unit: "x",
			value: times(wholeCall+"resgen", wholeCall+"net-http+encoding-json"),
			Reason: "what the system takes to write, wait and read twice, here and at the server, is the same for all, and more than half of it where a " +
				"system call takes microseconds; the next line is the client's process alone",
			Explains: .9,
		},
		{
			Text: "the same where the server is a process of its own, the client's process alone", Most: .5, Unit: "x",
			value:  times("ChatApart/resgen", "ChatApart/net-http+encoding-json"),
			Reason: "a call waits once, and what the system takes for that is most of it; 0.40x to 0.65x over the runs of one busy day", Explains: .6,
		},
		{
			Text: "whole generated call, lean server, of openai-go", Most: .2, Unit: "x", value: times(wholeCall+"resgen", wholeCall+"openai-go"),
			Reason: "as above", Explains: .3,
		},
	}
}
