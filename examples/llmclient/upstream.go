package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// upstream sends requests on to a real server: the walk breaks what stands before it. models are the names that models have there.
func upstream(baseURL string, models map[string]string) (http.Handler, error) {
	at, err := url.Parse(baseURL)
	if err != nil {
		return nil, fmt.Errorf("--base-url: %w", err)
	}
	if at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, fmt.Errorf("--base-url: %q is no address such as https://api.example.com/v1", baseURL)
	}
	return &httputil.ReverseProxy{
		FlushInterval: -1, // items of streams go on as they come
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(at)
			rename(r.Out, models)
		},
	}, nil
}

// rename gives the model of a request the name that it has at the server. A body that cannot be read is sent as it is: the server says why.
func rename(r *http.Request, models map[string]string) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		text = nil
	}
	var body map[string]json.RawMessage
	var model string
	if json.Unmarshal(text, &body) == nil && json.Unmarshal(body["model"], &model) == nil && models[model] != "" {
		name, err := json.Marshal(models[model])
		body["model"] = name
		if renamed, failed := json.Marshal(body); err == nil && failed == nil {
			text = renamed
		}
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
}
