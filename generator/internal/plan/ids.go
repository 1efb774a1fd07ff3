package plan

import (
	"github.com/resgen-go/resgen/generator/internal/model"
	"github.com/resgen-go/resgen/generator/internal/source"
)

// refuseBlindIDs refuses ids where no request can have any.
func (r *resolver) refuseBlindIDs() {
	for _, a := range r.asks {
		for i, pointer := range r.policies.Plans[a.index].IDs {
			r.blind(a, "ids", r.spanOfItem(a, "ids", i), pointer, r.inRequests(a, pointer, func(model.Type) bool { return true }))
		}
	}
}

// inRequests says why a pointer with `*` leads nowhere in the JSON body of a request; empty where it may lead to what is wanted.
func (r *resolver) inRequests(a *ask, pointer string, ends func(model.Type) bool) string {
	if problem := r.inRequest(a, "", anything); problem != "" {
		return problem
	}
	steps, err := source.ParsePointer(pointer)
	if err != nil {
		return "is no JSON pointer"
	}
	search := &starSearch{typer: r.types, open: true, ends: ends}
	if search.at(a.body.elem.Type, steps, 0) {
		return ""
	}
	return "leads nowhere in what the document says of it"
}
