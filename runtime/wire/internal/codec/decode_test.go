package codec

import (
	"encoding/json"
	"testing"
)

func TestQuick(t *testing.T) {
	type in struct {
		A int `json:"a"`
		B *string
		C []float32
		D map[string]any
		E []in
	}
	for _, text := range []string{`{"a":1,"B":"x\n\ud83d\ude00","C":[1.5,-0.25, 3e2],"D":{"k":[1,null,{"z":true}]},"E":[{},{"a":2}]}`, `{"a": 1.0 , "x":[{"q":[]},[[]],{}] }`, `{"a":"x"}`, `{"C":[1,"x"]}`, `{"C":"AACAPwAAAEA="}`} {
		var got, want in
		err := Decode([]byte(text), &got)
		werr := json.Unmarshal([]byte(text), &want)
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		t.Logf("%s\n%v\n%s\n%v", g, err, w, werr)
	}
}
