package provider

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"
)

// object is a JSON object as it is sent.
type object map[string]any

func (p *Provider) answer(w http.ResponseWriter, r *http.Request, req *chatRequest, fault Fault) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/chat/completions") && req.Stream:
		p.stream(w, r, req, fault)
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		send(w, p.completion(req), fault)
	case strings.HasSuffix(r.URL.Path, "/embeddings"):
		send(w, embeddings(req), fault)
	case strings.HasSuffix(r.URL.Path, "/models"):
		send(w, object{"data": []object{p.model("large"), p.model("small-fast")}}, fault)
	case strings.Contains(r.URL.Path, "/models/"):
		_, name, _ := strings.Cut(r.URL.Path, "/models/")
		send(w, p.model(name), fault)
	case strings.HasSuffix(r.URL.Path, "/messages"):
		w.WriteHeader(http.StatusAccepted)
	default:
		fail(w, http.StatusNotFound, "not_found", "no such route: "+r.URL.Path)
	}
}

// send writes a JSON body with status 200, or the first half of it where the fault cuts it.
func send(w http.ResponseWriter, body object, fault Fault) {
	text, err := json.Marshal(body)
	if err != nil {
		fail(w, http.StatusInternalServerError, "server_error", err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if fault == Truncate {
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		text = text[:len(text)/2]
	}
	_, _ = w.Write(text) // the client is gone if this fails
}

// words is what a provider answers, a word at a time.
func (p *Provider) words(req *chatRequest) []string {
	question := "nothing"
	if n := len(req.Messages); n > 0 {
		question = req.Messages[n-1].Content
	}
	return strings.SplitAfter(fmt.Sprintf("%s/%s answers: %s", p.Name, req.Model, question), " ")
}

func (p *Provider) completion(req *chatRequest) object {
	words := p.words(req)
	return object{
		"id": "chat-1", "object": "chat.completion", "created": 0, "model": req.Model,
		"choices": []object{{
			"index": 0, "finish_reason": "stop",
			"message": object{"role": "assistant", "content": strings.Join(words, "")},
		}},
		"usage": object{"prompt_tokens": 1, "completion_tokens": len(words), "total_tokens": 1 + len(words)},
	}
}

// stream sends the answer as server-sent events, word by word, and fails on the way as the fault says.
func (p *Provider) stream(w http.ResponseWriter, r *http.Request, req *chatRequest, fault Fault) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w)
	words := p.words(req)
	for i, word := range words {
		stalled := fault == StallFirst || fault == StallMiddle && i == len(words)/2
		if err := flush.Flush(); err != nil || stalled {
			<-r.Context().Done()
			return
		}
		if fault == Truncate && i == len(words)/2 {
			panic(http.ErrAbortHandler) // net/http's way to cut a connection
		}
		event(w, object{"index": 0, "delta": object{"content": word}, "finish_reason": nil}, req.Model)
	}
	event(w, object{"index": 0, "delta": object{}, "finish_reason": "stop"}, req.Model)
	_, _ = w.Write([]byte("data: [DONE]\n\n")) // the client is gone if this fails
}

func event(w http.ResponseWriter, choice object, model string) {
	text, err := json.Marshal(object{"id": "chat-1", "model": model, "choices": []object{choice}})
	if err != nil {
		panic(http.ErrAbortHandler) // an item that cannot be sent must not look like the end
	}
	_, _ = fmt.Fprintf(w, "data: %s\n\n", text) // the client is gone if this fails
}

const dimensions = 8

// embeddings gives each text a vector that depends on its words alone.
func embeddings(req *chatRequest) object {
	data := make([]object, len(req.Input))
	for i, text := range req.Input {
		vector := make([]float32, dimensions)
		for word := range strings.FieldsSeq(text) {
			sum := fnv.New32a()
			_, _ = sum.Write([]byte(word)) // a hash never fails
			vector[sum.Sum32()%dimensions]++
		}
		data[i] = object{"index": i, "embedding": vector}
	}
	return object{"data": data, "model": req.Model}
}

func (p *Provider) model(name string) object {
	return object{"id": name, "created": 0, "owned_by": p.Name}
}
