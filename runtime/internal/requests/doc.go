// Package requests sees what requests are made under a context by a client that is not ours, such as that of an SDK, as far as net/http
// tells: which of them send again what was sent before, and whose they are.
package requests
