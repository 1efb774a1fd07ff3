package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/resgen-go/resgen/runtime/wire"
)

// places are where presets have the last turn.
func places() []string {
	return []string{"/messages/-1/content", "/input/-1/content", "/input", "/contents/-1/parts", "/message"}
}

func turnOf(body string) (text, rest string, ok bool) {
	r := wire.NewRequest("POST", "/chat")
	r.JSON(json.RawMessage(body))
	return r.Turn(places())
}

func TestTurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, text string }{
		{`{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}`, "b"},
		{`{"messages":[{"role":"user","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}]}`, "b\nc"},
		{`{"input":"\u0062"}`, "b"},
		{`{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"b"}]}]}`, "b"},
		{`{"contents":[{"parts":[{"text":"b"}]}]}`, "b"},
		{`{"message":"b"}`, "b"},
		{`{"messages":null,"message":"b"}`, "b"},
		// not the user's, not text, or nowhere
		{`{"messages":[{"role":"assistant","content":"b"}]}`, ""},
		{`{"messages":[{"role":"tool","content":"b"}]}`, ""},
		{`{"messages":[{"role":["user"],"content":"b"}]}`, ""},
		{`{"messages":[{"role":"user","content":[{"type":"image_url","text":"b"}]}]}`, ""},
		{`{"messages":[{"role":"user","content":[{"type":"text","text":"b"},{"inlineData":{}}]}]}`, ""},
		{`{"messages":[{"role":"user","content":[]}]}`, ""},
		{`{"messages":[{"role":"user","content":{"text":"b"}}]}`, ""},
		{`{"messages":[{"role":"user","content":7}]}`, ""},
		{`{"messages":[{"role":"user","content":" \n"}]}`, ""},
		{`{"messages":[]}`, ""},
		{`{"messages":{"-1":{"content":"b"}}}`, "b"},
		{`{"input":["a","b"]}`, ""},
		{`{"input":[[1,2]]}`, ""},
		{`[]`, ""},
		{`"b"`, ""},
	} {
		text, rest, ok := turnOf(c.body)
		if text != c.text || ok != (c.text != "") {
			t.Errorf("%s: %q, %v; want %q", c.body, text, ok, c.text)
		}
		if ok && strings.Contains(rest, `"b"`) {
			t.Errorf("%s: the text is left: %s", c.body, rest)
		}
	}
}

// What the text is changes nothing of the rest, and whatever else is changed does.
func FuzzTurn(f *testing.F) {
	for _, body := range []string{
		`{"messages":[{"role":"user","content":"b"}]}`, `{"input":"b","input":"c"}`, `{"contents":[{"parts":[{"text":"b","text":"c"}]}],"a":1}`,
		` {"messages" : [ {"content":[{"text":"\ud800"}]} ] } `, "\xEF\xBB\xBF{\"message\":\"b\"}",
	} {
		f.Add(body, "other")
	}
	f.Fuzz(func(t *testing.T, body, other string) {
		text, rest, ok := turnOf(body)
		if !ok {
			return
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(body, string(quoted)) != 1 || strings.TrimSpace(other) == "" {
			return // it is written in another way, in parts, or twice
		}
		changed, err := json.Marshal(other)
		if err != nil {
			t.Fatal(err)
		}
		_, same, ok := turnOf(strings.Replace(body, string(quoted), string(changed), 1))
		if ok && same != rest {
			t.Errorf("%s: the rest is %q, and with another text %q", body, rest, same)
		}
		if twin, more, ok := turnOf(strings.TrimSuffix(strings.TrimSpace(body), "}") + `,"zzz":1}`); ok && twin == text && more == rest {
			t.Errorf("%s: a parameter more changes nothing of %q", body, rest)
		}
	})
}
