package annot

import "slices"

// alternatives are the schemas that a value may have.
func (s *schema) alternatives() []*schema {
	if s == nil {
		return nil
	}
	if len(s.AnyOf) == 0 {
		return []*schema{s}
	}
	var out []*schema
	for _, a := range s.AnyOf {
		out = append(out, a.alternatives()...)
	}
	return out
}

// admits reports whether a value may be of that type of JSON Schema.
func (s *schema) admits(typ string) bool {
	return slices.ContainsFunc(s.alternatives(), func(a *schema) bool {
		return a.Type == typ || typ == "string" && a.Type == "" && len(a.Enum) > 0
	})
}

// object is the schema of an object that a value may be; nil where it may be none. list is the same for lists.
func (s *schema) object() *schema { return s.ofType("object") }

func (s *schema) list() *schema { return s.ofType("array") }

func (s *schema) ofType(typ string) *schema {
	all := s.alternatives()
	i := slices.IndexFunc(all, func(a *schema) bool { return a.Type == typ })
	if i < 0 {
		return nil
	}
	return all[i]
}

// listsObjectsWith reports whether a value may be a list of objects with a key.
func (s *schema) listsObjectsWith(key string) bool {
	list := s.list()
	return list != nil && slices.ContainsFunc(list.Items.alternatives(), func(a *schema) bool { return a.Properties[key] != nil })
}

// property is the schema of a key of an object; one that says nothing where the key is unknown.
func (s *schema) property(key string) *schema {
	for _, a := range s.alternatives() {
		if p := a.Properties[key]; p != nil {
			return p
		}
		if a.Additional != nil {
			return a.Additional
		}
	}
	return &schema{}
}
