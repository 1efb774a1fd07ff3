package plan

// serverMethods are the methods of every fake server beside its operations.
var serverMethods = map[string]bool{"Client": true, "HTTPClient": true, "Requests": true, "URL": true}

// isServerReserved reports methods of the fake server that are no operation's.
func isServerReserved(name string) bool { return serverMethods[name] || standardMethods[name] }

// nameServed names the methods of the fake server, after those of the client. They are not in resgen.lock: that a test which scripts an operation
// called Requests has to say RequestsOp is all that there is to it.
func nameServed(ops []Operation) {
	tier := make([]wish, len(ops))
	for i := range ops {
		name := ops[i].GoName
		tier[i] = wish{id: name, pos: ops[i].Model.Pos, text: name, names: []string{name, name + "Op"}}
	}
	for i, name := range newScope(isServerReserved).allot(tier, nil) {
		ops[i].ServerName = name
	}
}
