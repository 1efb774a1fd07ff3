package model

// Prompt is what a model is asked.
type Prompt struct {
	// System tells the model how to answer.
	System string
	// Turns are the conversation so far, oldest first. The user's and the model's alternate.
	Turns []Turn
	// MaxTokens is the most that is written; 0 is the adapter's own limit.
	MaxTokens int64
	// Temperature is how freely the model chooses; nil leaves it to the provider.
	Temperature *float64
}

// Turn is what one of the two says.
type Turn struct {
	// Assistant says that it is the model.
	Assistant bool
	Text      string
}

// Ask returns a prompt of one question.
func Ask(question string) *Prompt { return &Prompt{Turns: []Turn{{Text: question}}} }

// question returns what the user says last.
func (p *Prompt) question() string {
	if len(p.Turns) == 0 {
		return ""
	}
	return p.Turns[len(p.Turns)-1].Text
}

// Answer is a whole answer. One that the model declines is none: it is an error of the kind "refused", whoever says so and in which way.
type Answer struct {
	// Text is what the user is told.
	Text string
	// Thought is what the model told of its thoughts.
	Thought string
	// Calls are the tools that it wants to be called.
	Calls []Call
	// Model is which one answered.
	Model string
}

// Call is the call of a tool.
type Call struct {
	Name string
	// Arguments are JSON.
	Arguments string
}

// Chunk is a piece of an answer; one field of it is set. The name and the arguments of a Call come in pieces.
type Chunk struct {
	Text, Thought string
	Call          Call
}

// shows reports whether there is something in the piece. Nothing else is yielded: a piece commits the call to whoever sent it.
func (c *Chunk) shows() bool { return *c != Chunk{} }
