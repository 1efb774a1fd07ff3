package payload

import "math/rand/v2"

// NewChatRequest returns a request with a conversation of n messages of 300 bytes and more.
func NewChatRequest(n int) *ChatRequest {
	temperature, most := .7, int64(1024)
	r := &ChatRequest{Model: "gpt-4o", Temperature: &temperature, MaxTokens: &most, User: "user-1234"}
	for i := range n {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		r.Messages = append(r.Messages, Message{Role: role, Content: Text(300+i*10) + "\n\"quoted\" and caf\u00e9"})
	}
	return r
}

// NewUpsert returns n points with vectors of dim values.
func NewUpsert(n, dim int) *Upsert {
	r := rand.New(rand.NewPCG(5, 6))
	u := &Upsert{}
	for i := range n {
		u.Points = append(u.Points, Point{ID: int64(i), Vector: Vector(r, dim), Payload: Payload{
			Title: Text(40), URL: "https://example.com/docs/1", Chunk: int64(i % 7), Lang: "en", Published: true, Text: Text(500),
		}})
	}
	return u
}
