package status

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

const (
	// readyTimeout is how long a condition of readiness may take: orchestrators wait a second for the answer.
	readyTimeout = time.Second
	// deepTimeout is how long a synthetic call may take.
	deepTimeout = 5 * time.Second
	// deepEvery is the least time between runs of synthetic calls.
	deepEvery = 30 * time.Second
)

// Livez returns the endpoint that says whether the process lives: it answers 200 as long as it answers at all. It looks at nothing: who restarts
// a process because of what it calls makes two outages of one.
func (*Status) Livez() http.Handler {
	return get(func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"live": true})
	})
}

// Readiness is what /readyz answers.
type Readiness struct {
	Ready bool   `json:"ready"`
	Phase string `json:"phase"`
	// Checks are the program's own conditions.
	Checks []Outcome `json:"checks"`
}

// Readyz returns the endpoint that says whether this instance takes requests: 200 if it is Running and all of Ready agree, else 503. What the
// clients' targets do is not looked at: see Ready.
func (s *Status) Readyz() http.Handler {
	return get(func(w http.ResponseWriter, r *http.Request) {
		said := Readiness{Ready: true, Checks: []Outcome{}}
		if len(s.Ready) > 0 && s.Phase() == Running {
			run, err := s.ready.get(r.Context(), s.Ready, readyTimeout, 0)
			if err != nil {
				return
			}
			for _, o := range run.outcomes {
				o.Kind, o.Error = "", "" // anybody may read this
				said.Checks = append(said.Checks, o)
				said.Ready = said.Ready && o.OK
			}
		}
		phase := s.Phase()
		said.Phase = phase.String()
		said.Ready = said.Ready && phase == Running
		answer(w, codeOf(said.Ready), said)
	})
}

// Depth is what /deepz answers.
type Depth struct {
	OK bool `json:"ok"`
	// Time is when the calls were over, and AgeSeconds how long ago that is.
	Time       time.Time `json:"time"`
	AgeSeconds float64   `json:"age_seconds"`
	Calls      []Outcome `json:"calls"`
}

// Deepz returns the endpoint that makes the synthetic calls of Deep: 200 if all of them went well, 503 if one did not, 403 for those whom
// Authorize does not let, 404 where there are no calls. All who ask while calls run wait for the same run, and for DeepEvery the same result is given
// again, so that asking often costs nothing.
func (s *Status) Deepz() http.Handler {
	return get(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case s.Authorize == nil:
			answer(w, http.StatusForbidden, map[string]string{"error": "nobody is authorised: the program sets no Authorize"})
			return
		case !s.Authorize(r):
			answer(w, http.StatusForbidden, map[string]string{"error": "not authorised"})
			return
		case len(s.Deep) == 0:
			answer(w, http.StatusNotFound, map[string]string{"error": "the program sets no Deep"})
			return
		}
		run, err := s.deep.get(r.Context(), s.Deep, deepTimeout, max(s.DeepEvery, deepEvery))
		if err != nil {
			return
		}
		ok := !slices.ContainsFunc(run.outcomes, func(o Outcome) bool { return !o.OK })
		answer(w, codeOf(ok), Depth{OK: ok, Time: run.ended.UTC(), AgeSeconds: time.Since(run.ended).Seconds(), Calls: run.outcomes})
	})
}

func codeOf(ok bool) int {
	if ok {
		return http.StatusOK
	}
	return http.StatusServiceUnavailable
}

// get lets GET and HEAD through, and nobody keep the answer.
func get(f http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		f(w, r)
	})
}

// answer writes a value as JSON.
func answer(w http.ResponseWriter, code int, value any) {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil { // a number that is none
		http.Error(w, "the report cannot be written: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(append(text, '\n')) // who asked may have gone
}
