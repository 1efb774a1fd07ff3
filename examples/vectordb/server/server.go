// Package server is a vector database in memory that speaks the part of Chroma's API that the example uses, with faults on demand.
package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
)

// Server is the database. The zero value is ready. Safe for concurrent use.
type Server struct {
	mu          sync.Mutex
	fault       Fault
	requests    int
	collections map[string]*collection // by id
}

// collection is what one holds.
type collection struct {
	id, name string
	records  map[string]record
}

// record is a text with its vector.
type record struct {
	vector []float32
	text   *string
}

// Requests returns how many requests came so far.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// ServeHTTP answers a request, unless a fault does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	fault := s.fault
	s.requests++
	s.mu.Unlock()
	if !fault.strike(w, r) {
		s.routes().ServeHTTP(w, r)
	}
}

func (s *Server) routes() http.Handler {
	const base = "/api/v2/tenants/{tenant}/databases/{database}/collections"
	m := http.NewServeMux()
	m.HandleFunc("GET /api/v2/heartbeat", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]int{"nanosecond heartbeat": 1})
	})
	m.HandleFunc("POST "+base, s.create)
	m.HandleFunc("POST "+base+"/{id}/upsert", s.upsert)
	m.HandleFunc("POST "+base+"/{id}/query", s.query)
	m.HandleFunc("GET "+base+"/{id}/count", func(w http.ResponseWriter, r *http.Request) {
		s.with(w, r, func(c *collection) { answer(w, len(c.records)) })
	})
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { refuse(w, http.StatusNotFound, "no route "+r.URL.Path) })
	return m
}

// create makes a collection, or finds it.
func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Name        string `json:"name"`
		GetOrCreate bool   `json:"get_or_create"`
	}
	if !read(w, r, &in) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.collections {
		if c.name == in.Name {
			if !in.GetOrCreate {
				refuse(w, http.StatusConflict, "collection "+in.Name+" is there already")
				return
			}
			answer(w, describe(c, r))
			return
		}
	}
	if s.collections == nil {
		s.collections = map[string]*collection{}
	}
	const first = 0xc0
	c := &collection{id: fmt.Sprintf("00000000-0000-4000-8000-%012x", first+len(s.collections)), name: in.Name, records: map[string]record{}}
	s.collections[c.id] = c
	answer(w, describe(c, r))
}

func describe(c *collection, r *http.Request) map[string]any {
	return map[string]any{
		"id": c.id, "name": c.name, "tenant": r.PathValue("tenant"), "database": r.PathValue("database"), "log_position": 0, "version": 0,
		"configuration_json": map[string]any{},
	}
}

// upsert writes records.
func (s *Server) upsert(w http.ResponseWriter, r *http.Request) {
	var in struct {
		IDs        []string    `json:"ids"`
		Embeddings [][]float32 `json:"embeddings"`
		Documents  []*string   `json:"documents"`
	}
	if !read(w, r, &in) {
		return
	}
	if len(in.Embeddings) != len(in.IDs) || len(in.Documents) > 0 && len(in.Documents) != len(in.IDs) {
		refuse(w, http.StatusBadRequest, "the lists differ in length")
		return
	}
	s.with(w, r, func(c *collection) {
		for i, id := range in.IDs {
			rec := record{vector: in.Embeddings[i]}
			if len(in.Documents) > 0 {
				rec.text = in.Documents[i]
			}
			c.records[id] = rec
		}
		answer(w, struct{}{})
	})
}

// query finds the nearest records, by the square of the distance.
func (s *Server) query(w http.ResponseWriter, r *http.Request) {
	var in struct {
		QueryEmbeddings [][]float32 `json:"query_embeddings"`
		NResults        *int        `json:"n_results"`
	}
	if !read(w, r, &in) {
		return
	}
	const usual = 10
	most := usual
	if in.NResults != nil {
		most = *in.NResults
	}
	s.with(w, r, func(c *collection) {
		out := struct {
			IDs       [][]string  `json:"ids"`
			Distances [][]float32 `json:"distances"`
			Documents [][]*string `json:"documents"`
			Include   []string    `json:"include"`
		}{Include: []string{"distances", "documents"}}
		for _, vector := range in.QueryEmbeddings {
			ids := slices.Collect(maps.Keys(c.records))
			slices.SortFunc(ids, func(a, b string) int {
				return cmp.Or(cmp.Compare(distance(vector, c.records[a].vector), distance(vector, c.records[b].vector)), cmp.Compare(a, b))
			})
			ids = ids[:min(most, len(ids))]
			distances, texts := make([]float32, len(ids)), make([]*string, len(ids))
			for i, id := range ids {
				distances[i], texts[i] = distance(vector, c.records[id].vector), c.records[id].text
			}
			out.IDs, out.Distances, out.Documents = append(out.IDs, ids), append(out.Distances, distances), append(out.Documents, texts)
		}
		answer(w, out)
	})
}

func distance(a, b []float32) float32 {
	var sum float32
	for i := range min(len(a), len(b)) {
		d := a[i] - b[i]
		sum += d * d
	}
	return sum
}

// with gives a collection to f, under the lock.
func (s *Server) with(w http.ResponseWriter, r *http.Request, f func(c *collection)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.collections[r.PathValue("id")]
	if c == nil {
		refuse(w, http.StatusNotFound, "there is no such collection")
		return
	}
	f(c)
}

// read reads the body of a request.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return false
	}
	return true
}

// answer writes an answer. Whoever has gone does not get it.
func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) //nolint:errchkjson // see above
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": http.StatusText(status), "message": why}) //nolint:errchkjson // see above
}
