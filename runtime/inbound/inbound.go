package inbound

import (
	"context"
	"net/http"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

// Config says what is taken from requests, and from whom. The zero value takes nothing.
type Config struct {
	// TrustSignals says whether the signals of a request are read: whether it comes from a program of ours. Ask what cannot be forged,
	// such as a client certificate or the port, not a header. nil trusts nobody.
	TrustSignals func(*http.Request) bool
	// Tenant returns for whom a request is, from the identity that was authenticated before: never from a header that the caller may
	// write. Empty is nobody in particular. nil asks nothing.
	Tenant func(*http.Request) string
	// Subject returns which user of the tenant a request is about, from the same identity: caches give no subject what another was answered.
	// Empty is nobody in particular. nil asks nothing.
	Subject func(*http.Request) string
	// Timeout bounds a request from its arrival, whatever its caller allows, and whoever that is; 0 is no bound of ours.
	Timeout time.Duration
	// Travel is taken off the time that a caller allows, because the way here and back takes some of it; 0 takes nothing off.
	Travel time.Duration
	// Shed turns requests away whose time was over before the work began, at most a fifth of all in ten seconds: more than that would
	// say that the callers are wrong, and then working is better than turning all of them away. So none of the first four requests is
	// turned away. They are answered 503, with X-Resgen-Do-Not-Retry. false is dark: Late is told, and the handler runs. Begin so, and
	// look at what would be turned away.
	Shed bool
	// Late is told of each request whose time was over before the work began: by how much, and whether it was turned away. It must be
	// quick, and safe for concurrent use. nil tells nobody.
	Late func(r *http.Request, by time.Duration, shed bool)
}

// Inbound takes the signals of requests into their contexts. Make one for a server. Safe for concurrent use; it starts no goroutine.
type Inbound struct {
	cfg    Config
	recent recent
}

// New returns an Inbound. It never fails: the functions of cfg may be nil.
func New(cfg Config) *Inbound { return &Inbound{cfg: cfg} }

// Handler returns a handler that gives next each request with what its caller asks in its context. Put it behind what authenticates, and
// before everything that takes time.
func (in *Inbound) Handler(next http.Handler) http.Handler {
	work := in.Work(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now, ctx := time.Now(), r.Context()
		if in.cfg.Tenant != nil {
			if tenant := in.cfg.Tenant(r); tenant != "" {
				ctx = runtime.WithTenant(ctx, tenant)
			}
		}
		if in.cfg.Subject != nil {
			if subject := in.cfg.Subject(r); subject != "" {
				ctx = runtime.WithSubject(ctx, subject)
			}
		}
		if in.cfg.Timeout > 0 {
			own, cancel := context.WithDeadline(ctx, now.Add(in.cfg.Timeout))
			defer cancel()
			ctx = own
		}
		if in.cfg.TrustSignals != nil && in.cfg.TrustSignals(r) {
			asked, cancel := in.take(ctx, now, r.Header.Values)
			defer cancel()
			ctx = asked
		}
		work.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Work returns a handler that turns requests away whose time was over before next began; see Config.Shed. Handler does so too, when the
// request arrives. Where requests wait in a queue behind it, put this one behind the queue.
func (in *Inbound) Work(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if in.tooLate(r, time.Now()) {
			w.Header().Set(headerDoNotRetry, yes)
			http.Error(w, "the time of the request was over before the work began", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Context returns a context with what metadata of a request asks, for servers that speak no HTTP of ours: get returns the values under a
// name, which is in lower case. Nothing is asked whether the caller is trusted: call it for those who are. With gRPC:
//
//	md, _ := metadata.FromIncomingContext(ctx)
//	ctx, cancel := in.Context(ctx, md.Get)
//	defer cancel()
//
// Give the tenant with runtime.WithTenant. gRPC itself takes the deadline from grpc-timeout; where it is among the metadata it is read.
func (in *Inbound) Context(ctx context.Context, get func(name string) []string) (context.Context, context.CancelFunc) {
	return in.take(ctx, time.Now(), get)
}
