package wire

import (
	"encoding/json"
	"fmt"

	"github.com/resgen-go/resgen/runtime/internal/jsontext"
)

// member is one member of a JSON object, its value as it was written.
type member struct {
	key   string
	value json.RawMessage
}

// membersOf returns the members of a JSON object that this package has written, in order. Of two with one key, which only JSON that was
// given as it is can have, the last counts.
func membersOf(data []byte) ([]member, error) {
	c := jsontext.At(data)
	if !c.Open('{') {
		return nil, fmt.Errorf("an object is needed, not the JSON %s", jsontext.KindOf(data))
	}
	var members []member
	at := map[string]int{}
	for key, more := c.Member(); more; key, more = c.Member() {
		m := member{key: key.Text(), value: c.Skip()}
		if i, twice := at[m.key]; twice {
			members[i] = m
			continue
		}
		at[m.key] = len(members)
		members = append(members, m)
	}
	return members, nil
}

// itemsOf returns the items of a JSON list that this package has written.
func itemsOf(data []byte) []json.RawMessage {
	items := []json.RawMessage{}
	c := jsontext.At(data)
	c.Open('[')
	for c.Item() {
		items = append(items, c.Skip())
	}
	return items
}
