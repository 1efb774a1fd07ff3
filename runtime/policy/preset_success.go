package policy

import "slices"

// Doubts reports whether a rule names the status, which is one of success: then MatchSuccess is to be asked about its body.
func (e Errors) Doubts(status int) bool {
	return slices.ContainsFunc(e.Rules, func(r ErrorRule) bool { return r.Status == status && r.ofSuccess() })
}

// MatchSuccess returns the kind that a rule gives to the body of a successful response, and whether one does. Only rules that name its
// status are asked: a body of success is no failure because an error would look like it.
func (e Errors) MatchSuccess(status int, body []byte) (Kind, bool) {
	r := &reading{Answer: Answer{Status: status, Body: body}}
	for _, rule := range e.Rules {
		if rule.Status == status && rule.ofSuccess() && rule.matches(r) {
			return rule.Kind, true
		}
	}
	return KindNone, false
}

// ofSuccess reports whether the rule is about bodies of successful responses.
func (r ErrorRule) ofSuccess() bool {
	return r.Pointer != "" && r.Status >= statusOK && r.Status < statusOK+100
}
