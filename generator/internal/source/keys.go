package source

// keySet remembers the keys of one map and where each stands. Most maps are small, so a list comes first.
type keySet struct {
	keys  []string
	spans []Span
	index map[string]int
}

const smallMap = 8

// add remembers a key. If the set has it, add returns where the first stands, and true.
func (s *keySet) add(key string, at Span) (first Span, dup bool) {
	if i := s.find(key); i >= 0 {
		return s.spans[i], true
	}
	s.keys = append(s.keys, key)
	s.spans = append(s.spans, at)
	switch {
	case s.index != nil:
		s.index[key] = len(s.keys) - 1
	case len(s.keys) > smallMap:
		s.index = make(map[string]int, 2*len(s.keys))
		for i, k := range s.keys {
			s.index[k] = i
		}
	}
	return Span{}, false
}

func (s *keySet) find(key string) int {
	if s.index != nil {
		if i, ok := s.index[key]; ok {
			return i
		}
		return -1
	}
	for i, k := range s.keys {
		if k == key {
			return i
		}
	}
	return -1
}
