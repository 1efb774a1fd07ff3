package policy

// takes checks what a rung or a target says that it cannot take.
func (c *checker) takes(at string, most int64, lacks []Match) {
	if most < 0 {
		c.refusef(NegativeValue, at+".max-input", "%d is negative", most)
	}
	for _, m := range lacks {
		if m.Pointer == "" {
			c.refusef(UnknownValue, at+".lacks", "what is lacking is named by a pointer into the request; an empty one is all of it")
		}
	}
}
