package status

import (
	"cmp"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/resgen-go/resgen/runtime"
)

// Status shows groups of machines, and what the calls of their clients come to. Make it with New; the fields are set before the first request.
// Its methods are safe for concurrent use.
type Status struct {
	// Title is the name of the program; empty is that of its file.
	Title string
	// Instance tells this process from others of the program; empty is the host's name.
	Instance string
	// Ready are the program's own conditions of readiness, which /readyz asks each time; their Timeout is a second unless they say otherwise. A
	// condition that looks at a dependency takes all replicas out at once when that dependency fails, and with them what does not need it, and every
	// rung below it; so one belongs here only if nothing at all can be answered without it.
	Ready []Check
	// Deep are the synthetic calls of /deepz; their Timeout is 5 seconds unless they say otherwise.
	Deep []Check
	// Authorize says who may have /deepz run and read: its calls cost money, and their errors tell of the inside. nil is nobody.
	Authorize func(*http.Request) bool
	// DeepEvery is how long the result of /deepz is given again; what is less than 30 seconds is 30 seconds.
	DeepEvery time.Duration

	groups  []*runtime.Group
	started time.Time
	phase   atomic.Int32
	watch   watch

	ready, deep runner
}

// New returns a status of the groups; nil ones, and those that are there already, are left out.
func New(groups ...*runtime.Group) *Status {
	s := &Status{started: time.Now()}
	known := map[*runtime.Group]bool{nil: true}
	for _, g := range groups {
		if !known[g] {
			known[g] = true
			s.groups = append(s.groups, g)
		}
	}
	return s
}

// Observer returns what tells the status of calls: give it to the clients, with others by runtime.Observers. It remembers a bounded amount:
// counts by operation and rung, the last kinds of failures, the latest events. Each call of it returns the same observer.
func (s *Status) Observer() runtime.Observer {
	s.watch.given.Store(true)
	return &s.watch
}

// Phase is what an instance does. The zero value is Running.
type Phase int32

// The phases.
const (
	// Running takes requests.
	Running Phase = iota
	// Starting does not take requests yet.
	Starting
	// Stopping takes no new requests: it is being shut down, and lives until what it has begun is done.
	Stopping
)

var phaseNames = [...]string{Running: "running", Starting: "starting", Stopping: "stopping"}

// String returns the name of the phase.
func (p Phase) String() string {
	if p < 0 || int(p) >= len(phaseNames) {
		return "unknown"
	}
	return phaseNames[p]
}

// Enter says that the instance is in that phase from now on. A program that warms up enters Starting before it listens and Running when it is
// done; on a signal to end it enters Stopping, and goes on for as long as its load balancer needs to see that.
func (s *Status) Enter(p Phase) { s.phase.Store(int32(p)) }

// Phase returns the phase that the instance is in.
func (s *Status) Phase() Phase { return Phase(s.phase.Load()) }

// Mux returns a mux with everything below its usual path: /status, /status.json, /livez, /readyz and /deepz; / leads to the page. More may be added
// to it. It is for a port that the public does not reach.
func (s *Status) Mux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("/status", s.Page())
	mux.Handle("/status.json", s.JSON())
	mux.Handle("/livez", s.Livez())
	mux.Handle("/readyz", s.Readyz())
	mux.Handle("/deepz", s.Deepz())
	mux.Handle("/{$}", http.RedirectHandler("status", http.StatusFound))
	return mux
}

// names returns what the program and the instance are called.
func (s *Status) names() (title, instance string) {
	instance = s.Instance
	if instance == "" {
		instance, _ = os.Hostname() // a host without a name is shown without one
	}
	return clean(cmp.Or(s.Title, filepath.Base(os.Args[0]))), clean(instance)
}
