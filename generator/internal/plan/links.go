package plan

import "strings"

// linksDoc is the paragraph of a method's comment that says which methods to go on with; nothing where the document does not.
func (r *resolver) linksDoc(m *method) Comment {
	if m.twin || m.media != nil {
		return nil
	}
	var all []string
	for _, l := range m.ask.op.Links {
		for _, a := range r.asks {
			if a.op.ID != l.Operation {
				continue
			}
			text := a.goName
			if len(l.Params) > 0 {
				text += " by " + oneLine(enumerate(l.Params))
			}
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return comment("Links: " + strings.Join(all, ", ") + ".")
}
