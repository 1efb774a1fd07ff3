package plan

import (
	"strconv"

	"github.com/resgen-go/resgen/generator/internal/model"
)

// inboundOwner is the beginning of the names that inline types of a webhook or callback have.
func (r *resolver) inboundOwner(in *model.Inbound) string {
	if in.Kind == model.Webhook {
		return ident(in.Name, "") + "Webhook"
	}
	for _, a := range r.asks {
		if a.op.ID == in.Operation {
			return a.goName + ident(in.Name, "") + "Callback"
		}
	}
	return ident(in.Name, "") + "Callback"
}

// useInbound has the bodies of webhooks and callbacks declared, after all that operations use, and says in their types' comments who sends
// them.
func (r *resolver) useInbound() {
	for i := range r.api.Inbound {
		in := &r.api.Inbound[i]
		for j := range in.Body.Contents {
			elem := in.Body.Contents[j].Elem
			r.types.element(elem)
			if ref, isRef := elem.Type.(model.Ref); isRef && j == 0 && r.types.byID[ref.ID] != nil {
				d := r.types.byID[ref.ID]
				d.senders = append(d.senders, in)
			}
		}
	}
}

// sentBy is a sentence of who sends values of a type; empty where nobody is known to. Where the type has no words of its own it is all that is said.
func (d *declared) sentBy() string {
	const most = 3
	if len(d.senders) == 0 || d.Name == "" && d.Doc == "" {
		return ""
	}
	var names []string
	for i, in := range d.senders {
		if i == most {
			names = append(names, strconv.Itoa(len(d.senders)-most)+" more")
			break
		}
		names = append(names, sender(in))
	}
	verb := " send it."
	if len(names) == 1 {
		verb = " sends it."
	}
	text := enumerate(names)
	return "T" + text[1:] + verb
}

// sender is a webhook or callback in words, "the" before it.
func sender(in *model.Inbound) string {
	return "the " + in.Kind.String() + " " + strconv.Quote(in.Name)
}
