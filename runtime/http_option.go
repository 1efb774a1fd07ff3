package runtime

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"

	"github.com/resgen-go/resgen/runtime/wire"
)

// ClientOption is an option for a client.
type ClientOption interface{ applyClient(h *HTTP) }

// TargetOption is an option for one target of a client; see WithTarget.
type TargetOption interface{ applyTarget(t *httpTarget) }

// Option is an option for both: given to a client it is for the primary target. Address, credentials and request editors of one target
// never serve another: they may hold what only the one may see.
type Option interface {
	ClientOption
	TargetOption
}

type clientOption func(h *HTTP)

func (o clientOption) applyClient(h *HTTP) { o(h) }

type targetOption func(t *httpTarget)

func (o targetOption) applyClient(h *HTTP)       { o(h.primary()) }
func (o targetOption) applyTarget(t *httpTarget) { o(t) }

// sharedOption is an Option that, given to a client, is for all of its targets that have none of their own.
type sharedOption struct {
	targetOption

	client clientOption
}

func (o sharedOption) applyClient(h *HTTP) { o.client(h) }

// WithBaseURL sets the address: an absolute http or https URL. It wins over what the document says, for single operations too.
func WithBaseURL(url string) Option {
	return targetOption(func(t *httpTarget) { t.BaseURL, t.given = url, true })
}

// WithHTTPClient has requests sent by the user's own http.Client: with its cookie jar, its redirect policy, its transport. One without a
// transport gets connections that are tuned to the policies. Its Timeout must be 0 where operations stream. Given to a client it is for
// all targets without one of their own.
//
// A transport of the user's own dials by its own rules: the `connect` of a timeout class does not bound it, so that a target which does not even
// take connections is given up with the attempt (or at `first-byte`), as a timeout. Give its net.Dialer a Timeout, and the transport a
// TLSHandshakeTimeout, of about `connect`; or leave the transport nil, and give what it was for by WithTLSConfig. All requests go by such a
// transport; without one, small requests over plain HTTP go by the goroutine that makes the call (docs/adr/0054-direct-requests.md).
func WithHTTPClient(c *http.Client) Option {
	return sharedOption{
		client:       func(h *HTTP) { h.client = c },
		targetOption: func(t *httpTarget) { t.config.Client = c },
	}
}

// WithTLSConfig has https connections begin with c: authorities of your own that are trusted (RootCAs), a certificate of the client. It is
// copied. The connections are tuned to the policies as before, and offer HTTP/2 unless NextProtos says otherwise. Given to a client it is for
// the primary target alone, as a credential is: what one target is trusted by, or shown, is no other's affair. New fails where the target's
// http.Client has a transport, which is to be given it then, and where the target has members: each is given its own. nil takes it back.
func WithTLSConfig(c *tls.Config) Option {
	return targetOption(func(t *httpTarget) { t.config.TLS = c })
}

// WithBodyLimit sets how many bytes a JSON body, and one event of a stream, may have; the default is wire.DefaultLimit. Given to a client
// it is for all targets without one of their own.
func WithBodyLimit(bytes int64) Option {
	return sharedOption{
		client:       func(h *HTTP) { h.limit = bytes },
		targetOption: func(t *httpTarget) { t.config.Limit = bytes },
	}
}

// WithRequestEditor has edit see each request before it is sent, on every attempt and after everything else. An error of it is the
// caller's: the request is not sent. It must be safe for concurrent use. A cache does not know what it changes: where that depends on
// the caller, calls of operations with a cache need WithTenant.
func WithRequestEditor(edit func(*http.Request) error) Option {
	return targetOption(func(t *httpTarget) {
		if edit != nil {
			t.config.Edit = append(t.config.Edit, edit)
		}
	})
}

// WithCredential gives a security scheme its token or key. An empty one is none.
func WithCredential(scheme, secret string) Option {
	if secret == "" {
		return WithCredentialFunc(scheme, nil)
	}
	return WithCredentialFunc(scheme, func(context.Context) (string, error) { return secret, nil })
}

// WithCredentialFunc has a security scheme's token or key come from f, which is asked on every attempt and must be safe for concurrent
// use. An error of it ends the attempt before anything is sent. Where the secret depends on the caller, and the operation has a cache,
// calls need WithTenant: the credential is no part of what tells cached answers apart.
func WithCredentialFunc(scheme string, f func(context.Context) (string, error)) Option {
	return targetOption(func(t *httpTarget) {
		delete(t.tokens, scheme)
		if f == nil {
			delete(t.config.Credentials, scheme)
			return
		}
		t.config.Credentials[scheme] = wire.Credential(f)
	})
}

// WithBasicCredential gives a security scheme of HTTP basic authentication its user and password.
func WithBasicCredential(scheme, user, password string) Option {
	return WithCredential(scheme, user+":"+password)
}

// WithTarget gives options to one target by its name. A name that the document does not declare is for Err to say.
func WithTarget(name string, opts ...TargetOption) ClientOption {
	return clientOption(func(h *HTTP) {
		t := h.targets[name]
		if t == nil {
			h.fail(fmt.Errorf("WithTarget: there is no target %q", name))
			return
		}
		for _, o := range opts {
			if o != nil {
				o.applyTarget(t)
			}
		}
	})
}

// WithWired gives the client a function or a value that a rung, or the source of a key, names. It replaces what an earlier option gave
// under that name. A function must be safe for concurrent use.
//
// The function of a rung gets the very request that the caller gave the method. That holds too where the rung is exercised beside the
// call (policy.ExerciseShadow): it may then run when the call has returned, so that neither the caller nor the function may change the
// request.
func WithWired(name string, v any) ClientOption {
	return clientOption(func(h *HTTP) { h.wired[name] = v })
}

// WithOperations makes a client of the named operations alone: the names are those of their plans. Calls of all others are rejected, as by a
// breaker that is forced open. It is for tests that make many clients of an API with many operations, such as runtimetest.Verify; without
// it, and without a name, all are made.
func WithOperations(names ...string) ClientOption {
	return clientOption(func(h *HTTP) { h.only = names })
}

// WithGroup has the client use the machines of a group: clients of one name that share a group share all machines of their targets, from
// breakers to limits, where their settings are equal. The default is a group of the client's own; so is nil.
func WithGroup(g *Group) EitherOption {
	return eitherOption{
		clientOption: func(h *HTTP) { h.group = g },
		wrapper:      func(w *Wrapper) { w.group = g },
	}
}

// WithObserver has o told what happens. Several are told in order.
func WithObserver(o Observer) EitherOption {
	return eitherOption{
		clientOption: func(h *HTTP) { h.observer = Observers(h.observer, o) },
		wrapper:      func(w *Wrapper) { w.observer = Observers(w.observer, o) },
	}
}
