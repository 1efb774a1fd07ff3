package runtime

import (
	"strings"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// isNormal reports whether an answer is what was asked for, as far as the operation's preset can tell: an answer of a model that was cut at its
// length or filtered, or that wants a tool to be called, is right once, for the one who asked. A model says so, as OpenAI writes it, in the
// choices of a chat completion, or in the status and the items of a response.
func isNormal(preset string, body []byte) bool {
	if preset != "openai" {
		return true
	}
	isStop := func(reason string) bool { return reason == "stop" }
	isAnswer := func(item string) bool { return !strings.HasSuffix(item, "_call") }
	places := [...]string{"/choices", "/output", "/object", "/status"}
	var found [len(places)][]byte
	pointers := jsontext.Compile(places[:]...)
	pointers.Find(body, found[:])
	object, _ := jsontext.Text(found[2])
	status, _ := jsontext.Text(found[3])
	return all(found[0], "/finish_reason", isStop) && all(found[1], "/type", isAnswer) && (object != "response" || status == "completed")
}

// all reports whether something holds for the texts that the items of a list have at a JSON pointer; an item without one is passed over.
func all(list []byte, pointer string, holds func(text string) bool) bool {
	c := jsontext.At(list)
	if !c.Open('[') {
		return true
	}
	for c.Item() {
		value, _ := jsontext.Find(c.Skip(), pointer)
		if text, _ := jsontext.Text(value); jsontext.KindOf(value) == jsontext.String && !holds(text) {
			return false
		}
	}
	return true
}
