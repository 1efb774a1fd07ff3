package policy

import "fmt"

// itemRules checks the rules on the items of a stream.
func (c *checker) itemRules(s Stream) {
	for _, list := range []struct {
		field string
		rules []ItemRule
	}{
		{"stream.preamble", s.Preamble},
		{"stream.done", s.Complete},
		{"stream.incomplete", s.Incomplete},
		{"stream.failed", s.Failed},
		{"stream.error", s.Errors},
	} {
		for i, rule := range list.rules {
			field := fmt.Sprintf("%s[%d]", list.field, i)
			if len(rule) == 0 {
				c.refusef(ItemRulePlace, field, "the rule names no place in an item")
			}
			for _, m := range rule {
				if m.Pointer != ItemEvent && (m.Pointer == "" || m.Pointer[0] != '/') {
					c.refusef(ItemRulePlace, field, "%q is no JSON pointer to a member, nor `event`", m.Pointer)
				}
				if m.Pointer == ItemEvent && s.Format != SSE {
					c.refusef(ItemRulePlace, field, "items have an event only in server-sent events")
				}
			}
		}
	}
}
